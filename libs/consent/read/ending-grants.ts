import type { Queries } from '../../engines/database/database.js';
import { countsViewOf } from '../../following/projections/read-table.js';
import type { Instant, Scope } from '../../kernel/index.js';
import { CONSENT_ROWS, SPLIT_OF_ALL } from '../counts.js';

/** Grants that end within so many days are to be renewed. */
export const RENEWED_WITHIN_DAYS = 30;

// By purpose, so that each is found by the beginning of the primary key, however many years are counted.
const ENDING = {
  name: 'consent_ending_grants',
  text: `select place.site, place.env, sum(counted.ending)::int as ending
         from unnest($1::text[], $2::text[], $3::text[]) as place(site, env, purpose)
         cross join lateral (
           select sum(expiries) as ending from ${countsViewOf(CONSENT_ROWS.name)} c
           where c.site = place.site and c.env = place.env and c.purpose = place.purpose and c.split = '${SPLIT_OF_ALL}'
             and c.day between $4::date and $4::date + ${RENEWED_WITHIN_DAYS - 1}
         ) counted
         where counted.ending > 0 group by place.site, place.env`,
};

/**
 * Of each place how many grants end within RENEWED_WITHIN_DAYS, today among them, for these purposes. Exact: for readers who
 * may see persons only. One statement. Rejects with DependencyUnavailable.
 */
export const endingGrants = (
  database: Queries,
  purposes: readonly (Scope & { purpose: string })[],
  at: Instant,
): Promise<(Scope & { ending: number })[]> =>
  database.query(ENDING, [
    purposes.map(({ site }) => site),
    purposes.map(({ env }) => env),
    purposes.map(({ purpose }) => purpose),
    at.slice(0, 10),
  ]);
