import { daysOf, stretchesOf, stretchesOfWeek, type Day, type Period, type PeriodKind } from './calendar.js';

/*
 * Decides which counts are shown, so that no reader computes a small one by subtracting shown counts from each other.
 *
 * The rules are the same for all questions, so that many questions reveal no more than one. They are, for counts of
 * decisions and a smallest number of ten:
 * - A day is shown if it has none or at least ten.
 * - A stretch (the part of a week that is in one month) is shown if its hidden days have at least ten together.
 * - A month is shown if its hidden stretches have at least ten together.
 * - A week is shown, as the sum of its stretches, if they are shown.
 * A reader can then compute only sums of at least two hidden counts, which are never less than ten. Each rule reads only
 * days that are over, so a count that is shown once is shown for ever.
 */

/** Counts below this are hidden. */
export const SMALLEST = 10;

/** The values that a hidden count can have, as far as a reader knows. */
interface Possible {
  least: number;
  most: number;
}

/** Whether a reader who knows the sum of these counts cannot compute any of them. */
export function leavesOpen(hidden: readonly Possible[], sum: number): boolean {
  const unbounded = hidden.filter(({ most }) => most === Infinity).length;
  const least = hidden.reduce((total, each) => total + each.least, 0);
  const most = hidden.reduce((total, each) => total + (each.most === Infinity ? 0 : each.most), 0);
  return hidden.every((each) => {
    const othersAreBounded = unbounded === (each.most === Infinity ? 1 : 0);
    const mostOfOthers = othersAreBounded ? most - (each.most === Infinity ? 0 : each.most) : Infinity;
    const lowest = Math.max(each.least, sum - mostOfOthers);
    const highest = Math.min(each.most, sum - (least - each.least));
    return highest > lowest;
  });
}

/** The same for the sum less one: without it a few sums that determine a count pass as open. */
const leavesWideOpen = (hidden: readonly Possible[], sum: number): boolean =>
  leavesOpen(hidden, sum) && leavesOpen(hidden, sum - 1);

const isShownSum = (hidden: readonly Possible[], sum: number, smallest: number): boolean =>
  hidden.length === 0 || (sum >= smallest && leavesOpen(hidden, sum));

/** The shown counts of some days. */
export class ShownCounts {
  constructor(
    /** Days without an entry have none. */
    private readonly counts: ReadonlyMap<Day, number>,
    private readonly smallest = SMALLEST,
  ) {}

  /** Count of a whole period of the calendar; null: hidden. */
  of(kind: PeriodKind, period: Period): number | null {
    switch (kind) {
      case 'day':
        return this.isHidden(period.from) ? null : this.sum([period.from]);
      case 'week':
        return stretchesOfWeek(period).every((stretch) => this.hiddenIn(stretch) === null)
          ? this.sum(daysOf(period))
          : null;
      case 'month':
        return this.isShownMonth(period) ? this.sum(daysOf(period)) : null;
    }
  }

  private isShownMonth(month: Period): boolean {
    const hidden = stretchesOf(month).flatMap((stretch) => this.hiddenIn(stretch) ?? []);
    const sum = hidden.reduce((total, each) => total + each.sum, 0);
    return isShownSum(
      hidden.map(({ days }) => ({ least: days, most: Math.max(this.smallest - 1, days) })),
      sum,
      this.smallest,
    );
  }

  /** Number and sum of the hidden days of a stretch; null: the stretch is shown. */
  private hiddenIn(stretch: Period): { days: number; sum: number } | null {
    const hidden = daysOf(stretch).filter((day) => this.isHidden(day));
    const sum = this.sum(hidden);
    const possible = hidden.map(() => ({ least: 1, most: this.smallest - 1 }));
    return isShownSum(possible, sum, this.smallest) ? null : { days: hidden.length, sum };
  }

  private isHidden(day: Day): boolean {
    const count = this.counts.get(day) ?? 0;
    return count > 0 && count < this.smallest;
  }

  private sum(days: readonly Day[]): number {
    return days.reduce((total, day) => total + (this.counts.get(day) ?? 0), 0);
  }
}

/**
 * The shown count of one country in a month; null: hidden. `month` is the shown count of all countries; null: hidden.
 * Hides countries with fewer than ten, and then the smallest others, until what is left of the month has at least ten and
 * is not of one country alone. Decisions of unknown country are never shown and count with the rest. Hides all countries
 * if the month is hidden, or has as many decisions as there are countries, or one more. With only "as many" a reader who
 * sees nothing would know that each country has exactly one.
 */
export function shownCountry(
  country: string,
  /** By country. Countries without an entry have none. */
  counts: ReadonlyMap<string, number>,
  month: number | null,
  { unknown = '', smallest = SMALLEST }: { unknown?: string; smallest?: number } = {},
): number | null {
  if (month === null || country === unknown) return null;
  const known = [...counts].filter(([code, count]) => code !== unknown && count > 0);
  known.sort(([a, fewer], [b, more]) => fewer - more || (a < b ? -1 : 1));
  const small = known.filter(([, count]) => count < smallest).length;
  for (let hidden = small; hidden <= known.length; hidden++) {
    const shown = known.slice(hidden);
    const rest = month - shown.reduce((total, [, count]) => total + count, 0);
    const possible = known
      .slice(0, hidden)
      .map((_, i): Possible => (i < small ? { least: 1, most: smallest - 1 } : { least: smallest, most: Infinity }));
    const ofUnknown: Possible = { least: 0, most: Infinity };
    const isOpen = small > 0 ? leavesWideOpen : leavesOpen;
    const tellsLittle = hidden === 0 || isOpen([...possible, ofUnknown], rest);
    if (rest === 0 || (rest >= smallest && tellsLittle))
      return shown.find(([code]) => code === country)?.[1] ?? (counts.get(country) ? null : 0);
  }
  return null;
}
