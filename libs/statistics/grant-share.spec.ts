import fc from 'fast-check';
import { periodsOf, plusDays, type Day } from './calendar.js';
import { grantShare, SHARE_DAYS, shareWindows, type DecidedByDay, type GrantShare } from './grant-share.js';
import { ShownCounts } from './suppression.js';

const LAST = '2026-11-21';
const KINDS = ['day', 'week', 'month'] as const;

const everyDay = (numbers: readonly number[], last = LAST): Map<Day, number> =>
  new Map(numbers.map((count, i) => [plusDays(last, i + 1 - numbers.length), count]));

describe('the share of grants', () => {
  it('is of the last 30 days, and of the 30 before', () => {
    const grants = everyDay([...Array<number>(30).fill(20), ...Array<number>(30).fill(60)]);
    const refusals = everyDay(Array<number>(60).fill(20));
    expect(grantShare([{ grants, refusals }], shareWindows(LAST))).toEqual({ share: 0.75, before: 0.5 });
  });

  it('takes a week where its days are too small to be shown', () => {
    const purpose = { grants: everyDay(Array<number>(60).fill(12)), refusals: everyDay(Array<number>(60).fill(4)) };
    // The days of weeks that are not whole in the window are left out: their refusals are hidden.
    expect(grantShare([purpose], shareWindows(LAST))).toEqual({ share: 0.75, before: 0.75 });
  });

  it('is null where nothing is shown', () => {
    const few = { grants: everyDay([3]), refusals: everyDay([2]) };
    expect(grantShare([few], shareWindows(LAST))).toEqual({ share: null, before: null });
    expect(grantShare([], shareWindows(LAST))).toEqual({ share: null, before: null });
    // Figures of two purposes are not added up before they are looked at.
    expect(grantShare(Array<DecidedByDay>(10).fill(few), shareWindows(LAST)).share).toBeNull();
  });

  /** What a reader gets who asks every day for a quarter of a year. */
  const sharesOf = (purposes: readonly DecidedByDay[]): GrantShare[] =>
    Array.from({ length: 90 }, (_, i) => grantShare(purposes, shareWindows(plusDays(LAST, i - 60))));
  /** All that the statistics show of these purposes. */
  const figuresOf = (purposes: readonly DecidedByDay[]): (number | null)[] =>
    purposes.flatMap(({ grants, refusals }) =>
      [grants, refusals].flatMap((counts) => {
        const shown = new ShownCounts(counts);
        const days = { from: plusDays(LAST, -130), to: plusDays(LAST, 40) };
        return KINDS.flatMap((kind) => periodsOf(kind, days, 1_000).map((period) => shown.of(kind, period)));
      }),
    );

  const count = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 8, max: 40 }));
  const numbers = fc.array(count, { minLength: 100, maxLength: 100 });
  const purpose = fc.record({ grants: numbers, refusals: numbers });

  it('tells a reader who compares the answers of all days no more than the statistics do', () => {
    let changed = 0;
    fc.assert(
      fc.property(
        fc.array(purpose, { minLength: 1, maxLength: 2 }),
        fc.array(fc.record({ at: fc.nat(99), by: fc.integer({ min: 1, max: 6 }) }), { minLength: 300, maxLength: 300 }),
        (purposes, moves) => {
          const decided = purposes.map(({ grants, refusals }) => ({
            grants: everyDay(grants),
            refusals: everyDay(refusals),
          }));
          const before = { shares: sharesOf(decided), figures: JSON.stringify(figuresOf(decided)) };
          // Moves a decision from a day to one near it, wherever no figure of the statistics gives that away.
          moves.forEach(({ at, by }, i) => {
            const { grants, refusals } = decided[i % decided.length]!;
            const counts = i % 3 === 0 ? grants : refusals;
            const [day, other] = [plusDays(LAST, at - 99), plusDays(LAST, at - 99 + by)];
            const [some, more] = [counts.get(day) ?? 0, counts.get(other) ?? 0];
            if (some < 2 || some > 9 || more === 0 || more > 8) return;
            counts.set(day, some - 1).set(other, more + 1);
            if (JSON.stringify(figuresOf(decided)) === before.figures) changed++;
            else counts.set(day, some).set(other, more);
          });
          expect(sharesOf(decided)).toEqual(before.shares);
        },
      ),
      { numRuns: 10 },
    );
    expect(changed).toBeGreaterThan(50);
  });

  it('would tell more if hidden days were added up: the reader of this file compares two days', () => {
    const sum = ({ grants, refusals }: DecidedByDay, last: Day): number => {
      const of = (counts: DecidedByDay['grants']) =>
        Array.from({ length: SHARE_DAYS }, (_, i) => counts.get(plusDays(last, -i)) ?? 0).reduce((a, b) => a + b, 0);
      return of(grants) / (of(grants) + of(refusals));
    };
    const quiet = everyDay(Array<number>(40).fill(0));
    const one = { grants: new Map(quiet).set(LAST, 1), refusals: everyDay(Array<number>(40).fill(1)) };
    const none = { ...one, grants: quiet };
    expect(sum(one, LAST)).not.toBe(sum(none, LAST));
    expect(grantShare([one], shareWindows(LAST))).toEqual(grantShare([none], shareWindows(LAST)));
  });
});
