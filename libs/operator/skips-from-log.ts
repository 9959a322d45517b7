import type { Codec } from '../streams/codec.js';
import type { EventLog } from '../log/port.js';
import { noteSkipped } from '../following/skipped-events.js';
import type { DomainEvent } from '../kernel/index.js';
import type { Database } from '../engines/database/database.js';
import { OPERATIONS_STREAM, type ProjectionSkippedData } from './events.js';

const PAGE = 500;

/**
 * Notes in `projection.skipped_events` what the log says. A skip writes its row itself, at once; where the table was lost
 * (it need not be in a backup) the rows come back from here. Reads one stream, which holds what operators did.
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
