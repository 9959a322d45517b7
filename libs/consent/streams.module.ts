import { Module } from '@nestjs/common';
import { Codec } from '../event-log/codec.js';
import type { EventLog } from '../event-log/port.js';
import { Stream } from '../event-log/stream.js';
import { EVENT_LOG } from '../event-log/tokens.js';
import { subjectStreamFold } from '../subjects/index.js';
import { CONSENT_STREAMS, consentFold } from './state.js';

/** The subject streams as consent folds them; one cache for writing and reading where both run in one process. */
@Module({
  providers: [
    {
      provide: CONSENT_STREAMS,
      inject: [EVENT_LOG, Codec],
      useFactory: (log: EventLog, codec: Codec) => new Stream(log, codec, subjectStreamFold(consentFold)),
    },
  ],
  exports: [CONSENT_STREAMS],
})
export class ConsentStreamsModule {}
