/**
 * Whole numbers along an axis, from 0 to the first that reaches `most`, about four steps: 1, 2 or 5 times a power of ten.
 * d3-scale has the same for any range, and nine kilobytes of colours that it blends.
 */
export function ticksTo(most: number): number[] {
  const rough = Math.max(1, most / 4);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((each) => each >= rough)!;
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, i) => i * step);
}
