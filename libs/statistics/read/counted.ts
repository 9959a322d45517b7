import { Injectable } from '@nestjs/common';
import { CONSENT_COUNTED, CONSENT_ROWS } from '../../consent/index.js';
import { countsViewOf } from '../../following/projections/read-table.js';
import type { Scope } from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import type { Day, Period } from '../calendar.js';
import { COUNTED, type Counted, type Counts } from '../view.js';

const CONSENT = countsViewOf(CONSENT_ROWS.name);
const SUMS = CONSENT_COUNTED.map((what) => `sum(${what})::int as ${what}`).join(', ');
const VERSION = {
  name: 'statistics-version',
  text: `select version from projection.generations where name = '${CONSENT_ROWS.name}' and live`,
};
const ASKED = 'site = $1 and env = $2 and purpose = $3 and day between $4 and $5';
const MONTH = `to_char(day, 'YYYY-MM-01')`;

/** Where counts come from: all countries by day, each country by month. */
const SOURCES = [
  { from: CONSENT, of: CONSENT_COUNTED, sums: SUMS },
  { from: 'write.shown_banners', of: ['shown'], sums: 'sum(shown)::int as shown' },
] as const;
const STATEMENTS = SOURCES.map(({ from, of, sums }, i) => ({
  of,
  byDay: {
    name: `statistics-days-${i}`,
    text: `select day::text as day, ${sums} from ${from} where ${ASKED} group by day`,
  },
  byCountry: {
    name: `statistics-countries-${i}`,
    text: `select ${MONTH} as day, country, ${sums} from ${from} where ${ASKED} group by ${MONTH}, country`,
  },
}));

type Row = { day: Day; country?: string } & Partial<Record<Counted, number>>;

/** The true counts of one purpose, before suppression. */
@Injectable()
export class CountedConsent {
  constructor(private readonly database: Database) {}

  /**
   * Counts of whole days; countries only if wanted. Rejects with DependencyUnavailable while the table holds the counts
   * of another release.
   */
  async of(
    { site, env }: Scope,
    purpose: string,
    { from, to }: Period,
    withCountries: boolean,
  ): Promise<Record<Counted, Counts>> {
    // The counts of another version may lack columns, and before the first version there is no view.
    const [live] = await this.database.query<{ version: number }>(VERSION, []);
    if (live?.version !== CONSENT_ROWS.version) throw new DependencyUnavailable('read model');
    const values = [site, env, purpose, from, to];
    const counts = emptyCounts();
    await Promise.all(
      STATEMENTS.map(async ({ of, byDay, byCountry }) => {
        const [days, countries] = await Promise.all([
          this.database.query<Row>(byDay, values),
          withCountries ? this.database.query<Row>(byCountry, values) : [],
        ]);
        for (const what of of) fill(counts[what], what, days, countries);
      }),
    );
    return counts;
  }
}

interface FilledCounts extends Counts {
  byDay: Map<Day, number>;
  byCountry: Map<Day, Map<string, number>>;
}

const emptyCounts = (): Record<Counted, FilledCounts> =>
  Object.fromEntries(COUNTED.map((what) => [what, { byDay: new Map(), byCountry: new Map() }])) as unknown as Record<
    Counted,
    FilledCounts
  >;

function fill(
  { byDay, byCountry }: FilledCounts,
  what: Counted,
  days: readonly Row[],
  countries: readonly Row[],
): void {
  for (const row of days) byDay.set(row.day, row[what]!);
  for (const row of countries) {
    const month = byCountry.get(row.day) ?? new Map<string, number>();
    byCountry.set(row.day, month.set(row.country!, row[what]!));
  }
}
