import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { IdempotencyReservations } from '../../platform/idempotency/reservations.js';
import { PreferenceStreamsModule } from '../streams.module.js';
import { PreferenceWriteController } from './controller.js';
import { SetPreferencesHandler } from './set-preferences.handler.js';
import { PreferenceWriter } from './writer.js';

@Module({
  imports: [CqrsModule, PreferenceStreamsModule],
  controllers: [PreferenceWriteController],
  providers: [PreferenceWriter, IdempotencyReservations, SetPreferencesHandler],
})
export class PreferenceWriteModule {}
