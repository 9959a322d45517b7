import { PartTime } from './part-time.js';

/** Parts of so many ms each, by a clock that only parts and rests move on. */
async function rests(...parts: number[]): Promise<number[]> {
  let nowMs = 0;
  const taken: number[] = [];
  const pause = async (ms: number) => (taken.push(ms), (nowMs += ms));
  const work = new PartTime({ pause, nowMs: () => nowMs });
  for (const ms of parts) {
    nowMs += ms;
    await work.rest();
  }
  return taken;
}

test('what is done in one part never rests', async () => {
  expect(await rests(1_000)).toEqual([]);
});

test('every further part is followed by a rest of twice its time, rests not counted', async () => {
  expect(await rests(5, 5, 8, 0)).toEqual([10, 16, 0]);
});

test('no rest is longer than 50 ms', async () => {
  expect(await rests(5, 25, 26, 60_000)).toEqual([50, 50, 50]);
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
