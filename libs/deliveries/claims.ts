import type { Environment } from '../kernel/index.js';
import type { Queries } from '../engines/database/database.js';
import type { DeliveryName, Outcome } from './delivery.js';
import type { Room } from './room.js';

/** Most followers (rows behind the head of their line) that one statement puts off. */
const HELD_AT_ONCE = 1_000;
const DROPPED_AT_ONCE = 1_000;

/**
 * SQL of a column of the line's head: the oldest open row with the same endpoint and subject. Only the head may be
 * taken. A scalar subselect, because the planner would plan a join for the table as it was when it was empty. Channel
 * and endpoint are concatenated as in the index `delivery_line`.
 */
const HEAD = (row: string, column: string): string =>
  `(select e.${column} from deliveries.delivery e
    where e.subject_id = ${row}.subject_id and (e.channel || ' ' || e.endpoint) = (${row}.channel || ' ' || ${row}.endpoint)
      and e.finished_at is null order by e.id limit 1)`;
const IS_HEAD = (row: string): string => `(${row}.subject_id is null or ${row}.id = ${HEAD(row, 'id')})`;

// Skips from one endpoint to the next in the index instead of reading the rows of each. Those with open rows of which none
// is due are one row: null.
const DUE = {
  name: 'deliveries_due_endpoints',
  text: `with recursive waiting as (
           (select endpoint from deliveries.delivery where channel = $1 and finished_at is null order by endpoint limit 1)
           union all
           select (select d.endpoint from deliveries.delivery d
                   where d.channel = $1 and d.finished_at is null and d.endpoint > w.endpoint order by d.endpoint limit 1)
           from waiting w where w.endpoint is not null
         )
         select distinct case when now() >= (
           select d.due_at from deliveries.delivery d
           where d.channel = $1 and d.endpoint = w.endpoint and d.finished_at is null order by d.due_at limit 1) then endpoint end as endpoint
         from waiting w where endpoint is not null`,
};

const TAKE = `update deliveries.delivery
         set lease = $2, due_at = now() + make_interval(secs => $3), attempts = attempts + case when outcome is null then 1 else 0 end`;
const TAKEN = `returning id, channel, endpoint, key, site, env, subject_id, sequence, payload, attempts, outcome, coalesce(give_up_at <= now(), false) as late`;

// A claimed row is due again when its lease expires. If its process was killed, another one then takes it.
const CLAIM = {
  name: 'deliveries_claim',
  text: `with claimable as (
           select c.id from unnest($4::text[], $5::int[]) as r(endpoint, room)
           cross join lateral (
             select d.id from deliveries.delivery d
             where d.channel = $1 and d.endpoint = r.endpoint and d.finished_at is null and d.due_at <= now()
               and ${IS_HEAD('d')}
             order by d.due_at, d.id limit r.room for update skip locked
           ) c
         )
         ${TAKE} where id = any(array(select id from claimable)) ${TAKEN}`,
};

// Waits for a rival's lock instead of skipping the row: a rival that only puts followers off would leave it waiting.
const CLAIM_NEXT = {
  name: 'deliveries_claim_next',
  text: `with next as (
           select n.id from unnest($4::text[], $5::text[]) as l(endpoint, subject_id)
           cross join lateral (
             select e.id from deliveries.delivery e
             where e.subject_id = l.subject_id and (e.channel || ' ' || e.endpoint) = ($1 || ' ' || l.endpoint) and e.finished_at is null
             order by e.id limit 1
           ) n
         ), claimable as (
           select id from deliveries.delivery
           where id = any(array(select id from next)) and finished_at is null and (due_at <= now() or attempts = 0 and lease is null)
           order by id for update
         )
         ${TAKE} where id = any(array(select id from claimable)) ${TAKEN}`,
};

// Its time before is lost: it is due at once. What was not sent was no attempt.
const GIVE_BACK = {
  name: 'deliveries_give_back',
  text: `update deliveries.delivery d
         set lease = null, due_at = now(), attempts = d.attempts - case when d.outcome is null then 1 else 0 end
         from unnest($1::bigint[], $2::uuid[]) as w(id, lease)
         where d.id = w.id and d.lease = w.lease and d.finished_at is null`,
};

const HOLD = {
  name: 'deliveries_hold_followers',
  text: `with held as (
           select f.id, f.until from unnest($2::text[]) as r(endpoint)
           cross join lateral (
             select d.id, ${HEAD('d', 'due_at')} as until from deliveries.delivery d
             where d.channel = $1 and d.endpoint = r.endpoint and d.finished_at is null and d.due_at <= now()
               and d.subject_id is not null and ${HEAD('d', 'due_at')} > now()
             order by d.due_at, d.id limit ${HELD_AT_ONCE} for update skip locked
           ) f
         )
         update deliveries.delivery d set due_at = held.until from held where d.id = held.id`,
};

