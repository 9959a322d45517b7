import { Injectable } from '@nestjs/common';
import {
  CONSENT_COUNTED,
  CONSENT_ROWS,
  IMPORTED_COUNTED,
  SPLIT_OF_ALL,
  type ConsentSplit,
} from '../../consent/index.js';
import { countsViewOf } from '../../following/projections/read-table.js';
import type { Scope } from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import type { Day, Period } from '../calendar.js';
import { COUNTED, VERSIONS, type Counted, type Counts, type Imported, type PurposeCounts } from '../view.js';

const CONSENT = countsViewOf(CONSENT_ROWS.name);
const VERSION = {
  name: 'statistics-version',
  text: `select version from projection.generations where name = '${CONSENT_ROWS.name}' and live`,
};
/** By purpose, so that each is found by the beginning of the primary key, however many years are counted. */
const ASKED = 'site = $1 and env = $2 and purpose = any($3::text[]) and day between $4 and $5';
const MONTH = `to_char(day, 'YYYY-MM-01')`;
const SHOWN = 'sum(shown)::int as shown';
/** The splits that banners are counted by, and their columns. */
const SHOWN_BY: Readonly<Partial<Record<ConsentSplit, string>>> = {
  country: 'country',
  locale: 'locale',
  bannerVersion: 'banner_version::text',
};

/** What is counted, of which source. Expiries are counted by country alone, and as those of any grant. */
const columnsOf = (imported: Imported, split: ConsentSplit | null): readonly Counted[] =>
  imported === 'only'
    ? IMPORTED_COUNTED
    : CONSENT_COUNTED.filter((what) => what !== 'expiries' || split === null || split === SPLIT_OF_ALL);

interface Source {
  of: readonly Counted[];
  from: string;
  sums: string;
  /** The values of a split; null where they are not counted. */
  value: string | null;
  /** Where the rows are that count all, and those of a split. */
  whereAll: string;
  whereSplit: string;
}

/** Where the counts of a question come from. Fixed words only: nothing that a caller wrote stands in a statement. */
function sourcesOf(imported: Imported, split: ConsentSplit | null): Source[] {
  const of = columnsOf(imported, split);
  const sums = of.map((what) => `sum(${imported === 'only' ? 'imported_' : ''}${what})::int as ${what}`).join(', ');
  const consent: Source = {
    ...{ of, from: CONSENT, sums, value: 'value' },
    whereAll: `and split = '${SPLIT_OF_ALL}'`,
    whereSplit: `and split = '${split}'`,
  };
  const value = split === null ? null : (SHOWN_BY[split] ?? null);
  const banners: Source = {
    ...{ of: ['shown'], from: 'write.shown_banners', sums: SHOWN, value },
    ...{ whereAll: '', whereSplit: '' },
  };
  return imported === 'without' && (split === null || value !== null) ? [consent, banners] : [consent];
}

type Row = { purpose: string; day: Day; value?: string } & Partial<Record<Counted, number>>;

/** The true counts of purposes, before suppression. */
@Injectable()
export class CountedConsent {
  constructor(private readonly database: Database) {}

  /**
   * Counts of whole days, by purpose; of the values of a split if one is wanted. Rejects with DependencyUnavailable while
   * the table holds the counts of another release.
   */
  async of(
    { site, env }: Scope,
    purposes: readonly string[],
    { from, to }: Period,
    split: ConsentSplit | null,
    imported: Imported,
  ): Promise<Map<string, PurposeCounts>> {
    // The counts of another version may lack columns, and before the first version there is no view.
    const [live] = await this.database.query<{ version: number }>(VERSION, []);
    if (live?.version !== CONSENT_ROWS.version) throw new DependencyUnavailable('read model');
    const values = [site, env, purposes, from, to];
    const sources = sourcesOf(imported, split);
    const counts = new Map(purposes.map((purpose) => [purpose, emptyCounts(sources.flatMap(({ of }) => of))]));
    const ask = async (
      source: Source,
      statement: string,
      name: string,
      fill: (counts: Filled, row: Row, count: number) => void,
    ) => {
      const text = `select purpose, ${statement}`;
      const rows = await this.database.query<Row>(
        { name: `statistics-${imported}-${source.from === CONSENT ? 'consent' : 'shown'}-${name}`, text },
        values,
      );
      for (const row of rows) for (const what of source.of) fill(counts.get(row.purpose)![what]!, row, row[what]!);
    };
    await Promise.all(
      sources.flatMap((source): Promise<void>[] => {
        const { from: table, sums, value, whereAll, whereSplit } = source;
        return [
          ask(
            source,
            `day::text as day, ${sums} from ${table} where ${ASKED} ${whereAll} group by purpose, day`,
            split === null || split === SPLIT_OF_ALL ? 'days' : 'days-of-split',
            ({ byDay }, { day }, count) => byDay.set(day, count),
          ),
          ...(split
            ? [
                ask(
                  source,
                  `${MONTH} as day, ${value} as value, ${sums} from ${table} where ${ASKED} ${whereSplit} group by purpose, ${MONTH}, ${value}`,
                  split,
                  ({ byValue }, row, count) => put(byValue, row, count),
                ),
              ]
            : []),
          ...(split && VERSIONS.includes(split)
            ? [
                ask(
                  source,
                  `day::text as day, ${value} as value, ${sums} from ${table} where ${ASKED} ${whereSplit} group by purpose, day, ${value}`,
                  `${split}-days`,
                  ({ byDayAndValue }, row, count) => put(byDayAndValue, row, count),
                ),
              ]
            : []),
        ];
      }),
    );
    return counts;
  }
}

interface Filled extends Counts {
  byDay: Map<Day, number>;
  byValue: Map<Day, Map<string, number>>;
  byDayAndValue: Map<Day, Map<string, number>>;
}

const emptyCounts = (of: readonly Counted[]): Record<Counted, Filled | null> =>
  Object.fromEntries(
    COUNTED.map((what) => [
      what,
      of.includes(what) ? { byDay: new Map(), byValue: new Map(), byDayAndValue: new Map() } : null,
    ]),
  ) as Record<Counted, Filled | null>;

function put(table: Map<Day, Map<string, number>>, { day, value }: Row, count: number): void {
  const row = table.get(day) ?? new Map<string, number>();
  table.set(day, row.set(value!, count));
}
