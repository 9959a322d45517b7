import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { CallerOf, Input, type Caller } from '../../http/caller.js';
import { hasGpc } from '../../http/gpc.js';
import { parseIdempotencyKey } from '../../http/idempotency-key.js';
import { Operation } from '../../http/contract/operation.js';
import { formatPosition, LOG_POSITION_HEADER } from '../../http/position.js';
import type { BatchAnswer } from './batch-answers.js';
import type { RecordBatchDto, RecordConsentDto } from './dto.js';
import { RecordBatchCommand } from './record-batch.handler.js';
import { RecordConsentCommand } from './record-consent.handler.js';
import type { AnsweredRecord } from './record-request.js';

@Controller('v1/consent')
export class ConsentWriteController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  @HttpCode(201)
  @Operation('recordConsent')
  async record(
    @CallerOf() caller: Caller,
    @Input() input: RecordConsentDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AnsweredRecord> {
    const command = new RecordConsentCommand(
      caller,
      input,
      parseIdempotencyKey(request.headers['idempotency-key']),
      hasGpc(request.headers),
    );
    const { view, position, replayed } = await this.commands.execute(command);
    tell(response, position, replayed);
    return view;
  }

  @Post('batch')
  @HttpCode(200)
  @Operation('recordConsentBatch')
  async recordBatch(
    @CallerOf() caller: Caller,
    @Input() input: RecordBatchDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BatchAnswer> {
    const command = new RecordBatchCommand(
      caller,
      input,
      parseIdempotencyKey(request.headers['idempotency-key']),
      hasGpc(request.headers),
    );
    const { answer, position, replayed } = await this.commands.execute(command);
    tell(response, position, replayed);
    return answer;
  }
}

function tell(response: Response, position: bigint | null, replayed: boolean): void {
  if (position !== null) response.setHeader(LOG_POSITION_HEADER, formatPosition(position));
  if (replayed) response.setHeader('Idempotent-Replayed', 'true');
}
