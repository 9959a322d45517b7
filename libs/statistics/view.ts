import type { Instant, Environment } from '../kernel/index.js';
import type { ConsentSplit } from '../consent/index.js';
import { periodOf, periodsOf, plusDays, type Day, type Period, type PeriodKind } from './calendar.js';
import { ShownCounts, shownValue, shownValues, shownVersions, SMALLEST } from './suppression.js';

export const COUNTED = ['grants', 'refusals', 'withdrawals', 'expiries', 'shown'] as const;
export type Counted = (typeof COUNTED)[number];

/** Most periods in one answer: two years of days. */
export const PERIODS_MAX = 750;
/** The same for a question with a split: five years of months. */
export const SPLIT_PERIODS_MAX = 60;
/** Most values of a split in one answer: the last in their order, so the newest versions. */
export const VALUES_MAX = 300;
/** Number of periods if the question names no first day. */
const PERIODS_DEFAULT: Record<PeriodKind, number> = { day: 30, week: 12, month: 12 };

/**
 * The last day that has counts. In `live` it has been over for an hour: every process has then written its decisions
 * and the counts are final, so a reader learns nothing from asking after each decision. In `test`, without real people:
 * today.
 */
export function lastDay(env: Environment, now: Instant): Day {
  const day = now.slice(0, 10);
  if (env === 'test') return day;
  const isOver = now >= `${day}T01:00:00.000Z`;
  return plusDays(day, isOver ? -1 : -2);
}

/** Which decisions: those of the service, or those that were imported or migrated. Nothing is made of both together. */
export const IMPORTED = ['without', 'only'] as const;
export type Imported = (typeof IMPORTED)[number];

/** Splits by version: a reader knows when each came. */
export const VERSIONS: readonly ConsentSplit[] = ['bannerVersion', 'purposeVersion'];
/** Splits in which each decision has a value. */
const COMPLETE: readonly ConsentSplit[] = ['locale', 'purposeVersion'];

export interface Asked {
  /** One at least. */
  purposes: readonly string[];
  /** Null: all values together. */
  split: ConsentSplit | null;
  /** Only this value of the split; null: each. */
  value: string | null;
  imported: Imported;
  by: PeriodKind;
  /** The periods that contain these days. */
  range: Period;
}

/** Fills in the days that a question leaves out. */
export function rangeOf(by: PeriodKind, from: Day | undefined, to: Day | undefined, last: Day): Period {
  const end = to ?? last;
  if (from !== undefined) return { from, to: end };
  let first = periodOf(by, end).from;
  for (let i = 1; i < PERIODS_DEFAULT[by]; i++) first = periodOf(by, plusDays(first, -1)).from;
  return { from: first, to: end };
}

/** The whole periods whose counts an answer needs: what is shown of a day depends on its week and month. */
export function wholeRange(by: PeriodKind, { from, to }: Period): Period {
  return { from: periodOf(by, from).from, to: periodOf(by, to).to };
}

/** Counts of all values, by day. */
export type ByDay = ReadonlyMap<Day, number>;
/** By the first day of the month, then by value. */
export type ByValue = ReadonlyMap<Day, ReadonlyMap<string, number>>;
export interface Counts {
  byDay: ByDay;
  /** Empty where no split was asked for. */
  byValue: ByValue;
  /** The same by day, of versions; empty for other splits. */
  byDayAndValue: ByValue;
}
/** What is counted of one purpose; null where it is not counted so. */
export type PurposeCounts = Record<Counted, Counts | null>;

export interface StatisticsPeriod extends Period {
  grants: number | null;
  refusals: number | null;
  withdrawals: number | null;
  expiries: number | null;
  grantShare: number | null;
  shown: number | null;
  unanswered: number | null;
  suppressed: Counted[];
}

export interface StatisticsSeries {
  /** Null: all that were asked for. */
  purpose: string | null;
  value: string | null;
  periods: StatisticsPeriod[];
}

export interface ConsentStatistics {
  object: 'consent_statistics';
  /** Null where it is not one. */
  purpose: string | null;
  purposes: string[];
  country: string | null;
  split: ConsentSplit | null;
  imported: Imported;
  by: PeriodKind;
  through: Day;
  smallest: number;
  periods: StatisticsPeriod[];
  series: StatisticsSeries[];
}

/** A count of one purpose in a period: null is hidden, undefined is not counted. */
type Figure = number | null | undefined;
type Figures = Record<Counted, Figure>;

