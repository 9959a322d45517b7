import { inParts } from './in-parts.js';

const LENGTHS = [0, 1, 49, 50, 51, 100, 173];

test.each(LENGTHS)('makes the same of %i items as of each by itself, in their order', async (length) => {
  const items = Array.from({ length }, (_, i) => i * 2);
  const made = await inParts(items, async (item, index) => {
    // Later ones are sooner done.
    if (index % 3 === 0) await new Promise(setImmediate);
    return [item, index];
  });
  expect(made).toEqual(items.map((item, index) => [item, index]));
});

test('leaves a turn to others after each part', async () => {
  let turns = 0;
  const seen: number[] = [];
  const count = setInterval(() => undefined, 1000);
  const turn = (): void => void (turns++, setImmediate(turn).unref());
  setImmediate(turn);
  await inParts(Array.from({ length: 150 }), () => seen.push(turns));
  clearInterval(count);
  expect(new Set(seen.slice(0, 50)).size).toBe(1);
  expect(seen[50]).toBeGreaterThan(seen[49]!);
  expect(seen[100]).toBeGreaterThan(seen[99]!);
});

test('ends at the first part in which something fails', async () => {
  const begun: number[] = [];
  const failing = inParts(Array.from({ length: 150 }), (_, index) => {
    begun.push(index);
    if (index === 60) throw new Error('the sixty-first');
  });
  await expect(failing).rejects.toThrow('the sixty-first');
  expect(begun.at(-1)).toBe(60);
});
