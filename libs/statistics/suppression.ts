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

/** Counts of a month by the values of a split, and what a reader can know of them. */
export interface SplitMonth {
  /** By value. Values without an entry have none. */
  counts: ReadonlyMap<string, number>;
  /** The shown count of all; null: hidden. */
  month: number | null;
  /** The value of what is not known, which is never shown and counts with the rest. */
  unknown?: string;
  /** Whether each decision has a value, as a reader knows. */
  isComplete?: boolean;
  smallest?: number;
}

/**
 * The shown counts of a month by value; null: all are hidden. Hides values with fewer than ten, and then the smallest
 * others, until what is left of the month has at least ten and is not of one value alone. Hides all values if the month is
 * hidden, or has as many decisions as there are values, or one more. With only "as many" a reader who sees nothing would
 * know that each value has exactly one.
 */
export function shownValues({
  counts,
  month,
  unknown = '',
  isComplete = false,
  smallest = SMALLEST,
}: SplitMonth): ReadonlyMap<string, number> | null {
  if (month === null) return null;
  const known = [...counts].filter(([value, count]) => value !== unknown && count > 0);
  known.sort(([a, fewer], [b, more]) => fewer - more || (a < b ? -1 : 1));
  const small = known.filter(([, count]) => count < smallest).length;
  for (let hidden = small; hidden <= known.length; hidden++) {
    const shown = known.slice(hidden);
    const rest = month - shown.reduce((total, [, count]) => total + count, 0);
    const possible = known
      .slice(0, hidden)
      .map((_, i): Possible => (i < small ? { least: 1, most: smallest - 1 } : { least: smallest, most: Infinity }));
    const ofUnknown: Possible[] = isComplete ? [] : [{ least: 0, most: Infinity }];
    const isOpen = small > 0 ? leavesWideOpen : leavesOpen;
    const tellsLittle = hidden === 0 || isOpen([...possible, ...ofUnknown], rest);
    if (rest === 0 || (rest >= smallest && tellsLittle)) return new Map(shown);
  }
  return null;
}

/** The count of one value: null if it is hidden. */
export const shownValue = (
  value: string,
  split: SplitMonth,
  shown: ReadonlyMap<string, number> | null = shownValues(split),
): number | null =>
  shown === null || value === (split.unknown ?? '') ? null : (shown.get(value) ?? (split.counts.get(value) ? null : 0));

/**
 * The shown counts of a month by version; null: all are hidden. A reader knows when a version came, and that none decided on
 * it before: subtracting the days before from the count of the older versions leaves what was decided on those
 * afterwards. So a month in which a version came is split only if each of its days is shown, and what is left is none or
 * at least ten. Where no version is shown all are hidden, so that a reader cannot see which of the rules hid them.
 */
export function shownVersions(
  split: SplitMonth,
  /** Counts of the days of the month, by version. */
  days: ReadonlyMap<Day, ReadonlyMap<string, number>>,
  /** Counts of its days, whatever the version. */
  all: ReadonlyMap<Day, number>,
): ReadonlyMap<string, number> | null {
  if (!mayBeSplit(days, all, split.smallest ?? SMALLEST)) return null;
  const shown = shownValues(split);
  return shown?.size === 0 && split.month !== 0 ? null : shown;
}

function mayBeSplit(
  days: ReadonlyMap<Day, ReadonlyMap<string, number>>,
  all: ReadonlyMap<Day, number>,
  smallest: number,
): boolean {
  const firstDay = new Map<number, Day>();
  for (const day of [...days.keys()].sort())
    for (const [version, count] of days.get(day)!)
      if (count > 0 && !firstDay.has(Number(version))) firstDay.set(Number(version), day);
  if (firstDay.size < 2) return true;
  for (const count of all.values()) if (count > 0 && count < smallest) return false;
  return [...firstDay].every(([version, since]) => {
    let late = 0;
    for (const [day, counts] of days)
      if (day >= since) for (const [other, count] of counts) if (Number(other) < version) late += count;
    return late === 0 || late >= smallest;
  });
}
