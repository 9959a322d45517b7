import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { PreferenceStreamsModule } from '../streams.module.js';
import { PreferenceWriteController } from './controller.js';
import { preferenceWriter } from './preference-writer.js';
import { PreferenceRequests } from './preference-request.js';
import { preferenceBatch, SetPreferencesBatchHandler } from './set-preferences-batch.handler.js';
import { SetPreferencesHandler } from './set-preferences.handler.js';

@Module({
  imports: [CqrsModule, PreferenceStreamsModule],
  controllers: [PreferenceWriteController],
  providers: [preferenceWriter, preferenceBatch, PreferenceRequests, SetPreferencesHandler, SetPreferencesBatchHandler],
})
export class PreferenceWriteModule {}
