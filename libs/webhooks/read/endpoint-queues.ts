import type { Queries } from '../../engines/database/database.js';
import { WEBHOOK_CHANNEL } from '../deliveries/channel.js';

/** Deliveries of one endpoint are counted no further. */
export const WAITING_COUNTED_MAX = 1_000;

/** What an endpoint still has to be sent. */
export interface EndpointQueue {
  /** Rows of its queue that are not finished, up to `WAITING_COUNTED_MAX`. */
  waiting: number;
  /** Whether it is enabled, and there are events that are not even in its queue. */
  behind: boolean;
}

const QUEUES = {
  name: 'webhooks_queues',
  text: `select e.id,
           (select count(*) from (select from deliveries.delivery d
              where d.channel = '${WEBHOOK_CHANNEL}' and d.endpoint = e.id and d.finished_at is null limit ${WAITING_COUNTED_MAX}) w)::int as waiting,
           e.state = 'ENABLED' and coalesce(e.enqueued_through < 16 * webhooks.last_position(e.site, e.env), false) as behind
         from webhooks.endpoint e where e.id = any($1::text[])`,
};

/** By endpoint. One statement; it costs at most so many rows of an index as are counted for each. */
export async function queuesOf(queries: Queries, ids: readonly string[]): Promise<Map<string, EndpointQueue>> {
  if (ids.length === 0) return new Map();
  const rows = await queries.query<EndpointQueue & { id: string }>(QUEUES, [ids]);
  return new Map(rows.map(({ id, waiting, behind }) => [id, { waiting, behind }]));
}
