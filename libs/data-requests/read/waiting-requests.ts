import type { Queries } from '../../engines/database/database.js';
import type { Instant, Scope } from '../../kernel/index.js';
import { dataRequestsProjection } from './projection.js';

const WAITING = {
  name: 'data_requests_waiting',
  text: `select r.site, r.env, count(*)::int as open,
           count(*) filter (where due_at <= $3)::int as overdue,
           count(*) filter (where due_at > $3 and due_at <= $3::timestamptz + interval '7 days')::int as "dueWithin7Days"
         from unnest($1::text[], $2::text[]) as place(site, env)
         join read.${dataRequestsProjection.name} r on r.site = place.site and r.env = place.env
         where r.is_open group by r.site, r.env`,
};

/** Open data requests of a site and environment, counted. */
export interface WaitingRequests {
  open: number;
  overdue: number;
  dueWithin7Days: number;
}

/**
 * Of each place that has open requests how many. From rows, by one statement that costs as much as there are open ones.
 * Rejects with DependencyUnavailable.
 */
export const waitingRequests = (
  database: Queries,
  places: readonly Scope[],
  at: Instant,
): Promise<(Scope & WaitingRequests)[]> =>
  database.query(WAITING, [places.map(({ site }) => site), places.map(({ env }) => env), at]);
