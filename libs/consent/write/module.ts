import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { IdempotencyReservations } from '../../platform/idempotency/reservations.js';
import { ConsentStreamsModule } from '../streams.module.js';
import { BatchAnswers } from './batch-answers.js';
import { ConsentWriteController } from './controller.js';
import { ExpireConsentHandler } from './expire-consent.handler.js';
import { RecordBatchHandler } from './record-batch.handler.js';
import { RecordConsentHandler } from './record-consent.handler.js';
import { ConsentRecorder } from './recorder.js';

@Module({
  imports: [CqrsModule, ConsentStreamsModule],
  controllers: [ConsentWriteController],
  providers: [
    ConsentRecorder,
    BatchAnswers,
    IdempotencyReservations,
    RecordConsentHandler,
    RecordBatchHandler,
    ExpireConsentHandler,
  ],
})
export class ConsentWriteModule {}
