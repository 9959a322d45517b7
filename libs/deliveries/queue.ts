import type { Queries } from '../engines/database/database.js';
import type { Backlog } from '../engines/telemetry/metrics.js';
import type { NewDelivery } from './delivery.js';

/** NOTIFY carries the name of the channel. A runner that misses it finds the row when it polls. */
export const DELIVERIES = 'deliveries';
/** How long the outcome of a delivery is kept. */
const KEPT_DAYS = 30;
const PRUNED_AT_ONCE = 1_000;

const ENQUEUE = {
  name: 'deliveries_enqueue',
  text: `with enqueued as (
           insert into deliveries.delivery (channel, endpoint, key, site, env, subject_id, payload, give_up_at)
           select channel, endpoint, key, site, env, subject_id, payload, give_up_at
           from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bytea[], $8::timestamptz[])
             with ordinality as w(channel, endpoint, key, site, env, subject_id, payload, give_up_at, n) order by n
           on conflict (channel, endpoint, key) do nothing returning channel
                  ), notified as (select pg_notify('${DELIVERIES}', channel) from (select distinct channel from enqueued) as channels)
                  select (select count(*) from enqueued)::int as enqueued, (select count(*) from notified) as notified`,
};
const DROPPED = `update deliveries.delivery set lease = null, payload = null, settled_at = coalesce(settled_at, now()), finished_at = now(), outcome = '{"outcome":"failed","reason":"dropped","evidence":null}'`;
const DROP = {
  name: 'deliveries_drop_subjects',
  text: `${DROPPED} where channel = $1 and subject_id = any($2) and finished_at is null returning id`,
};
const DROP_KEYS = {
  name: 'deliveries_drop_keys',
  text: `${DROPPED} where channel = $1 and endpoint = $2 and key = any($3) and finished_at is null returning id`,
};
const PRUNE = {
  name: 'deliveries_prune',
  text: `delete from deliveries.delivery where id = any(array(
           select id from deliveries.delivery where finished_at < now() - make_interval(days => $1) order by finished_at limit $2)) returning id`,
};
const BACKLOG = {
  name: 'deliveries_backlog',
  text: `select channel, count(*)::int as open, extract(epoch from now() - min(created_at))::float8 as "oldestSeconds" from deliveries.delivery where finished_at is null group by channel order by channel`,
};

/**
 * Puts deliveries into the queue, in the caller's transaction if it has one. A delivery that the queue already holds,
 * finished or not, stays as it is: enqueuing twice delivers once. Returns how many were new.
 */
export async function enqueue(queries: Queries, deliveries: readonly NewDelivery[]): Promise<number> {
  if (deliveries.length === 0) return 0;
  const column = <T>(of: (delivery: NewDelivery) => T): T[] => deliveries.map(of);
  const [row] = await queries.query<{ enqueued: number }>(ENQUEUE, [
    column((d) => d.channel),
    column((d) => d.endpoint),
    column((d) => d.key),
    column((d) => d.scope.site),
    column((d) => d.scope.env),
    column((d) => d.subjectId),
    column((d) => Buffer.from(d.payload)),
    column((d) => d.giveUpAt ?? null),
  ]);
  return row!.enqueued;
}

/**
 * Ends all open deliveries of a channel about these subjects, unsent, and deletes their payloads. An attempt that is
 * on the wire may still arrive. Returns how many were open.
 */
export async function dropSubjects(queries: Queries, channel: string, subjectIds: readonly string[]): Promise<number> {
  return (await queries.query(DROP, [channel, subjectIds])).length;
}

/** Ends open deliveries without a subject, by their keys. */
export async function dropKeys(
  queries: Queries,
  { channel, endpoint }: Pick<NewDelivery, 'channel' | 'endpoint'>,
  keys: readonly string[],
): Promise<number> {
  if (keys.length === 0) return 0;
  return (await queries.query(DROP_KEYS, [channel, endpoint, keys])).length;
}

/** Open deliveries per channel: for metrics and operators. */
export const backlog = (queries: Queries): Promise<Backlog[]> => queries.query<Backlog>(BACKLOG, []);

/** Deletes deliveries that finished 30 days ago. Their keys are free again: a channel must not enqueue one that late. */
export async function prune(queries: Queries): Promise<number> {
  for (let pruned = 0; ;) {
    const { length } = await queries.query(PRUNE, [KEPT_DAYS, PRUNED_AT_ONCE]);
    pruned += length;
    if (length < PRUNED_AT_ONCE) return pruned;
  }
}
