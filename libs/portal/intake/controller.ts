import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { CallerOf, Input, type Caller } from '../../http/caller.js';
import { parseIdempotencyKey } from '../../http/idempotency-key.js';
import { Operation } from '../../http/contract/operation.js';
import { formatPosition, LOG_POSITION_HEADER } from '../../http/position.js';
import { AskOnPortal, type Asked } from './ask.handler.js';
import type { AskDto, AskedDto, EnterCodeDto } from './dto.js';
import { EnterPortalCode } from './enter-code.handler.js';

@Controller('v1/data-requests/portal')
export class PortalIntakeController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  @HttpCode(202)
  @Operation('askOnPortal')
  async ask(
    @CallerOf() caller: Caller,
    @Input() input: AskDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AskedDto> {
    const key = parseIdempotencyKey(request.headers['idempotency-key']);
    return told(response, await this.commands.execute(new AskOnPortal(caller, input, key)));
  }

  @Post('code')
  @HttpCode(200)
  @Operation('enterPortalCode')
  async verify(
    @CallerOf() caller: Caller,
    @Input() { handle, code }: EnterCodeDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AskedDto> {
    return told(response, await this.commands.execute(new EnterPortalCode(caller, handle, code)));
  }
}

function told(response: Response, { answer, position, replayed }: Asked): AskedDto {
  response.setHeader('Cache-Control', 'no-store');
  if (position !== null) response.setHeader(LOG_POSITION_HEADER, formatPosition(position));
  if (replayed) response.setHeader('Idempotent-Replayed', 'true');
  return answer;
}
