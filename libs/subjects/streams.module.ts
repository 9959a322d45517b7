import { Module } from '@nestjs/common';
import { Codec } from '../streams/codec.js';
import type { EventLog } from '../log/port.js';
import { SnapshotStore } from '../streams/snapshot-store.js';
import { Stream } from '../streams/stream.js';
import { EVENT_LOG } from '../log/tokens.js';
import { SubjectHistory } from './history.js';
import { SubjectLookup } from './lookup.js';
import { subjectStreamFold } from './stream-fold.js';
import { subjectFold } from './state.js';
import { SUBJECT_STREAMS } from './tokens.js';

/** Subjects as their own context folds them, for writing and reading. */
@Module({
  providers: [
    {
      provide: SUBJECT_STREAMS,
      inject: [EVENT_LOG, Codec, SnapshotStore],
      useFactory: (log: EventLog, codec: Codec, snapshots: SnapshotStore) =>
        new Stream(log, codec, subjectStreamFold({ ...subjectFold, keepsSealed: true }), { snapshots }),
    },
    SubjectLookup,
    SubjectHistory,
  ],
  exports: [SubjectLookup, SubjectHistory, SUBJECT_STREAMS],
})
export class SubjectStreamsModule {}
