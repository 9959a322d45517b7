import { PartTime } from './part-time.js';

/** The rests between parts of so many ms each, by a clock that only parts and rests move on. */
async function rests(parts: readonly number[], othersAtRest = 0): Promise<number[]> {
  let nowMs = 0;
  const taken: number[] = [];
  const pause = async (ms: number) => (taken.push(ms), (nowMs += ms));
  const shared = { resting: othersAtRest };
  const work = new PartTime({ pause, nowMs: () => nowMs, shared });
  for (const ms of parts) {
    nowMs += ms;
    await work.rest();
  }
  expect(shared.resting).toBe(othersAtRest);
  return taken;
}

test('what is done in one part never rests', async () => {
  expect(await rests([1_000])).toEqual([]);
});

test('every further part is followed by a rest of five times its time, rests not counted', async () => {
  expect(await rests([5, 5, 8, 0])).toEqual([25, 40, 0]);
});

test('several works share the same sixth of the time', async () => {
  // Each of three has an eighteenth.
  expect(await rests([5, 2, 5], 2)).toEqual([34, 85]);
});

test('no rest is longer than 100 ms', async () => {
  expect(await rests([5, 19, 21, 60_000])).toEqual([95, 100, 100]);
  expect(await rests([5, 1], 1_000)).toEqual([100]);
});

test('a rest leaves the thread to others', async () => {
  const work = new PartTime();
  await work.rest();
  const until = performance.now() + 10;
  while (performance.now() < until);
  let others = 0;
  const beside = setInterval(() => others++, 1);
  await work.rest();
  clearInterval(beside);
  expect(others).toBeGreaterThan(0);
});
