import { Module } from '@nestjs/common';
import { Codec } from '../streams/codec.js';
import type { EventLog } from '../log/port.js';
import { SnapshotStore } from '../streams/snapshot-store.js';
import { Stream } from '../streams/stream.js';
import { EVENT_LOG } from '../log/tokens.js';
import { subjectStreamFold } from '../subjects/index.js';
import { CONSENT_STREAMS, consentFold } from './state.js';

/** The subject streams as consent folds them; one cache for writing and reading where both run in one process. */
@Module({
  providers: [
    {
      provide: CONSENT_STREAMS,
      inject: [EVENT_LOG, Codec, SnapshotStore],
      useFactory: (log: EventLog, codec: Codec, snapshots: SnapshotStore) =>
        new Stream(log, codec, subjectStreamFold(consentFold), { snapshots }),
    },
  ],
  exports: [CONSENT_STREAMS],
})
export class ConsentStreamsModule {}
