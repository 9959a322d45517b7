import type { Instant, Environment } from '../kernel/index.js';
import { COUNTRY_UNKNOWN } from '../consent/index.js';
import { periodOf, periodsOf, plusDays, type Day, type Period, type PeriodKind } from './calendar.js';
import { ShownCounts, shownCountry, SMALLEST } from './suppression.js';

export const COUNTED = ['grants', 'refusals', 'withdrawals', 'expiries', 'shown'] as const;
export type Counted = (typeof COUNTED)[number];

/** Most periods in one answer: two years of days. */
export const PERIODS_MAX = 750;
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

export interface Asked {
  purpose: string;
  /** ISO 3166-1; null: all together. */
  country: string | null;
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

/** Counts of all countries, by day. */
export type ByDay = ReadonlyMap<Day, number>;
/** By the first day of the month, then by country. */
export type ByCountry = ReadonlyMap<Day, ReadonlyMap<string, number>>;
export interface Counts {
  byDay: ByDay;
  /** Empty where no country was asked for. */
  byCountry: ByCountry;
}

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

export interface ConsentStatistics {
  object: 'consent_statistics';
  purpose: string;
  country: string | null;
  by: PeriodKind;
  through: Day;
  smallest: number;
  periods: StatisticsPeriod[];
}

/** The answer: shown counts of whole periods that are over. */
export function statisticsView(
  { purpose, country, by, range }: Asked,
  counts: Record<Counted, Counts>,
  last: Day,
  env: Environment,
): ConsentStatistics {
  const shown = Object.fromEntries(
    COUNTED.map((what) => [what, shownBy(counts[what], country, by)]),
  ) as unknown as Record<Counted, (period: Period) => number | null>;
  const periods = periodsOf(by, range, PERIODS_MAX)
    // A period that is not over is shown in `test` only.
    .filter(({ from, to }) => (env === 'test' ? from : to) <= last)
    .map((period) => periodView(period, (what) => shown[what](period)));
  return { object: 'consent_statistics', purpose, country, by, through: last, smallest: SMALLEST, periods };
}

function shownBy(
  { byDay, byCountry }: Counts,
  country: string | null,
  by: PeriodKind,
): (period: Period) => number | null {
  const counts = new ShownCounts(byDay);
  if (country === null) return (period) => counts.of(by, period);
  return (month) =>
    shownCountry(country, byCountry.get(month.from) ?? new Map(), counts.of('month', month), {
      unknown: COUNTRY_UNKNOWN,
    });
}

function periodView({ from, to }: Period, shownOf: (what: Counted) => number | null): StatisticsPeriod {
  const [grants, refusals, withdrawals, expiries, shown] = COUNTED.map(shownOf) as (number | null)[];
  const answered = grants === null || refusals === null ? null : grants! + refusals!;
  return {
    from,
    to,
    grants: grants!,
    refusals: refusals!,
    withdrawals: withdrawals!,
    expiries: expiries!,
    // Computed from shown counts only, so it reveals nothing more.
    grantShare: answered === null || answered === 0 ? null : Math.round((grants! / answered) * 10_000) / 10_000,
    shown: shown!,
    unanswered: shown === null || answered === null ? null : Math.max(0, shown! - answered),
    suppressed: COUNTED.filter((what) => shownOf(what) === null),
  };
}
