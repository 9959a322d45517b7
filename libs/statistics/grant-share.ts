import { daysOf, periodsOf, plusDays, type Day, type Period } from './calendar.js';
import { ShownCounts } from './suppression.js';
import type { ByDay } from './view.js';

/** Days that a share is made of, and as many before them. */
export const SHARE_DAYS = 30;
/** Shares are rounded to this: a hundredth. */
const STEP = 100;

/** What was decided on one purpose, before suppression. */
export interface DecidedByDay {
  grants: ByDay;
  refusals: ByDay;
}

/** Grants of grants and refusals; null where no figure is shown. */
export interface GrantShare {
  share: number | null;
  /** The same of the days before. */
  before: number | null;
}

/** A week, as far as it is in a window. */
interface Stretch {
  /** Null where only a part of it is in the window. */
  week: Period | null;
  /** One by one. */
  days: readonly Period[];
}

/** The last days that have counts, and as many before them. */
export interface ShareWindows {
  /** First day of all. */
  first: Day;
  now: readonly Stretch[];
  before: readonly Stretch[];
}

export function shareWindows(last: Day): ShareWindows {
  const first = plusDays(last, 1 - 2 * SHARE_DAYS);
  const middle = plusDays(last, 1 - SHARE_DAYS);
  return {
    first,
    now: stretchesIn({ from: middle, to: last }),
    before: stretchesIn({ from: first, to: plusDays(middle, -1) }),
  };
}

const stretchesIn = (window: Period): Stretch[] =>
  periodsOf('week', window, SHARE_DAYS).map((week) => ({
    week: week.from >= window.from && week.to <= window.to ? week : null,
    days: daysOf(week)
      .filter((day) => day >= window.from && day <= window.to)
      .map((day) => ({ from: day, to: day })),
  }));

/**
 * The share over purposes. It adds up nothing but figures that the statistics show for each purpose by themselves: a whole
 * week in the window where both its grants and its refusals are shown, else those of its days of which both are. So the
 * shares of many days together reveal no more than the statistics do. What is left out is small.
 */
export function grantShare(purposes: readonly DecidedByDay[], { now, before }: ShareWindows): GrantShare {
  const shown = purposes.map(({ grants, refusals }) => [new ShownCounts(grants), new ShownCounts(refusals)] as const);
  return { share: shareIn(shown, now), before: shareIn(shown, before) };
}

function shareIn(
  purposes: readonly (readonly [ShownCounts, ShownCounts])[],
  window: readonly Stretch[],
): number | null {
  let [granted, refused] = [0, 0];
  for (const [grants, refusals] of purposes) {
    const add = (kind: 'week' | 'day', period: Period): boolean => {
      const some = grants.of(kind, period);
      const others = some === null ? null : refusals.of(kind, period);
      if (some === null || others === null) return false;
      granted += some;
      refused += others;
      return true;
    };
    for (const { week, days } of window) {
      if (week && add('week', week)) continue;
      for (const day of days) add('day', day);
    }
  }
  const decided = granted + refused;
  return decided === 0 ? null : Math.round((granted / decided) * STEP) / STEP;
}