/** The answer: shown counts of whole periods that are over. */
export function statisticsView(
  { purposes, split, value, imported, by, range }: Asked,
  /** By purpose. */
  counts: ReadonlyMap<string, PurposeCounts>,
  last: Day,
  env: Environment,
): ConsentStatistics {
  const periods = periodsOf(by, range, PERIODS_MAX)
    // A period that is not over is shown in `test` only.
    .filter(({ from, to }) => (env === 'test' ? from : to) <= last);
  const shown = purposes.map((purpose) => new ShownPurpose(counts.get(purpose)!, split, by));
  const series = (of: readonly ShownPurpose[], each: string | null) =>
    periods.map((period) =>
      periodView(
        period,
        of.map((purpose) => purpose.figures(period, each)),
      ),
    );
  const values = split === null || value !== null ? [] : valuesIn(counts, periods);
  return {
    object: 'consent_statistics',
    purpose: purposes.length === 1 ? purposes[0]! : null,
    purposes: [...purposes],
    country: split === 'country' ? value : null,
    split: value === null ? split : null,
    imported,
    by,
    through: last,
    smallest: SMALLEST,
    periods: series(shown, value),
    series:
      split !== null
        ? values.map((each) => ({ purpose: null, value: each, periods: series(shown, each) }))
        : purposes.length > 1
          ? purposes.map((purpose, i) => ({ purpose, value: null, periods: series([shown[i]!], null) }))
          : [],
  };
}

/** The values that something was counted for in these periods, in order; numbers of versions by their size. */
function valuesIn(counts: ReadonlyMap<string, PurposeCounts>, months: readonly Period[]): string[] {
  const values = new Set<string>();
  for (const purpose of counts.values())
    for (const what of COUNTED)
      for (const { from } of months)
        for (const [value, count] of purpose[what]?.byValue.get(from) ?? [])
          if (count > 0 && value !== '') values.add(value);
  return [...values].sort((a, b) => Number(a) - Number(b) || (a < b ? -1 : 1)).slice(-VALUES_MAX);
}

/** One purpose as it is shown. */
class ShownPurpose {
  private readonly all: Record<Counted, ShownCounts | null>;
  private readonly months = new Map<string, ReadonlyMap<string, number> | null>();

  constructor(
    private readonly counts: PurposeCounts,
    private readonly split: ConsentSplit | null,
    private readonly by: PeriodKind,
  ) {
    this.all = byName((what) => (counts[what] ? new ShownCounts(counts[what].byDay) : null));
  }

  /** `value`: of the split; null: of all. */
  figures(period: Period, value: string | null): Figures {
    return byName((what) => {
      const [all, counts] = [this.all[what], this.counts[what]];
      if (!all || !counts) return undefined;
      if (value === null) return all.of(this.by, period);
      return this.ofValue(what, counts, period, value);
    });
  }

  private ofValue(what: Counted, counts: Counts, month: Period, value: string): number | null {
    const split = {
      counts: counts.byValue.get(month.from) ?? new Map<string, number>(),
      month: this.all[what]!.of('month', month),
      // The service knows the language and version of each banner that it answered.
      isComplete:
        this.split !== null && (COMPLETE.includes(this.split) || (what === 'shown' && this.split !== 'country')),
    };
    const name = `${what} ${month.from}`;
    let shown = this.months.get(name);
    if (shown === undefined) {
      shown = this.isByVersion
        ? shownVersions(split, within(counts.byDayAndValue, month), within(counts.byDay, month))
        : shownValues(split);
      this.months.set(name, shown);
    }
    return shownValue(value, split, shown);
  }

  private get isByVersion(): boolean {
    return this.split !== null && VERSIONS.includes(this.split);
  }
}

const within = <T>(days: ReadonlyMap<Day, T>, { from, to }: Period): ReadonlyMap<Day, T> =>
  new Map([...days].filter(([day]) => day >= from && day <= to));

const byName = <T>(of: (what: Counted) => T): Record<Counted, T> =>
  Object.fromEntries(COUNTED.map((what) => [what, of(what)])) as Record<Counted, T>;

/** Of several purposes: nothing but shown counts is added up, so it reveals nothing more. */
function periodView({ from, to }: Period, purposes: readonly Figures[]): StatisticsPeriod {
  const [answered, both] = [
    purposes.filter(isAnswered),
    purposes.filter((each) => isAnswered(each) && isNumber(each.shown)),
  ];
  const [grants, refusals] = [sumOf(answered, 'grants') ?? 0, sumOf(answered, 'refusals') ?? 0];
  return {
    from,
    to,
    grants: sumOf(purposes, 'grants'),
    refusals: sumOf(purposes, 'refusals'),
    withdrawals: sumOf(purposes, 'withdrawals'),
    expiries: sumOf(purposes, 'expiries'),
    grantShare: grants + refusals === 0 ? null : Math.round((grants / (grants + refusals)) * 10_000) / 10_000,
    shown: sumOf(purposes, 'shown'),
    unanswered:
      both.length === 0
        ? null
        : both.reduce((sum, each) => sum + Math.max(0, each.shown! - each.grants! - each.refusals!), 0),
    suppressed: COUNTED.filter((what) => purposes.some((each) => each[what] === null)),
  };
}

const isNumber = (figure: Figure): boolean => figure !== null && figure !== undefined;
const isAnswered = ({ grants, refusals }: Figures): boolean => isNumber(grants) && isNumber(refusals);
/** Null where none is shown. */
function sumOf(purposes: readonly Figures[], what: Counted): number | null {
  const shown = purposes.flatMap((each) => each[what] ?? []);
  return shown.length === 0 ? null : shown.reduce((a, b) => a + b, 0);
}
