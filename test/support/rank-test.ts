/**
 * Mann-Whitney U of two samples as a standard normal deviate: below 0 where the first tends to be smaller. Between samples of
 * one distribution it is beyond ±4.5 once in 150,000 times. Samples of twenty or more.
 */
export function rankTest(first: readonly number[], second: readonly number[]): number {
  const all = [
    ...first.map((value) => ({ value, isFirst: true })),
    ...second.map((value) => ({ value, isFirst: false })),
  ].sort((a, b) => a.value - b.value);
  let ranks = 0;
  for (let i = 0; i < all.length;) {
    let end = i;
    while (end < all.length && all[end]!.value === all[i]!.value) end++;
    const rank = (i + 1 + end) / 2;
    for (; i < end; i++) if (all[i]!.isFirst) ranks += rank;
  }
  const [n, m] = [first.length, second.length];
  const u = ranks - (n * (n + 1)) / 2;
  return (u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
}
