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

test('every further part is followed by a rest of seven times its time, rests not counted', async () => {
  expect(await rests([5, 5, 8, 0])).toEqual([35, 56, 0]);
});

test('several works share the same eighth of the time', async () => {
  // Each of three has a twenty-fourth.
  expect(await rests([5, 2, 4], 2)).toEqual([46, 92]);
});

test('no rest is longer than 400 ms', async () => {
  expect(await rests([5, 57, 58, 60_000])).toEqual([399, 400, 400]);
  expect(await rests([5, 1], 1_000)).toEqual([400]);
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
