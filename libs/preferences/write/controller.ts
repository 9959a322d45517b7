import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { CallerOf, Input, type Caller } from '../../http/caller.js';
import { parseIdempotencyKey } from '../../http/idempotency-key.js';
import { Operation } from '../../http/contract/operation.js';
import { formatPosition, LOG_POSITION_HEADER } from '../../http/position.js';
import type { SetPreferencesDto } from './dto.js';
import { SetPreferences, type AnsweredPreferences } from './set-preferences.handler.js';

@Controller('v1/preferences')
export class PreferenceWriteController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  @HttpCode(201)
  @Operation('setPreferences')
  async set(
    @CallerOf() caller: Caller,
    @Input() input: SetPreferencesDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AnsweredPreferences> {
    const { answer, position, replayed } = await this.commands.execute(
      new SetPreferences(caller, input, parseIdempotencyKey(request.headers['idempotency-key'])),
    );
    if (position !== null) response.setHeader(LOG_POSITION_HEADER, formatPosition(position));
    if (replayed) response.setHeader('Idempotent-Replayed', 'true');
    return answer;
  }
}
