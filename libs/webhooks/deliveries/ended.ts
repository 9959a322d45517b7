import type { Instant, Scope } from '../../kernel/index.js';
import type { Queries } from '../../engines/database/database.js';
import { deliveryIdOf, readDeliveryKey } from './delivery-id.js';
import { WEBHOOK_CHANNEL } from './channel.js';

/** Rows that are read at once. */
const PAGE = 1_000;

/** Whom a webhook event was sent to, and what came of it in the end. */
export interface EndedDelivery {
  /** See `delivery-id.ts`. */
  id: string;
  endpoint: string;
  /** `https://crm.example`: where it went, without path and query, which may be secret; null: the endpoint was deleted since. */
  origin: string | null;
  eventId: string;
  type: string;
  sequence: number;
  /** Null: the event is about no single subject. */
  subjectId: string | null;
  outcome: 'DELIVERED' | 'FAILED';
  finishedAt: Instant;
  attempts: { number: number; at: Instant; status: number | null; reason: string | null }[];
}

interface Row {
  id: bigint;
  key: string;
  endpoint: string;
  sealed_url: string | null;
  type: string;
  sequence: bigint;
  subject_id: string | null;
  outcome: 'DELIVERED' | 'FAILED';
  finished_at: Date;
  attempts: { number: number; at: string; status: number | null; reason: string | null }[];
}

const ENDED = {
  name: 'webhooks_ended',
  text: `select d.id, d.key, d.endpoint, p.url as sealed_url, v.type, d.sequence, d.subject_id, d.finished_at,
           case when d.outcome->>'outcome' = 'delivered' then 'DELIVERED' else 'FAILED' end as outcome,
           coalesce((select json_agg(json_build_object('number', a.number, 'at', a.at, 'status', a.status, 'reason', a.reason) order by a.number)
                     from webhooks.attempt a where a.delivery = d.id), '[]') as attempts
         from deliveries.delivery d
         join webhooks.announced v on v.site = d.site and v.env = d.env and v.position = d.sequence / 16 and v.sequence = d.sequence
         left join webhooks.endpoint p on p.id = d.endpoint
         where d.channel = '${WEBHOOK_CHANNEL}' and d.site = $1 and d.env = $2
           and ($3::text[] is null or d.subject_id = any($3)) and ($4::timestamptz is null or d.finished_at >= $4)
           and d.finished_at < $5 and d.id > $6
         order by d.id limit ${PAGE}`,
};

/**
 * Every delivery that had ended before a moment, in the order in which they were made. The same call gets the same answer
 * until what ended 30 days ago is pruned. `subjectIds` null: of all subjects. `urlOf` opens the sealed address of an endpoint.
 */
export async function* everyDelivery(
  queries: Queries,
  { site, env }: Scope,
  { subjectIds, from, until }: { subjectIds: readonly string[] | null; from: Instant | null; until: Instant },
  urlOf: (endpoint: string, sealed: string) => string,
): AsyncGenerator<EndedDelivery> {
  for (let after = 0n; ;) {
    const rows: Row[] = await queries.query<Row>(ENDED, [site, env, subjectIds, from, until, after]);
    for (const { key, endpoint, sealed_url: sealed, sequence, finished_at: finishedAt, ...row } of rows) {
      const { eventId, replayId } = readDeliveryKey(key);
      yield {
        id: deliveryIdOf({ endpoint, eventId, replayId }),
        endpoint,
        origin: sealed === null ? null : new URL(urlOf(endpoint, sealed)).origin,
        eventId,
        type: row.type,
        sequence: Number(sequence),
        subjectId: row.subject_id,
        outcome: row.outcome,
        finishedAt: finishedAt.toISOString(),
        attempts: row.attempts.map(({ at, ...attempt }) => ({ ...attempt, at: new Date(at).toISOString() })),
      };
    }
    const last = rows.at(-1);
    if (rows.length < PAGE || !last) return;
    after = last.id;
  }
}
