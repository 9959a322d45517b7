import { daysOf, periodOf, stretchesOf, type Day, type Period, type PeriodKind } from './calendar.js';

/*
 * Which counts are shown, so that nobody finds a small one by subtracting what is shown from each other.
 *
 * Days, weeks and months are decided once and for all questions alike: a question only chooses among them, so that many
 * questions tell no more than one. A day is shown that has nobody or at least ten. A stretch (what a week and a month have in
 * common) is shown where its days that are not shown come to at least ten together; a month, where its stretches that are
 * not shown do; a week, where its stretches are shown, of which it is the sum. What somebody can find out is then the sum of
 * at least two counts that are not shown, and never less than ten. Each decision needs only days that are over: what was
 * shown once is shown for ever.
 */

/** Who is fewer than this is not shown. */
export const SMALLEST = 10;

/** What a count that is not shown can be, as far as anybody knows. */
interface Possible {
  least: number;
  most: number;
}

/** Whether each of these counts can still be more than one number for whoever knows their sum. */
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

/** The same where the sum is one less too: of sums that leave nothing open some then look as if they did. */
const leavesWideOpen = (hidden: readonly Possible[], sum: number): boolean =>
  leavesOpen(hidden, sum) && leavesOpen(hidden, sum - 1);

const isShownSum = (hidden: readonly Possible[], sum: number, smallest: number): boolean =>
  hidden.length === 0 || (sum >= smallest && leavesOpen(hidden, sum));

/** What is shown of the counts of some days. */
export class ShownCounts {
  constructor(
    /** Days that are not there have nobody. */
    private readonly counts: ReadonlyMap<Day, number>,
    private readonly smallest = SMALLEST,
  ) {}

  /** Of a whole period of the calendar; null where it is not shown. */
  of(kind: PeriodKind, period: Period): number | null {
    switch (kind) {
      case 'day':
        return this.isHidden(period.from) ? null : this.sum([period.from]);
      case 'week':
        return this.stretchesOfWeek(period).every((stretch) => this.hiddenIn(stretch) === null)
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

  /** The days of a stretch that are not shown, how many and how much; null where the stretch is shown. */
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

  private stretchesOfWeek(week: Period): Period[] {
    const [first, last] = [periodOf('month', week.from), periodOf('month', week.to)];
    if (first.from === last.from) return [week];
    return [
      { from: week.from, to: first.to },
      { from: last.from, to: week.to },
    ];
  }
}

/**
 * What a month of all countries is shown to come to in one of them; null: not shown. Countries with fewer than ten are not
 * shown, and where what is left of the month would then tell of less than ten, or of one country alone, the smallest of the
 * others are not either. Those whose country nobody knows are never shown and count with the rest. Where the month itself
 * is not shown, none of its countries is; nor where it has as many people as there are countries, or one more. Were it only
 * the former, a reader who sees nothing would know that each person is alone in a country.
 */
export function shownCountry(
  country: string,
  /** By country; those that are not there have nobody. */
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
