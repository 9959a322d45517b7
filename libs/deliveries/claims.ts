import type { Environment } from '../kernel/index.js';
import type { Queries } from '../engines/database/database.js';
import type { DeliveryName, Outcome } from './delivery.js';
import type { Room } from './room.js';

/** So many followers are put off at once. */
const HELD_AT_ONCE = 1_000;
const DROPPED_AT_ONCE = 1_000;

/**
 * Of the oldest open row to the same endpoint about the same subject some column: only that row may be taken. A scalar
 * subselect and no join, which would be planned for the table as it first was, empty; channel and endpoint as the index
 * of lines has them.
 */
const HEAD = (row: string, column: string): string =>
  `(select e.${column} from deliveries.delivery e
    where e.subject_id = ${row}.subject_id and (e.channel || ' ' || e.endpoint) = (${row}.channel || ' ' || ${row}.endpoint)
      and e.finished_at is null order by e.id limit 1)`;
const IS_HEAD = (row: string): string => `(${row}.subject_id is null or ${row}.id = ${HEAD(row, 'id')})`;

// Looks from one endpoint to the next in the index instead of reading the rows of each.
const DUE = {
  name: 'deliveries_due_endpoints',
  text: `with recursive waiting as (
           (select endpoint from deliveries.delivery where channel = $1 and finished_at is null order by endpoint limit 1)
           union all
           select (select d.endpoint from deliveries.delivery d
                   where d.channel = $1 and d.finished_at is null and d.endpoint > w.endpoint order by d.endpoint limit 1)
           from waiting w where w.endpoint is not null
         )
         select endpoint from waiting w
         where endpoint is not null and now() >= (
           select d.due_at from deliveries.delivery d
           where d.channel = $1 and d.endpoint = w.endpoint and d.finished_at is null order by d.due_at limit 1)`,
};

const TAKE = `update deliveries.delivery
         set lease = $2, due_at = now() + make_interval(secs => $3), attempts = attempts + case when outcome is null then 1 else 0 end`;
const TAKEN = `returning id, channel, endpoint, key, site, env, subject_id, sequence, payload, attempts, outcome, coalesce(give_up_at <= now(), false) as late`;

// A claimed row is due again when its lease runs out: whoever was killed is replaced without anybody having to notice.
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

/** A row that is ours until its lease runs out. */
export interface Claimed<E> extends DeliveryName {
  id: bigint;
  sequence: bigint | null;
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
  sequence: bigint | null;
  payload: Buffer | null;
  attempts: number;
  outcome: Outcome<E> | null;
  late: boolean;
}

/** The deliveries about one subject to one endpoint. */
export interface Line {
  endpoint: string;
  subjectId: string;
}

/** Whose turn it is among the rows of one channel. Of each line only the oldest open row is ever taken. */
export class Claims<E> {
  constructor(
    private readonly queries: Queries,
    private readonly channel: string,
  ) {}

  /** Endpoints with a row that is due, also where it may not be taken yet because of the line before it. */
  async dueEndpoints(): Promise<string[]> {
    return (await this.queries.query<{ endpoint: string }>(DUE, [this.channel])).map(({ endpoint }) => endpoint);
  }

  /** Takes what is due, of each endpoint as much as there is room for. */
  async claim(rooms: readonly Room[], lease: string, leaseMs: number): Promise<Claimed<E>[]> {
    const [endpoints, room] = [rooms.map(({ endpoint }) => endpoint), rooms.map((each) => each.room)];
    return claimed(await this.queries.query(CLAIM, [this.channel, lease, leaseMs / 1000, endpoints, room]));
  }

  /** Takes the next row of each line, which its head may have put off. Rows that were tried before keep their time. */
  async claimNext(lines: readonly Line[], lease: string, leaseMs: number): Promise<Claimed<E>[]> {
    const [endpoints, subjects] = [lines.map(({ endpoint }) => endpoint), lines.map(({ subjectId }) => subjectId)];
    return claimed(await this.queries.query(CLAIM_NEXT, [this.channel, lease, leaseMs / 1000, endpoints, subjects]));
  }

  /** Puts rows off until the head of their line is due, so that they are not looked at again and again. */
  async holdFollowers(endpoints: readonly string[]): Promise<void> {
    await this.queries.query(HOLD, [this.channel, endpoints]);
  }

  /** Makes due what was put off behind a head that has ended since: whoever was to take it died in between. */
  async releaseHeads(): Promise<void> {
    await this.queries.query(RELEASE, [this.channel]);
  }

  /** Ends what is due to endpoints that are no more, unsent. */
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
