import { DELIVERIES } from '../../deliveries/queue.js';
import type { Environment } from '../../kernel/index.js';
import type { Queries, Statement } from '../../engines/database/database.js';
import type { WebhookEvents } from '../webhook-events.js';
import { deliveryKeyOf } from './delivery-id.js';
import { TEST_WEBHOOK } from '../endpoint-announcements.js';
import { WEBHOOK_CHANNEL } from './channel.js';

/**
 * How many rows of an endpoint may be ready to go. What waits longer than a minute for another attempt, and what is held
 * behind that, does not count: a subject that fails does not hold up the others.
 */
export const READY_MAX = 1_000;
/** Rows are added when so many or fewer are ready: a round counts all of them, so it should add many. */
const REFILLED_AT = 750;
/** How many rows of an endpoint may be open altogether: the rest of a long backlog is a cursor. */
export const OPEN_MAX = 10_000;
/** Rows that one round may add over all endpoints, but at least so many of each. */
const ROUND_MAX = 5_000;
const SHARE_MIN = 20;

/** What a round did for one endpoint, or for one replay to it. */
export interface EnqueuedFor {
  endpoint: string;
  /** How many events of the log it could look at; 0: its queue was full; null: another process had its row, or has done it. */
  room: number | null;
  /** How many events of the log it looked at. */
  scanned: number;
  /** How many rows it made of them. */
  enqueued: number;
  /** Whether even rows that wait for other attempts are too many. */
  isFull: boolean;
}

/** Types that are sent to one endpoint alone, which their events name, whatever types it wants. */
const FOR_ONE: readonly string[] = [TEST_WEBHOOK];

const COUNTED = `counted as (
  select due.*,
    (select count(*) from (
       select from deliveries.delivery d where d.channel = '${WEBHOOK_CHANNEL}' and d.endpoint = due.endpoint and d.finished_at is null
         and d.due_at <= now() + interval '1 minute' limit ${READY_MAX}) r)::int as ready,
    (select count(*) from (
       select from deliveries.delivery d where d.channel = '${WEBHOOK_CHANNEL}' and d.endpoint = due.endpoint and d.finished_at is null
       limit ${OPEN_MAX}) o)::int as open
  from due
), roomy as (
  select counted.*, case when ready > ${REFILLED_AT} then 0 else greatest(0, least(${READY_MAX} - ready, ${OPEN_MAX} - open,
    greatest(${SHARE_MIN}, ${ROUND_MAX} / (select count(*) from due)::int))) end as room
  from counted
)`;

const RECEIVES = `e.state = 'ENABLED' and e.gone_at is null`;
/** `$1`: endpoints that are left out this time. */
const OPEN_ENDPOINT = `${RECEIVES} and e.id <> all($1::text[])`;
const NAMES = `array['*', a.type, split_part(a.type, '.', 1) || '.*']`;
const NOTIFIED = `notified as (select pg_notify('${DELIVERIES}', '${WEBHOOK_CHANNEL}') where exists (select from enqueued))`;

/**
 * The rest of a statement that looks at what came after the cursor of each `due`: which webhook events are wanted of the
 * events that there is room for, and up to where that was looked at. Whatever the statement sees of the events is a
 * beginning of them, because one writer commits them in their order.
 */
const looked = (within: string, wanted: string): string => `${COUNTED}, scanned as materialized (
  select r.*, v.position, v.kind from roomy r
  join webhooks.scope o on o.site = r.site and o.env = r.env
  cross join lateral (
    select v.position, v.kind from webhooks.event v
    where v.scope = o.number and v.position >= (r.after + 1) >> 4 ${within} order by v.position limit r.room
  ) v
), matching as materialized (
  select s.*, s.position * 16 + a.n - 1 as sequence, a.type from scanned s join webhooks.kind k on k.number = s.kind
  cross join lateral unnest(k.types) with ordinality as a(type, n) where a.type is not null
), wanted as (
  select a.cursor, array_agg(a.sequence::float8 order by a.sequence) as sequences from matching a
  where a.sequence > a.after and ${wanted} group by a.cursor
)
select r.cursor, r.endpoint, r.site, r.env, r.after, r.room, coalesce(r.open >= ${OPEN_MAX}, false) as "isFull",
  (select count(*) from scanned s where s.cursor = r.cursor)::int as scanned,
  (select max(s.position) * 16 + 15 from scanned s where s.cursor = r.cursor) as through,
  coalesce(w.sequences, '{}') as sequences
from roomy r left join wanted w on w.cursor = r.cursor`;

