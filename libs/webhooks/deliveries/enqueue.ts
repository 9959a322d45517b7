import { DELIVERIES } from '../../deliveries/queue.js';
import type { Queries } from '../../engines/database/database.js';
import { WEBHOOK_CHANNEL } from './channel.js';

/**
 * How many rows of an endpoint may be ready to go. What waits longer than a minute for another attempt, and what is held
 * behind that, does not count: a subject that fails does not hold up the others.
 */
export const READY_MAX = 1_000;
/** How many rows of an endpoint may be open altogether: the rest of a long backlog is a cursor. */
export const OPEN_MAX = 10_000;
/** Rows that one round may add over all endpoints, but at least so many of each. */
const ROUND_MAX = 5_000;
const SHARE_MIN = 20;

/** What a round did for one endpoint, or for one replay to it. */
export interface EnqueuedFor {
  endpoint: string;
  /** How many events it could look at; 0: its queue was full; null: somebody else had its row at that moment. */
  room: number | null;
  /** How many it looked at. */
  scanned: number;
  /** How many rows it made of them. */
  enqueued: number;
  /** Whether even rows that wait for other attempts are too many. */
  isFull: boolean;
}

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
  select counted.*, greatest(0, least(${READY_MAX} - ready, ${OPEN_MAX} - open,
    greatest(${SHARE_MIN}, ${ROUND_MAX} / (select count(*) from due)::int))) as room
  from counted
)`;

const RECEIVES = `e.state = 'ENABLED' and e.gone_at is null`;
/** `$1`: endpoints that are left out this time. */
const OPEN_ENDPOINT = `${RECEIVES} and e.id <> all($1::text[])`;
const BEHIND = `e.enqueued_through < (
  select v.sequence from webhooks.event v where v.site = e.site and v.env = e.env order by v.sequence desc limit 1)`;
const NAMES = `array['*', s.type, split_part(s.type, '.', 1) || '.*']`;
const INSERTED = `on conflict (channel, endpoint, key) do nothing returning endpoint`;
const TOLD = `told as (select pg_notify('${DELIVERIES}', '${WEBHOOK_CHANNEL}') where exists (select from enqueued))`;
const ANSWER = `seen.endpoint, r.room, coalesce(r.open >= ${OPEN_MAX}, false) as "isFull", (select count(*) from told) as told`;

// Rivals skip the rows of endpoints that one of them has, and find the cursor moved when they get them. Whatever the
// statement sees of the events is a beginning of them, because one writer commits them in the order of their sequence.
const NEW = {
  name: 'webhooks_enqueue_new',
  text: `with seen as materialized (
           select e.id as endpoint from webhooks.endpoint e where ${OPEN_ENDPOINT} and ${BEHIND}
         ), due as materialized (
           select e.id as endpoint, e.site, e.env, e.types, e.enqueued_through as after from webhooks.endpoint e
           where e.id = any(array(select endpoint from seen)) and ${OPEN_ENDPOINT} and ${BEHIND}
           for update skip locked
         ), ${COUNTED}, scanned as materialized (
           select r.endpoint, r.site, r.env, r.types, v.* from roomy r
           cross join lateral (
             select v.sequence, v.id, v.type, v.subject_id, v.endpoint as only_for from webhooks.event v
             where v.site = r.site and v.env = r.env and v.sequence > r.after order by v.sequence limit r.room
           ) v
         ), enqueued as (
           insert into deliveries.delivery (channel, endpoint, key, sequence, site, env, subject_id, payload)
           select '${WEBHOOK_CHANNEL}', s.endpoint, s.id, s.sequence, s.site, s.env, s.subject_id, '' from scanned s
           where s.only_for = s.endpoint or s.only_for is null and s.types && ${NAMES}
           order by s.endpoint, s.sequence ${INSERTED}
         ), moved as (
           update webhooks.endpoint e set enqueued_through = m.through
           from (select endpoint, max(sequence) as through from scanned group by endpoint) m where e.id = m.endpoint
         ), ${TOLD}
         select ${ANSWER},
           (select count(*) from scanned s where s.endpoint = seen.endpoint)::int as scanned,
           (select count(*) from enqueued q where q.endpoint = seen.endpoint)::int as enqueued
         from seen left join roomy r on r.endpoint = seen.endpoint`,
};

// A replay sends again what its endpoint is sent anyway, or of that what it names. Its rows are rows of their own.
const AGAIN = {
  name: 'webhooks_enqueue_again',
  text: `with seen as materialized (
           select distinct on (p.endpoint) p.id as replay, p.endpoint from webhooks.replay p join webhooks.endpoint e on e.id = p.endpoint
           where p.finished_at is null and ${OPEN_ENDPOINT} order by p.endpoint, p.requested_at, p.id
         ), due as materialized (
           select p.id as replay, p.endpoint, e.site, e.env, e.types, p.types as named, p.cursor as after, p.through_sequence as through
           from webhooks.replay p join webhooks.endpoint e on e.id = p.endpoint
           where p.id = any(array(select replay from seen)) and p.finished_at is null
           for update of p skip locked
         ), ${COUNTED}, scanned as materialized (
           select r.replay, r.endpoint, r.site, r.env, r.types, r.named, v.* from roomy r
           cross join lateral (
             select v.sequence, v.id, v.type, v.subject_id, v.endpoint as only_for from webhooks.event v
             where v.site = r.site and v.env = r.env and v.sequence > r.after and v.sequence <= r.through order by v.sequence limit r.room
           ) v
         ), enqueued as (
           insert into deliveries.delivery (channel, endpoint, key, sequence, site, env, subject_id, payload)
           select '${WEBHOOK_CHANNEL}', s.endpoint, s.id || ' ' || s.replay, s.sequence, s.site, s.env, s.subject_id, '' from scanned s
           where s.only_for is null and s.types && ${NAMES} and (s.named is null or s.named && ${NAMES})
           order by s.endpoint, s.sequence ${INSERTED}
         ), moved as (
           update webhooks.replay p
           set cursor = coalesce(m.through, p.cursor), finished_at = case when m.scanned < m.room then now() end
           from (select r.replay, r.room, count(s.sequence) as scanned, max(s.sequence) as through
                 from roomy r left join scanned s on s.replay = r.replay group by r.replay, r.room) m
           where p.id = m.replay
         ), ${TOLD}
         select ${ANSWER},
           (select count(*) from scanned s where s.replay = seen.replay)::int as scanned,
           (select count(*) from enqueued q where q.endpoint = seen.endpoint)::int as enqueued
         from seen left join roomy r on r.replay = seen.replay`,
};

const SCOPES = {
  name: 'webhooks_scopes_told',
  text: `select distinct e.site || '.' || e.env as scope from webhooks.endpoint e where ${RECEIVES}`,
};

/** The sites and environments with endpoints that are told anything, as `<site>.<env>`. */
export async function scopesTold(queries: Queries): Promise<Set<string>> {
  return new Set((await queries.query<{ scope: string }>(SCOPES, [])).map(({ scope }) => scope));
}

/**
 * Makes deliveries of what came after the cursor of each endpoint, as far as there is room, and moves the cursors: both or
 * none. Any number of processes may do it at once. Endpoints that are paused, disabled or excepted stay where they are.
 */
export const enqueueNew = (queries: Queries, except: readonly string[]): Promise<EnqueuedFor[]> =>
  queries.query<EnqueuedFor>(NEW, [except]);

/** The same for what endpoints are to be sent again; of several replays to one endpoint the oldest first. */
export const enqueueAgain = (queries: Queries, except: readonly string[]): Promise<EnqueuedFor[]> =>
  queries.query<EnqueuedFor>(AGAIN, [except]);
