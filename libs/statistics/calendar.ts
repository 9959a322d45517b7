/** A day of UTC: `2026-11-21`. */
export type Day = string;

export const PERIODS = ['day', 'week', 'month'] as const;
export type PeriodKind = (typeof PERIODS)[number];

/** Whole days, both ends included. */
export interface Period {
  from: Day;
  to: Day;
}

const DAY_MS = 86_400_000;

const msOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`);
const dayAt = (ms: number): Day => new Date(ms).toISOString().slice(0, 10);

export const plusDays = (day: Day, days: number): Day => dayAt(msOf(day) + days * DAY_MS);

/** The day, the week of ISO 8601 (Monday to Sunday) or the month of the calendar that a day is in. */
export function periodOf(kind: PeriodKind, day: Day): Period {
  switch (kind) {
    case 'day':
      return { from: day, to: day };
    case 'week': {
      const sinceMonday = (new Date(msOf(day)).getUTCDay() + 6) % 7;
      return { from: plusDays(day, -sinceMonday), to: plusDays(day, 6 - sinceMonday) };
    }
    case 'month': {
      const [year, month] = day.split('-').map(Number) as [number, number];
      return { from: `${day.slice(0, 7)}-01`, to: dayAt(Date.UTC(year, month, 0)) };
    }
  }
}

/** The whole periods that contain these days, earliest first; at most `most`. */
export function periodsOf(kind: PeriodKind, { from, to }: Period, most: number): Period[] {
  const periods: Period[] = [];
  for (let period = periodOf(kind, from); period.from <= to && periods.length < most;) {
    periods.push(period);
    period = periodOf(kind, plusDays(period.to, 1));
  }
  return periods;
}

/** Computes once for each object: many counts are looked at over the same periods, and dates are slow. */
function once<T>(of: (period: Period) => T): (period: Period) => T {
  const known = new WeakMap<Period, T>();
  return (period) => {
    const computed = known.get(period);
    if (computed !== undefined) return computed;
    const result = of(period);
    known.set(period, result);
    return result;
  };
}

export const daysOf = once(({ from, to }): readonly Day[] => {
  const days: Day[] = [];
  for (let ms = msOf(from); ms <= msOf(to); ms += DAY_MS) days.push(dayAt(ms));
  return days;
});

/** A month cut at its Mondays. Weeks and months are both sums of such stretches. */
export const stretchesOf = once((month): readonly Period[] =>
  periodsOf('week', month, 6).map((week) => ({
    from: week.from < month.from ? month.from : week.from,
    to: week.to > month.to ? month.to : week.to,
  })),
);

/** A week cut where a month ends in it. */
export const stretchesOfWeek = once((week): readonly Period[] => {
  const [first, last] = [periodOf('month', week.from), periodOf('month', week.to)];
  if (first.from === last.from) return [week];
  return [
    { from: week.from, to: first.to },
    { from: last.from, to: week.to },
  ];
});