const LOOK_NEW: Statement = {
  name: 'webhooks_enqueue_new',
  text: `with due as materialized (
           select e.id as cursor, e.id as endpoint, e.site, e.env, e.types, e.enqueued_through as after from webhooks.endpoint e
           where ${OPEN_ENDPOINT} and e.enqueued_through < 16 * webhooks.last_position(e.site, e.env)
         ), ${looked('', `(a.type = any($2) or a.types && ${NAMES})`)}`,
};

// A replay sends again what its endpoint is sent anyway, or of that what it names. Of several to one endpoint, the oldest
// comes first.
const LOOK_AGAIN: Statement = {
  name: 'webhooks_enqueue_again',
  text: `with due as materialized (
           select distinct on (p.endpoint) p.id as cursor, p.endpoint, e.site, e.env, e.types, p.types as named, p.cursor as after, p.through_sequence as last
           from webhooks.replay p join webhooks.endpoint e on e.id = p.endpoint
           where p.finished_at is null and ${OPEN_ENDPOINT} order by p.endpoint, p.requested_at, p.id
         ), ${looked(
           'and v.position <= r.last >> 4',
           `a.sequence <= a.last and a.type <> all($2) and a.types && ${NAMES} and (a.named is null or a.named && ${NAMES})`,
         )}`,
};

/** Where each cursor stood when it was looked at, and where it moves: `$1` to `$3`. The deliveries: `$4` to `$7`. */
const MADE = `unnest($1::text[], $2::bigint[], $3::bigint[]) as m(cursor, after, through)`;
const ENQUEUED = `enqueued as (
  insert into deliveries.delivery (channel, endpoint, key, sequence, site, env, subject_id, payload)
  select '${WEBHOOK_CHANNEL}', d.endpoint, w.key, w.sequence, d.site, d.env, w.subject_id, ''
  from due d join unnest($4::text[], $5::text[], $6::bigint[], $7::text[]) as w(cursor, key, sequence, subject_id) on w.cursor = d.cursor
  order by d.endpoint, w.sequence on conflict (channel, endpoint, key) do nothing returning endpoint
)`;
const ANSWER = `select d.cursor, (select count(*) from enqueued q where q.endpoint = d.endpoint)::int as enqueued, (select count(*) from notified) as notified from due d`;

// Nothing is locked between the look and this: a cursor that a rival has moved since is left to the rival.
const ADD_NEW: Statement = {
  name: 'webhooks_enqueue_new_add',
  text: `with due as materialized (
           select e.id as cursor, e.id as endpoint, e.site, e.env, m.through from ${MADE}
           join webhooks.endpoint e on e.id = m.cursor and e.enqueued_through = m.after where ${RECEIVES}
           for update of e skip locked
         ), ${ENQUEUED}, moved as (
           update webhooks.endpoint e set enqueued_through = d.through from due d where e.id = d.cursor
         ), ${NOTIFIED} ${ANSWER}`,
};
/** `$8`: whether it is over. */
const ADD_AGAIN: Statement = {
  name: 'webhooks_enqueue_again_add',
  text: `with due as materialized (
           select p.id as cursor, p.endpoint, e.site, e.env, m.through, p.id = any($8::text[]) as is_over from ${MADE}
           join webhooks.replay p on p.id = m.cursor and p.cursor = m.after join webhooks.endpoint e on e.id = p.endpoint
           where p.finished_at is null for update of p skip locked
         ), ${ENQUEUED}, moved as (
           update webhooks.replay p set cursor = d.through, finished_at = case when d.is_over then now() end
           from due d where p.id = d.cursor
         ), ${NOTIFIED} ${ANSWER}`,
};

const SCOPES = {
  name: 'webhooks_scopes_notified',
  text: `select distinct e.site || '.' || e.env as scope from webhooks.endpoint e where ${RECEIVES}`,
};

/** The sites and environments with endpoints that receive anything, as `<site>.<env>`. */
export async function scopesNotified(queries: Queries): Promise<Set<string>> {
  return new Set((await queries.query<{ scope: string }>(SCOPES, [])).map(({ scope }) => scope));
}

