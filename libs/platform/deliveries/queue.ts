import type { Environment } from '../../kernel/index.js';
import type { Queries } from '../database/database.js';
import type { DeliveryName, NewDelivery, Outcome } from './delivery.js';

/** NOTIFY carries the name of the channel. A runner that misses it finds the row when it polls. */
export const DELIVERIES = 'deliveries';
/** How long what became of a delivery is kept. */
const KEPT_DAYS = 30;
const PRUNED_AT_ONCE = 1_000;
/** A report that fails is tried again after as long as it has been failing, within these. */
const REPORT_AGAIN_SECONDS = { min: 5, max: 3_600 };

const ENQUEUE = {
  name: 'deliveries_enqueue',
  text: `with enqueued as (
           insert into deliveries.delivery (channel, endpoint, key, site, env, subject_id, payload, give_up_at)
           select channel, endpoint, key, site, env, subject_id, payload, give_up_at
           from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bytea[], $8::timestamptz[])
             with ordinality as w(channel, endpoint, key, site, env, subject_id, payload, give_up_at, n) order by n
           on conflict (channel, endpoint, key) do nothing returning channel
         ), told as (select pg_notify('${DELIVERIES}', channel) from (select distinct channel from enqueued) as channels)
         select (select count(*) from enqueued)::int as enqueued, (select count(*) from told) as told`,
};

// Head of the line: a row is taken only while no older open one to the same endpoint is about the same subject. As a
// scalar subselect and not as a join, which would be planned for the table as it first was, empty. A claimed row is due
// again when its lease runs out: whoever was killed is replaced without anybody having to notice.
const CLAIM = {
  name: 'deliveries_claim',
  text: `with claimable as (
           select d.id from deliveries.delivery d
           where d.channel = $1 and d.finished_at is null and d.due_at <= now()
             and (d.subject_id is null or d.id = (
               select min(e.id) from deliveries.delivery e
               where e.subject_id = d.subject_id and e.channel = d.channel and e.endpoint = d.endpoint and e.finished_at is null))
           order by d.due_at, d.id limit $2 for update skip locked
         )
         update deliveries.delivery
         set lease = $3, due_at = now() + make_interval(secs => $4), attempts = attempts + case when outcome is null then 1 else 0 end
         where id = any(array(select id from claimable))
         returning id, channel, endpoint, key, site, env, subject_id, payload, attempts, outcome, coalesce(give_up_at <= now(), false) as late`,
};

const OURS = 'id = $1 and lease = $2 and finished_at is null';
const RETRY = {
  name: 'deliveries_retry',
  text: `update deliveries.delivery set lease = null, due_at = now() + make_interval(secs => $3), last_reason = $4 where ${OURS} and outcome is null returning id`,
};
const SETTLE = {
  name: 'deliveries_settle',
  text: `update deliveries.delivery set outcome = $3, payload = null, settled_at = now(), finished_at = case when $4 then now() end where ${OURS} and outcome is null returning id`,
};
const FINISH = {
  name: 'deliveries_finish',
  text: `update deliveries.delivery set lease = null, finished_at = now() where ${OURS}`,
};
const REPORT_AGAIN = {
  name: 'deliveries_report_again',
  text: `update deliveries.delivery set lease = null, due_at = now() + make_interval(secs => greatest($3, least($4, extract(epoch from now() - settled_at)))) where ${OURS}`,
};
const DROP = {
  name: 'deliveries_drop_subjects',
  text: `update deliveries.delivery set lease = null, payload = null, settled_at = coalesce(settled_at, now()), finished_at = now(), outcome = '{"outcome":"failed","reason":"dropped","evidence":null}'
         where subject_id = any($1) and finished_at is null returning id`,
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

/** A row that is ours until its lease runs out. */
export interface Claimed<E> extends DeliveryName {
  id: bigint;
  /** Null once the outcome stands. */
  payload: Buffer | null;
  attempt: number;
  /** Not null: delivered or given up before, but not reported. */
  outcome: Outcome<E> | null;
  /** Its time to give up has come. */
  late: boolean;
}

interface Row<E> {
  id: bigint;
  channel: string;
  endpoint: string;
  key: string;
  site: string;
  env: Environment;
  subject_id: string | null;
  payload: Buffer | null;
  attempts: number;
  outcome: Outcome<E> | null;
  late: boolean;
}

export interface Backlog {
  channel: string;
  open: number;
  oldestSeconds: number;
}

/**
 * Puts deliveries into the queue, inside the caller's transaction where it has one. What is there already, finished or
 * not, stays as it is: enqueuing twice delivers once. Answers how many were new.
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
 * Ends everything that is still open about these subjects, unsent, and forgets what it was. What is on the wire at this
 * moment arrives all the same. Answers how many were open.
 */
export async function dropSubjects(queries: Queries, subjectIds: readonly string[]): Promise<number> {
  return (await queries.query(DROP, [subjectIds])).length;
}

/** What waits, per channel: for metrics and operators. */
export const backlog = (queries: Queries): Promise<Backlog[]> => queries.query<Backlog>(BACKLOG, []);

/** Deletes what was finished 30 days ago. Its keys are free again then: only who never goes back that far may enqueue. */
export async function prune(queries: Queries): Promise<number> {
  for (let pruned = 0; ;) {
    const { length } = await queries.query(PRUNE, [KEPT_DAYS, PRUNED_AT_ONCE]);
    pruned += length;
    if (length < PRUNED_AT_ONCE) return pruned;
  }
}

/** The rows of one channel as its runner sees them. Every change but the claim answers false where the row is not ours any more. */
export class DeliveryQueue<E> {
  constructor(
    private readonly queries: Queries,
    private readonly channel: string,
  ) {}

  async claim(atMost: number, lease: string, leaseMs: number): Promise<Claimed<E>[]> {
    const rows = await this.queries.query<Row<E>>(CLAIM, [this.channel, atMost, lease, leaseMs / 1000]);
    return rows
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ site, env, subject_id: subjectId, attempts: attempt, ...row }) => ({
        ...row,
        scope: { site, env },
        subjectId,
        attempt,
      }));
  }

  async retry(id: bigint, lease: string, afterMs: number, reason: string): Promise<boolean> {
    return (await this.queries.query(RETRY, [id, lease, afterMs / 1000, reason])).length > 0;
  }

  /** From here on it is never delivered again. */
  async settle(id: bigint, lease: string, outcome: Outcome<E>, finished: boolean): Promise<boolean> {
    return (await this.queries.query(SETTLE, [id, lease, JSON.stringify(outcome), finished])).length > 0;
  }

  async finish(id: bigint, lease: string): Promise<void> {
    await this.queries.query(FINISH, [id, lease]);
  }

  async reportAgain(id: bigint, lease: string): Promise<void> {
    await this.queries.query(REPORT_AGAIN, [id, lease, REPORT_AGAIN_SECONDS.min, REPORT_AGAIN_SECONDS.max]);
  }
}