const RELEASE = {
  name: 'deliveries_release_heads',
  text: `update deliveries.delivery d set due_at = now()
         where d.channel = $1 and d.finished_at is null and d.due_at > now() and d.attempts = 0 and d.lease is null
           and d.subject_id is not null and ${IS_HEAD('d')}`,
};

const DROP = {
  name: 'deliveries_drop_endpoints',
  text: `update deliveries.delivery
         set payload = null, settled_at = now(), finished_at = now(), outcome = '{"outcome":"failed","reason":"dropped","evidence":null}'
         where id = any(array(
           select id from deliveries.delivery
           where channel = $1 and endpoint = any($2) and finished_at is null and due_at <= now() limit ${DROPPED_AT_ONCE} for update skip locked))`,
};

/** A row that this process holds until its lease expires. */
export interface Claimed<E> extends DeliveryName {
  id: bigint;
  sequence: bigint | null;
  /** Null once the outcome is stored. */
  payload: Buffer | null;
  attempt: number;
  /** Not null: delivered or given up earlier, but not reported yet. */
  outcome: Outcome<E> | null;
  /** The time to give up has come. */
  late: boolean;
}

/** A row that this process took. `leasedUntil` is a time of `performance.now()`, in ms. */
export interface Taken<E> {
  claimed: Claimed<E>;
  lease: string;
  leasedUntil: number;
}

interface Row<E> {
  id: bigint;
  channel: string;
  endpoint: string;
  key: string;
  site: string;
  env: Environment;
  subject_id: string | null;
  sequence: bigint | null;
  payload: Buffer | null;
  attempts: number;
  outcome: Outcome<E> | null;
  late: boolean;
}

/**
 * A line: the deliveries to one endpoint about one subject, oldest first. Only its head, the oldest open row, is taken.
 */
export interface Line {
  endpoint: string;
  subjectId: string;
}

/** Statements by which the processes share the rows of one channel. Each takes only heads of lines. */
export class Claims<E> {
  constructor(
    private readonly queries: Queries,
    private readonly channel: string,
  ) {}

  /**
   * Endpoints with a due row, including rows that wait behind the head of their line. `isEmpty`: the channel has no open
   * row at all.
   */
  async dueEndpoints(): Promise<{ due: string[]; isEmpty: boolean }> {
    const rows = await this.queries.query<{ endpoint: string | null }>(DUE, [this.channel]);
    return { due: rows.flatMap(({ endpoint }) => endpoint ?? []), isEmpty: rows.length === 0 };
  }

  /** Takes due rows, of each endpoint at most as many as it has room for. `leaseMs`: how long this process holds them. */
  async claim(rooms: readonly Room[], lease: string, leaseMs: number): Promise<Claimed<E>[]> {
    const [endpoints, room] = [rooms.map(({ endpoint }) => endpoint), rooms.map((each) => each.room)];
    return claimed(await this.queries.query(CLAIM, [this.channel, lease, leaseMs / 1000, endpoints, room]));
  }

  /**
   * Takes the next row of each line, even if it was put off behind its head. A row that was tried before keeps its
   * time.
   */
  async claimNext(lines: readonly Line[], lease: string, leaseMs: number): Promise<Claimed<E>[]> {
    const [endpoints, subjects] = [lines.map(({ endpoint }) => endpoint), lines.map(({ subjectId }) => subjectId)];
    return claimed(await this.queries.query(CLAIM_NEXT, [this.channel, lease, leaseMs / 1000, endpoints, subjects]));
  }

  /** Puts rows back that this process took and did not send. A row that it holds no longer stays as it is. */
  async giveBack(rows: readonly { id: bigint; lease: string }[]): Promise<void> {
    const sorted = [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
    await this.queries.query(GIVE_BACK, [sorted.map(({ id }) => id), sorted.map(({ lease }) => lease)]);
  }

  /** Puts due rows off until the head of their line is due, so that processes do not examine them again and again. */
  async holdFollowers(endpoints: readonly string[]): Promise<void> {
    await this.queries.query(HOLD, [this.channel, endpoints]);
  }

  /** Makes rows due that were put off behind a head that has ended: the process that would have taken them next died. */
  async releaseHeads(): Promise<void> {
    await this.queries.query(RELEASE, [this.channel]);
  }

  /** Ends due rows to endpoints that were deleted. They are not sent. */
  async dropEndpoints(endpoints: readonly string[]): Promise<void> {
    await this.queries.query(DROP, [this.channel, endpoints]);
  }
}

const claimed = <E>(rows: Row<E>[]): Claimed<E>[] =>
  rows
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ site, env, subject_id: subjectId, attempts: attempt, ...row }) => ({
      ...row,
      scope: { site, env },
      subjectId,
      attempt,
    }));
