import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { CallerOf, Input, type Caller } from '../../http/caller.js';
import { parseIdempotencyKey } from '../../http/idempotency-key.js';
import { Operation } from '../../http/contract/operation.js';
import { tellOfChange } from '../../commands/commands.js';
import type { BatchAnswer } from '../../subjects/services.js';
import type { PreferenceRecordView } from '../view.js';
import type { SetPreferencesBatchDto, SetPreferencesDto } from './dto.js';
import type { AnsweredPreferences } from './preference-request.js';
import { SetPreferencesBatch } from './set-preferences-batch.handler.js';
import { SetPreferences } from './set-preferences.handler.js';

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
    const done = await this.commands.execute(
      new SetPreferences(caller, input, parseIdempotencyKey(request.headers['idempotency-key'])),
    );
    tellOfChange(response, done);
    return done.answer;
  }

  @Post('batch')
  @HttpCode(200)
  @Operation('setPreferencesBatch')
  async setBatch(
    @CallerOf() caller: Caller,
    @Input() input: SetPreferencesBatchDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BatchAnswer<PreferenceRecordView>> {
    const done = await this.commands.execute(
      new SetPreferencesBatch(caller, input, parseIdempotencyKey(request.headers['idempotency-key'])),
    );
    tellOfChange(response, done);
    return done.answer;
  }
}
