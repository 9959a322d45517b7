import { placesOf, TO_READ_SETTINGS, type OperatorRole } from '../../context/roles.js';
import type { Environment } from '../../kernel/index.js';
import type { Queries } from '../../engines/database/database.js';
import type { MasterKey } from '../../vault/master-key.js';
import { WEBHOOK_CHANNEL } from '../deliveries/channel.js';
import { openUrl } from '../sealed-fields.js';

/** More rows than this are only called many. */
const COUNTED_MAX = 10_000;
/** So many endpoints stand on the page; those that need an operator come first. */
export const SHOWN_MAX = 200;

/** An endpoint of any site, and how deliveries to it are going. */
export interface EndpointHealth {
  id: string;
  site: string;
  env: Environment;
  url: string;
  description: string | null;
  types: string[];
  state: 'ENABLED' | 'PAUSED' | 'DISABLED';
  disabledReason: string | null;
  consecutiveFailures: number;
  failingSince: Date | null;
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  /** Rows of the queue that are not finished; up to 10,000 are counted. */
  waiting: number;
  /** Whether there are events for it, or for others of its site, that are not even in the queue. */
  isBehind: boolean;
}

const SHOWN = {
  name: 'webhooks_page',
  text: `select e.id, e.site, e.env, e.url, e.description, e.types, e.state, e.disabled_reason as "disabledReason",
           e.consecutive_failures as "consecutiveFailures", e.failing_since as "failingSince",
           e.last_success_at as "lastSuccessAt", e.last_failure_at as "lastFailureAt",
           (select count(*) from (select from deliveries.delivery d
              where d.channel = '${WEBHOOK_CHANNEL}' and d.endpoint = e.id and d.finished_at is null limit ${COUNTED_MAX}) w)::int as waiting,
           coalesce(e.enqueued_through < 16 * webhooks.last_position(e.site, e.env), false) as "isBehind"
         from webhooks.endpoint e
         where ($1::text is null or e.id = $1)
           and (e.site || '/' || e.env = any($2::text[]) or '*/' || e.env = any($2::text[]))
         order by (e.state = 'DISABLED') desc, e.consecutive_failures desc, e.site, e.env, e.id limit ${SHOWN_MAX + 1}`,
};

/** Endpoints that the roles reach, those that fail first; with an id that one, or none. */
export async function endpointHealth(
  queries: Queries,
  master: Pick<MasterKey, 'openSecret'>,
  id: string | null,
  roles: readonly OperatorRole[],
): Promise<EndpointHealth[]> {
  const rows = await queries.query<EndpointHealth>(SHOWN, [id, placesOf(roles, TO_READ_SETTINGS)]);
  return rows.map((row) => ({ ...row, url: openUrl(master, row.id, row.url) }));
}
