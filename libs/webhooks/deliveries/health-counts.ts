import type { Queries } from '../../engines/database/database.js';
import type { Scope } from '../../kernel/index.js';
import { FAILURES_TILL_ONE } from './receivers.js';

/** How the endpoints of all sites do, for metrics: nothing that tells one from another. */
export interface WebhookHealth {
  enabled: number;
  paused: number;
  disabled: number;
  /** Enabled, and their receivers keep failing. */
  failing: number;
  /** Enabled, and there are events that are not even in their queue. */
  behind: number;
}

const BEHIND =
  "count(*) filter (where state = 'ENABLED' and enqueued_through < 16 * webhooks.last_position(e.site, e.env))::int";
const HEALTH = {
  name: 'webhooks_health',
  text: `select count(*) filter (where state = 'ENABLED')::int as enabled, count(*) filter (where state = 'PAUSED')::int as paused,
           count(*) filter (where state = 'DISABLED')::int as disabled,
           count(*) filter (where state = 'ENABLED' and consecutive_failures >= ${FAILURES_TILL_ONE})::int as failing,
           ${BEHIND} as behind
         from webhooks.endpoint e`,
};

export const webhookHealth = async (queries: Queries): Promise<WebhookHealth> =>
  (await queries.query<WebhookHealth>(HEALTH, []))[0]!;

/** Endpoints of a site and environment that do not get what they should. */
export interface EndpointTroubles {
  /** Their receivers keep failing, or they were disabled because of that. */
  failing: number;
  /** Enabled, and there are events that are not even in their queue. */
  behind: number;
}

const TROUBLES = {
  name: 'webhooks_troubles',
  text: `select e.site, e.env,
           count(*) filter (where state = 'ENABLED' and consecutive_failures >= ${FAILURES_TILL_ONE} or state = 'DISABLED' and disabled_reason is not null)::int as failing,
           ${BEHIND} as behind
         from unnest($1::text[], $2::text[]) as place(site, env)
         join webhooks.endpoint e on e.site = place.site and e.env = place.env
         group by e.site, e.env`,
};

/** Of each place that has endpoints. One statement. Rejects with DependencyUnavailable. */
export const endpointTroubles = (queries: Queries, places: readonly Scope[]): Promise<(Scope & EndpointTroubles)[]> =>
  queries.query(TROUBLES, [places.map(({ site }) => site), places.map(({ env }) => env)]);
