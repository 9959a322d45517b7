import { Module } from '@nestjs/common';
import { Codec } from '../streams/codec.js';
import type { EventLog } from '../log/port.js';
import { SnapshotStore } from '../streams/snapshot-store.js';
import { Stream } from '../streams/stream.js';
import { EVENT_LOG } from '../log/tokens.js';
import { subjectStreamFold } from '../subjects/index.js';
import { PREFERENCE_STREAMS, preferenceFold } from './state.js';

/** Injection token of this context's TagCache. */
export const PREFERENCE_TAGS = Symbol('PreferenceTags');

/** Injection token of the ReadProgress of this context's rows. */
export const PREFERENCE_PROGRESS = Symbol('PreferenceProgress');

/** The subject streams as preferences folds them; one cache for writing and reading where both run in one process. */
@Module({
  providers: [
    {
      provide: PREFERENCE_STREAMS,
      inject: [EVENT_LOG, Codec, SnapshotStore],
      useFactory: (log: EventLog, codec: Codec, snapshots: SnapshotStore) =>
        new Stream(log, codec, subjectStreamFold(preferenceFold), { snapshots }),
    },
  ],
  exports: [PREFERENCE_STREAMS],
})
export class PreferenceStreamsModule {}
