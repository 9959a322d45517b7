import { rankTest } from '../support/rank-test.js';

const series = (count: number, of: (i: number) => number): number[] => Array.from({ length: count }, (_, i) => of(i));
/** As a machine answers: mostly about 5 ms, sometimes much later. */
const timing = (i: number): number => 5 + ((i * 7919) % 1000) / 500 + (i % 37 === 0 ? 60 : 0);

it('finds no difference between samples of one distribution, and one of a fifth of a millisecond between two', () => {
  const first = series(1000, timing);
  expect(
    Math.abs(
      rankTest(
        first,
        series(1000, (i) => timing(i + 13)),
      ),
    ),
  ).toBeLessThan(4.5);
  expect(
    rankTest(
      first,
      first.map((ms) => ms + 0.2),
    ),
  ).toBeLessThan(-4.5);
  expect(rankTest([3, 3, 3], [3, 3, 3])).toBe(0);
});
