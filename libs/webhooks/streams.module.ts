import { Module } from '@nestjs/common';
import { Codec } from '../event-log/codec.js';
import type { EventLog } from '../event-log/port.js';
import { SnapshotStore } from '../event-log/snapshot-store.js';
import { Stream } from '../event-log/stream.js';
import { EVENT_LOG } from '../event-log/tokens.js';
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
