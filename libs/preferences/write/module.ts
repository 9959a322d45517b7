import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { PreferenceStreamsModule } from '../streams.module.js';
import { PreferenceWriteController } from './controller.js';
import { preferenceWriter } from './preference-writer.js';
import { SetPreferencesHandler } from './set-preferences.handler.js';

@Module({
  imports: [CqrsModule, PreferenceStreamsModule],
  controllers: [PreferenceWriteController],
  providers: [preferenceWriter, SetPreferencesHandler],
})
export class PreferenceWriteModule {}
