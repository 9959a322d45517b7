import type { EventLog } from '../event-log/port.js';
import { noteSkipped } from '../event-log/skipped-events.js';
import type { Database } from '../platform/database/database.js';
import { OPERATIONS_STREAM, type ProjectionSkippedData } from './events.js';

const PAGE = 500;

/**
 * Notes in `projection.skipped_events` what the log says. A skip writes its row itself, at once; where the table was lost
 * (it need not be in a backup) the rows come back from here. Reads one stream, which holds what operators did.
 */
export async function skipsFromLog(log: EventLog, database: Database): Promise<void> {
  for (let from = 0; ; from += PAGE) {
    const events = await log.read(OPERATIONS_STREAM, { direction: 'forwards', from, limit: PAGE });
    for (const { type, data } of events) {
      if (type !== 'ProjectionSkipped') continue;
      const { by, projection, position, stream = null, revision = null, eventType } = data as ProjectionSkippedData;
      await noteSkipped(database, {
        projection,
        position: BigInt(position),
        stream,
        revision,
        type: eventType,
        by: `${by.user}@${by.host}`,
      });
    }
    if (events.length < PAGE) return;
  }
}
