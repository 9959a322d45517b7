import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { Stream } from '../../streams/stream.js';
import { TAG_CACHE, type TagCache } from '../../engines/cache/tag-cache.js';
import { SUBJECT_WRITERS, type SubjectWriters } from '../../subjects/services.js';
import { CONSENT_STREAMS, consentFold, type ConsentState, type FoldedByConsent } from '../state.js';
import { ConsentStreamsModule } from '../streams.module.js';
import { ConsentWriteController } from './controller.js';
import { ExpireConsentHandler } from './expire-consent.handler.js';
import { consentBatch, RecordBatchHandler } from './record-batch.handler.js';
import { RecordConsentHandler } from './record-consent.handler.js';
import { CONSENT_WRITER, RecordRequests } from './record-request.js';

@Module({
  imports: [CqrsModule, ConsentStreamsModule],
  controllers: [ConsentWriteController],
  providers: [
    {
      provide: CONSENT_WRITER,
      inject: [SUBJECT_WRITERS, CONSENT_STREAMS, TAG_CACHE],
      useFactory: (writers: SubjectWriters, streams: Stream<ConsentState, FoldedByConsent>, tags: TagCache) =>
        writers.of({ streams, evolve: consentFold.evolve, tags }),
    },
    RecordRequests,
    consentBatch,
    RecordConsentHandler,
    RecordBatchHandler,
    ExpireConsentHandler,
  ],
})
export class ConsentWriteModule {}
