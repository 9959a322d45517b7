import type { Queries } from '../../engines/database/database.js';
import { DELIVERIES } from '../../deliveries/queue.js';
import { WEBHOOK_CHANNEL } from './channel.js';

const OPENED = `finished_at = null, settled_at = null, outcome = null, payload = coalesce(payload, ''), lease = null, due_at = now(),
         attempts = case when finished_at is null then attempts else 0 end`;
const NOTIFIED = `select count(*)::int as opened, (select count(*) from (select pg_notify('${DELIVERIES}', '${WEBHOOK_CHANNEL}') where exists (select from opened)) n) as notified from opened`;

// With it the one that it waits behind, if any: the oldest open one to the endpoint about the same subject (columns as the
// index of lines has them). One that is on its way at this moment is left alone.
const RETRY = {
  name: 'webhooks_retry_delivery',
  text: `with asked as (
           select id, channel, endpoint, subject_id from deliveries.delivery
           where channel = '${WEBHOOK_CHANNEL}' and endpoint = $1 and key = $2
         ), head as (
           select e.id from asked a
           cross join lateral (
             select d.id from deliveries.delivery d
             where d.subject_id = a.subject_id and (d.channel || ' ' || d.endpoint) = (a.channel || ' ' || a.endpoint) and d.finished_at is null
             order by d.id limit 1
           ) e
         ), opened as (
           update deliveries.delivery set ${OPENED}
           where id = any(array(select id from asked union select id from head)) and (finished_at is not null or outcome is null and (lease is null or due_at <= now()))
           returning id
         ) ${NOTIFIED}`,
};
const REOPEN = {
  name: 'webhooks_reopen_deliveries',
  text: `with opened as (
           update deliveries.delivery set ${OPENED}
           where channel = '${WEBHOOK_CHANNEL}' and endpoint = $1 and finished_at >= $2 and outcome->>'outcome' = 'failed'
           returning id
         ) ${NOTIFIED}`,
};

interface Opened {
  opened: number;
}

/**
 * Makes one delivery due at once, whether it waits, was given up or arrived; and what it waits behind, since deliveries about
 * a subject keep their order. `key`: see `delivery-id.ts`. Answers whether anything was made due.
 */
export const retryDelivery = async (queries: Queries, endpoint: string, key: string): Promise<boolean> =>
  (await queries.query<Opened>(RETRY, [endpoint, key]))[0]!.opened > 0;

/** Opens again what was given up at an endpoint since that moment. Answers how much it was. */
export const reopenGivenUp = async (queries: Queries, endpoint: string, since: Date): Promise<number> =>
  (await queries.query<Opened>(REOPEN, [endpoint, since]))[0]!.opened;
