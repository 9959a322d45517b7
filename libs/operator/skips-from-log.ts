import type { Codec } from '../streams/codec.js';
import type { EventLog } from '../log/port.js';
import { noteSkipped } from '../following/skipped-events.js';
import type { DomainEvent } from '../kernel/index.js';
import type { Database } from '../engines/database/database.js';
import { OPERATIONS_STREAM, type ProjectionSkippedData } from './events.js';

const PAGE = 500;

/**
 * Writes `projection.skipped_events` anew from the log. A skip writes its row itself, at once. This brings the rows back
 * where the table was lost, since it need not be in a backup. Reads one stream, that of the operators.
 */
export async function skipsFromLog(log: EventLog, codec: Codec, database: Database): Promise<void> {
  for (let from = 0; ; from += PAGE) {
    const events = await log.read(OPERATIONS_STREAM, { direction: 'forwards', from, limit: PAGE });
    for (const event of events) {
      if (event.type !== 'ProjectionSkipped') continue;
      const {
        by,
        projection,
        position,
        everywhere,
        stream = null,
        revision = null,
        eventType,
      } = codec.decode<DomainEvent<'ProjectionSkipped', ProjectionSkippedData>>(event).data;
      await noteSkipped(database, {
        projection,
        position: BigInt(position),
        everywhere,
        stream,
        revision,
        type: eventType,
        by: `${by.user}@${by.host}`,
      });
    }
    if (events.length < PAGE) return;
  }
}
