import { Module } from '@nestjs/common';
import { Codec } from '../streams/codec.js';
import type { EventLog } from '../log/port.js';
import { SnapshotStore } from '../streams/snapshot-store.js';
import { Stream } from '../streams/stream.js';
import { EVENT_LOG } from '../log/tokens.js';
import { WEBHOOKS_STREAM_FOLD } from './stream-fold.js';
import { WEBHOOK_STREAMS } from './tokens.js';

/** Endpoints as their streams tell them, for writing and reading. */
@Module({
  providers: [
    {
      provide: WEBHOOK_STREAMS,
      inject: [EVENT_LOG, Codec, SnapshotStore],
      useFactory: (log: EventLog, codec: Codec, snapshots: SnapshotStore) =>
        new Stream(log, codec, WEBHOOKS_STREAM_FOLD, { snapshots }),
    },
  ],
  exports: [WEBHOOK_STREAMS],
})
export class WebhookStreamsModule {}
