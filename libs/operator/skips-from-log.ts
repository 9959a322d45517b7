import { Consumer } from '../event-log/consumer.js';
import { InsertOnceSink } from '../event-log/insert-once-sink.js';
import type { EventLog, RecordedEvent } from '../event-log/port.js';
import type { Row } from '../event-log/projection.js';
import type { Database } from '../platform/database/database.js';
import { OPERATIONS_STREAM, type ProjectionSkippedData } from './events.js';

const NAME = 'skipped_events';
const OPEN = `
insert into projection.generations (name, version, live) values ('${NAME}', 1, true) on conflict do nothing;
insert into projection.shards (name, version) values ('${NAME}', 1) on conflict do nothing`;

/** The row of an event that an operator left out. */
function rowsOf({ type, data, metadata }: RecordedEvent): Row[] {
  if (type !== 'ProjectionSkipped') return [];
  const { by, projection, position, stream = null, revision = null, eventType } = data as ProjectionSkippedData;
  const skipped_by = `${by.user}@${by.host}`;
  return [{ projection, position, stream, revision, type: eventType, skipped_by, skipped_at: metadata.recordedAt }];
}

/**
 * Keeps `projection.skipped_events` what the log says: a skip writes its row itself, at once; after the table was lost
 * (it need not be in a backup) the rows come back from the log. The answer is started and stopped by the caller.
 */
export async function skipsFromLog(log: EventLog, database: Database): Promise<Consumer> {
  await database.run(OPEN);
  const sink = new InsertOnceSink({
    database,
    table: 'projection.skipped_events',
    columns: {
      projection: 'text not null',
      position: 'bigint not null',
      stream: 'text',
      revision: 'bigint',
      type: 'text',
      skipped_by: 'text',
      skipped_at: 'timestamptz not null',
    },
    rows: rowsOf,
  });
  const id = { name: NAME, version: 1, rebuild: 0, shard: 0, shards: 1 };
  return new Consumer({ log, database, id, streams: [OPERATIONS_STREAM], sink });
}
