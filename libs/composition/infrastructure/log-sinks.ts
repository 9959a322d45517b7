import type { LogSink } from '../../context/log-sink.js';
import { CheckpointProgress } from '../../following/checkpoint-progress.js';
import type { Codec } from '../../streams/codec.js';
import { Consumer } from '../../following/consumer.js';
import type { EventLog } from '../../log/port.js';
import type { Commits } from '../../following/commits.js';
import type { ReadProgress } from '../../kernel/index.js';
import type { Database } from '../../engines/database/database.js';
import type { Vault } from '../../vault/vault.js';

/** A sink in one process. */
export interface OpenLogSink {
  sink: LogSink;
  /** Follows the log, or stands by while another process does; null where this one never does. */
  consumer: Consumer | null;
  /** How far it has come. */
  progress: ReadProgress;
}

interface SinkEngines {
  log: EventLog;
  requests: Database;
  background: Database;
  vault: Vault;
  codec: Codec;
  commits: Commits;
}

export function openLogSink(
  sink: LogSink,
  { log, requests, background, vault, codec, commits }: SinkEngines,
  isProjector: boolean,
): OpenLogSink {
  const { name, streams, takesLeftOut } = sink;
  const consumer = isProjector
    ? new Consumer({
        log,
        database: background,
        id: { name, version: 1, rebuild: 0, shard: 0, shards: 1 },
        streams,
        sink: sink.open({ database: background, vault, codec }),
        commits,
        ...(takesLeftOut && { takesLeftOut }),
      })
    : null;
  const progress = consumer
    ? {
        position: () => consumer.position(),
        reached: (...[position, ms]: Parameters<ReadProgress['reached']>) => consumer.waitFor(position, ms),
      }
    : new CheckpointProgress(requests, name);
  return { sink, consumer, progress };
}