/** What was seen after a cursor: that of an endpoint, or of a replay to it. */
interface Looked {
  /** `whe_…` or `whr_…` */
  cursor: string;
  endpoint: string;
  site: string;
  env: Environment;
  after: bigint;
  room: number;
  isFull: boolean;
  scanned: number;
  through: bigint | null;
  sequences: number[];
}

/**
 * Makes deliveries of what came after the cursor of each endpoint, as far as there is room, and moves the cursors: both or
 * none. Any number of processes may do it at once. Endpoints that are paused, disabled or excepted stay where they are.
 * Rejects with DependencyUnavailable and LogUnavailable.
 */
export async function enqueueNew(
  queries: Queries,
  events: WebhookEvents,
  except: readonly string[],
): Promise<EnqueuedFor[]> {
  const looked = await queries.query<Looked>(LOOK_NEW, [except, FOR_ONE]);
  const seen = looked.filter(({ scanned }) => scanned > 0);
  const made = await deliveriesOf(events, seen, (eventId) => eventId);
  return enqueuedFor(looked, seen, await added(queries, ADD_NEW, seen, made, []));
}

/** The same for what endpoints are to be sent again; of several replays to one endpoint the oldest first. */
export async function enqueueAgain(
  queries: Queries,
  events: WebhookEvents,
  except: readonly string[],
): Promise<EnqueuedFor[]> {
  const looked = await queries.query<Looked>(LOOK_AGAIN, [except, FOR_ONE]);
  const seen = looked.filter(({ room }) => room > 0);
  const over = seen.filter(({ scanned, room }) => scanned < room).map(({ cursor }) => cursor);
  const made = await deliveriesOf(events, seen, (eventId, replayId) => deliveryKeyOf({ eventId, replayId }));
  return enqueuedFor(looked, seen, await added(queries, ADD_AGAIN, seen, made, [over]));
}

interface NewDelivery {
  cursor: string;
  key: string;
  sequence: number;
  subjectId: string | null;
}

/** What the log holds no more is sent to no endpoint. */
async function deliveriesOf(
  events: WebhookEvents,
  looked: readonly Looked[],
  keyOf: (eventId: string, cursor: string) => string,
): Promise<NewDelivery[]> {
  const sought = looked.flatMap(({ cursor, endpoint, site, env, sequences }) =>
    sequences.map((sequence) => ({ cursor, endpoint, site, env, sequence })),
  );
  const found = await events.find(sought);
  return sought.flatMap(({ cursor, endpoint, sequence }, i) => {
    const event = found[i];
    if (!event || (event.endpoint !== null && event.endpoint !== endpoint)) return [];
    const { id, subject } = event.envelope;
    return [{ cursor, key: keyOf(id, cursor), sequence, subjectId: subject?.id ?? null }];
  });
}

/** Answers how many were made, by the cursor; those of cursors that rivals have moved are missing. */
async function added(
  queries: Queries,
  statement: Statement,
  seen: readonly Looked[],
  made: readonly NewDelivery[],
  more: readonly unknown[],
): Promise<ReadonlyMap<string, number>> {
  if (seen.length === 0) return new Map();
  const rows = await queries.query<{ cursor: string; enqueued: number }>(statement, [
    seen.map(({ cursor }) => cursor),
    seen.map(({ after }) => String(after)),
    seen.map(({ after, through }) => String(through ?? after)),
    made.map(({ cursor }) => cursor),
    made.map(({ key }) => key),
    made.map(({ sequence }) => sequence),
    made.map(({ subjectId }) => subjectId),
    ...more,
  ]);
  return new Map(rows.map(({ cursor, enqueued }) => [cursor, enqueued]));
}

function enqueuedFor(
  looked: readonly Looked[],
  seen: readonly Looked[],
  enqueued: ReadonlyMap<string, number>,
): EnqueuedFor[] {
  const moved = new Set(seen);
  return looked.map((each) => {
    const { cursor, endpoint, room, scanned, isFull } = each;
    if (moved.has(each) && !enqueued.has(cursor)) return { endpoint, room: null, scanned: 0, enqueued: 0, isFull };
    return { endpoint, room, scanned, enqueued: enqueued.get(cursor) ?? 0, isFull };
  });
}
