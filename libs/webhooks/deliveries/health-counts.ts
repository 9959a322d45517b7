import type { Queries } from '../../engines/database/database.js';
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

const HEALTH = {
  name: 'webhooks_health',
  text: `select count(*) filter (where state = 'ENABLED')::int as enabled, count(*) filter (where state = 'PAUSED')::int as paused,
           count(*) filter (where state = 'DISABLED')::int as disabled,
           count(*) filter (where state = 'ENABLED' and consecutive_failures >= ${FAILURES_TILL_ONE})::int as failing,
           count(*) filter (where state = 'ENABLED' and enqueued_through < 16 * webhooks.last_position(e.site, e.env))::int as behind
         from webhooks.endpoint e`,
};

export const webhookHealth = async (queries: Queries): Promise<WebhookHealth> =>
  (await queries.query<WebhookHealth>(HEALTH, []))[0]!;
