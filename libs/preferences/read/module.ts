import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { PreferenceStreamsModule } from '../streams.module.js';
import { PreferenceReadController } from './controller.js';
import { GetPreferenceHistoryHandler } from './get-preference-history.handler.js';
import { GetPreferencesHandler } from './get-preferences.handler.js';
import { PreferenceReceipts } from './preference-receipts.js';
import { PreferenceReader } from './reader.js';
import { PreferenceRows } from './rows.js';

@Module({
  imports: [CqrsModule, PreferenceStreamsModule],
  controllers: [PreferenceReadController],
  providers: [PreferenceReader, PreferenceRows, PreferenceReceipts, GetPreferencesHandler, GetPreferenceHistoryHandler],
})
export class PreferenceReadModule {}
