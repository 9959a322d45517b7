import fc from 'fast-check';
import {
  daysOf,
  periodOf,
  periodsOf,
  plusDays,
  stretchesOf,
  type Day,
  type Period,
  type PeriodKind,
} from './calendar.js';
import { leavesOpen, shownValue, ShownCounts } from './suppression.js';

const KINDS = ['day', 'week', 'month'] as const;

/** All that can be asked of these days, and what is answered. */
interface Answer {
  kind: PeriodKind;
  period: Period;
  shown: number | null;
}
function everything(counts: ReadonlyMap<Day, number>, days: readonly Day[], smallest?: number): Answer[] {
  const shown = new ShownCounts(counts, smallest);
  const range = { from: days[0]!, to: days.at(-1)! };
  return KINDS.flatMap((kind) =>
    periodsOf(kind, range, 1_000).map((period) => ({ kind, period, shown: shown.of(kind, period) })),
  );
}

describe('what is shown of days, weeks and months', () => {
  it('is each day with no decision or at least ten, exactly', () => {
    const counts = new Map([
      ['2026-11-02', 10],
      ['2026-11-03', 9],
      ['2026-11-04', 1],
    ]);
    const shown = new ShownCounts(counts);
    const day = (of: Day) => shown.of('day', { from: of, to: of });
    expect(['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'].map(day)).toEqual([0, 10, null, null]);
  });

  it('is a week whose small days come to ten, and not one that would tell of a single small day', () => {
    const week = { from: '2026-11-02', to: '2026-11-08' };
    const month = { from: '2026-11-01', to: '2026-11-30' };
    const of = (...counts: number[]) => {
      const shown = new ShownCounts(new Map(counts.map((count, i) => [plusDays(week.from, i), count])));
      return [shown.of('week', week), shown.of('month', month)];
    };
    expect(of(20, 20, 5)).toEqual([null, null]);
    expect(of(20, 5, 4)).toEqual([null, null]);
    expect(of(20, 5, 5)).toEqual([30, 30]);
    // Two small days that come to eighteen are nine each; ten that come to ten, one each.
    expect(of(20, 9, 9)).toEqual([null, null]);
    expect(of(9, 8)).toEqual([17, 17]);
    // A reader of the month cannot separate what is missing from the one week and from the other.
    expect(of(20, 0, 5, 0, 0, 0, 0, /* next week */ 6)).toEqual([null, 31]);
  });

  it('is a week over the end of a month only where both parts of it are shown', () => {
    const week = { from: '2026-11-30', to: '2026-12-06' };
    const of = (november: number, december: number) =>
      new ShownCounts(
        new Map([
          ['2026-11-30', november],
          ['2026-12-01', december],
        ]),
      ).of('week', week);
    expect([of(10, 10), of(0, 12), of(4, 20), of(20, 4)]).toEqual([20, 12, null, null]);
  });

  it('is the same whatever comes after: what was shown once is not taken back', () => {
    const days = daysOf({ from: '2026-10-26', to: '2026-12-06' });
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 15 }), { minLength: days.length, maxLength: days.length }),
        fc.nat(days.length - 1),
        (numbers, at) => {
          const through = days[at]!;
          const until = new Map(days.slice(0, at + 1).map((day, i) => [day, numbers[i]!]));
          const later = new Map(days.map((day, i) => [day, numbers[i]!]));
          const over = ({ period }: Answer): boolean => period.to <= through;
          expect(everything(until, days).filter(over)).toEqual(everything(later, days).filter(over));
        },
      ),
    );
  });
});

describe('what is shown of the countries of a month', () => {
  const of = (counts: Record<string, number>, month: number | null = sum(counts)) =>
    Object.fromEntries(
      [...Object.keys(counts), 'XX'].map((code) => [
        code,
        shownValue(code, { counts: new Map(Object.entries(counts)), month }),
      ]),
    );
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0);

  it('is each with no decision or at least ten, and another one less where the rest would reveal it', () => {
    expect(of({ DE: 100, FR: 40, AT: 12 })).toEqual({ DE: 100, FR: 40, AT: 12, XX: 0 });
    expect(of({ DE: 100, FR: 40, AT: 3 })).toEqual({ DE: 100, FR: null, AT: null, XX: 0 });
    expect(of({ DE: 100, FR: 40, AT: 3, CH: 8 })).toEqual({ DE: 100, FR: 40, AT: null, CH: null, XX: 0 });
    expect(of({ DE: 100, '': 4 })).toEqual({ DE: null, '': null, XX: 0 });
    expect(of({ DE: 100, '': 40 })).toEqual({ DE: 100, '': null, XX: 0 });
  });

  it('is nothing where the month is not shown, or where every country has but one', () => {
    expect(of({ DE: 100 }, null)).toEqual({ DE: null, XX: null });
    const ones = Object.fromEntries(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J'].map((code) => [code, 1]));
    expect(Object.values(of(ones))).toEqual(Array.from({ length: 11 }, () => null));
    // As many as countries, and one more, look alike: each of them is hidden, and those without people too.
    const { J: _, ...nine } = ones;
    expect(Object.values(of({ ...nine, A: 2 }))).toEqual(Array.from({ length: 10 }, () => null));
    expect(of({ ...nine, A: 3 })).toMatchObject({ A: null, XX: 0 });
  });
});

describe('a sum of counts that are not shown', () => {
  it('leaves each open as long as another number of it fits', () => {
    const small = { least: 1, most: 9 };
    expect(leavesOpen([small], 5)).toBe(false);
    expect([2, 3, 17, 18].map((sum) => leavesOpen([small, small], sum))).toEqual([false, true, true, false]);
    expect(leavesOpen([small, { least: 0, most: Infinity }], 1)).toBe(false);
    expect(leavesOpen([small, { least: 0, most: Infinity }], 2)).toBe(true);
    expect(leavesOpen([small, { least: 10, most: Infinity }, { least: 0, most: Infinity }], 11)).toBe(false);
    expect(leavesOpen([small, { least: 10, most: Infinity }, { least: 0, most: Infinity }], 12)).toBe(true);
  });
});

describe('a month', () => {
  it('is made of the stretches that it has in common with weeks', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000 }), (after) => {
        const month = periodOf('month', plusDays('2020-01-01', after));
        expect(stretchesOf(month).flatMap(daysOf)).toEqual(daysOf(month));
        for (const stretch of stretchesOf(month))
          expect(new Set(daysOf(stretch).map((day) => periodOf('week', day).from)).size).toBe(1);
      }),
    );
    expect(periodOf('week', '2026-11-22')).toEqual({ from: '2026-11-16', to: '2026-11-22' });
    expect(periodOf('month', '2028-02-10')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
  });
});
