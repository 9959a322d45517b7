import { CONSENT_ROWS, SPLIT_OF_ALL } from '../../consent/index.js';
import type { Queries } from '../../engines/database/database.js';
import { countsViewOf } from '../../following/projections/read-table.js';
import type { Environment, Instant, Scope } from '../../kernel/index.js';
import type { Day } from '../calendar.js';
import { grantShare, shareWindows, type DecidedByDay, type GrantShare } from '../grant-share.js';
import { lastDay } from '../view.js';

// By purpose, so that each is found by the beginning of the primary key, however many years are counted.
const DECIDED = {
  name: 'statistics_grant_shares',
  text: `select place.site, place.env, decided.days
         from unnest($1::text[], $2::text[], $3::text[], $4::date[], $5::date[]) as place(site, env, purpose, first, last)
         cross join lateral (
           select json_agg(json_build_array(day, grants, refusals)) as days from (
             select day, sum(grants) as grants, sum(refusals) as refusals from ${countsViewOf(CONSENT_ROWS.name)} c
             where c.site = place.site and c.env = place.env and c.purpose = place.purpose and c.split = '${SPLIT_OF_ALL}' and c.day between place.first and place.last
             group by day having sum(grants) + sum(refusals) > 0
           ) by_day
         ) decided
         where decided.days is not null`,
};

/**
 * The share of grants of each place in which something was decided on these purposes. One statement. Rejects with
 * DependencyUnavailable.
 */
export async function grantShares(
  database: Queries,
  purposes: readonly (Scope & { purpose: string })[],
  at: Instant,
): Promise<(Scope & GrantShare)[]> {
  const lasts = { test: lastDay('test', at), live: lastDay('live', at) };
  const windows = { test: shareWindows(lasts.test), live: shareWindows(lasts.live) };
  const rows = await database.query<{ site: string; env: Environment; days: [Day, number, number][] }>(DECIDED, [
    purposes.map(({ site }) => site),
    purposes.map(({ env }) => env),
    purposes.map(({ purpose }) => purpose),
    purposes.map(({ env }) => windows[env].first),
    purposes.map(({ env }) => lasts[env]),
  ]);
  const places = new Map<string, Scope & { decided: DecidedByDay[] }>();
  for (const { site, env, days } of rows) {
    const name = `${site} ${env}`;
    const place = places.get(name) ?? { site, env, decided: [] };
    places.set(name, place);
    place.decided.push({
      grants: new Map(days.map(([day, grants]) => [day, grants])),
      refusals: new Map(days.map(([day, , refusals]) => [day, refusals])),
    });
  }
  return [...places.values()].map(({ site, env, decided }) => ({ site, env, ...grantShare(decided, windows[env]) }));
}
