import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { CallerOf, Input, type Caller } from '../../http/caller.js';
import { hasGpc } from '../../http/gpc.js';
import { parseIdempotencyKey } from '../../http/idempotency-key.js';
import { Operation } from '../../http/contract/operation.js';
import { tellOfChange } from '../../commands/commands.js';
import type { BatchAnswer } from '../../subjects/services.js';
import type { ConsentRecordView } from '../view.js';
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
    const recorded = await this.commands.execute(command);
    tellOfChange(response, recorded);
    return recorded.view;
  }

  @Post('batch')
  @HttpCode(200)
  @Operation('recordConsentBatch')
  async recordBatch(
    @CallerOf() caller: Caller,
    @Input() input: RecordBatchDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BatchAnswer<ConsentRecordView>> {
    const command = new RecordBatchCommand(
      caller,
      input,
      parseIdempotencyKey(request.headers['idempotency-key']),
      hasGpc(request.headers),
    );
    const done = await this.commands.execute(command);
    tellOfChange(response, done);
    return done.answer;
  }
}
