import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { PartTime } from './part-time.js';

interface Part {
  work: number;
  from: number;
  to: number;
}

/** A thread that does parts of so many ms each of several works, by a clock that only parts and rests move on. */
async function done(works: readonly (readonly number[])[]): Promise<Part[]> {
  let nowMs = 0;
  const parts: Part[] = [];
  const resting: { until: number; goOn: () => void }[] = [];
  const shared = { freeAtMs: -Infinity };
  const rest = (ms: number): Promise<void> => {
    // Whatever is going on.
    expect(ms).toBeGreaterThanOrEqual(0);
    expect(ms).toBeLessThanOrEqual(400);
    return new Promise((goOn) => resting.push({ until: nowMs + ms, goOn }));
  };
  const all = works.map(async (ownParts, work) => {
    const own = new PartTime({ pause: rest, nowMs: () => nowMs, workedMs: () => nowMs, shared });
    for (const ms of ownParts) {
      await own.begin();
      parts.push({ work, from: nowMs, to: (nowMs += ms) });
      own.end();
    }
  });
  // Whoever goes on does so before the next one is let go on.
  for (await pause(0); resting.length > 0; await pause(0)) {
    resting.sort((a, b) => a.until - b.until);
    const { until, goOn } = resting.shift()!;
    nowMs = Math.max(nowMs, until);
    goOn();
  }
  await Promise.all(all);
  return parts;
}

/** How long the thread was free before each part. */
const restsOf = (parts: readonly Part[]): number[] => parts.slice(1).map(({ from }, i) => from - parts[i]!.to);

test('what is done in one part never rests', async () => {
  expect(restsOf(await done([[1_000], [5], [5]]))).toEqual([0, 0]);
});

test('every part but the last is followed by a rest of seven times its time, rests not counted', async () => {
  expect(restsOf(await done([[5, 5, 8, 1, 1]]))).toEqual([35, 35, 56, 7]);
});

test('no rest is longer than 400 ms', async () => {
  expect(restsOf(await done([[57, 58, 60_000, 1]]))).toEqual([399, 400, 400]);
});

test('several works share the same eighth of the time, and none of their parts follows another at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 1, max: 8 }), async (works, ms) => {
      const parts = await done(Array.from({ length: works }, () => Array.from({ length: 20 }, () => ms)));
      // Until they are spread evenly: their first parts follow one another.
      const later = parts.slice(4 * works);
      const rests = restsOf(later);
      expect(rests).toEqual(rests.map(() => 7 * ms));
      // Each gets the same: they take turns.
      const order = later.map(({ work }) => work);
      expect(order).toEqual(order.map((_, i) => order[i % works]));
    }),
    { numRuns: 20 },
  );
});

test('however many there are and whatever their parts take, none rests for longer than 400 ms, and all are done', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 6 }), {
        minLength: 1,
        maxLength: 30,
      }),
      async (works) => {
        const parts = await done(works);
        for (const work of works.keys()) {
          const own = parts.filter((part) => part.work === work);
          expect(own.map(({ from, to }) => to - from)).toEqual(works[work]);
        }
      },
    ),
    { numRuns: 30 },
  );
});

test('what a part waits for is no time of the thread', async () => {
  const rests: number[] = [];
  const clocks = { nowMs: 0, workedMs: 0 };
  const work = new PartTime({
    pause: (ms) => Promise.resolve(void rests.push(ms)),
    nowMs: () => clocks.nowMs,
    workedMs: () => clocks.workedMs,
    shared: { freeAtMs: -Infinity },
  });
  for (let part = 0; part < 3; part++) {
    await work.begin();
    clocks.workedMs += 2;
    clocks.nowMs += 90;
    work.end();
  }
  expect(rests).toEqual([14, 14]);
});

test('nothing rests that only waited', async () => {
  const rests: number[] = [];
  const work = new PartTime({ pause: (ms) => Promise.resolve(void rests.push(ms)) });
  for (let part = 0; part < 3; part++) {
    await work.begin();
    await pause(60);
    work.end();
  }
  // Less than was waited, where seven times as much would be 400.
  expect(Math.max(...rests)).toBeLessThan(200);
});

test('a rest leaves the thread to others', async () => {
  const work = new PartTime();
  await work.begin();
  const until = performance.now() + 10;
  while (performance.now() < until);
  work.end();
  let others = 0;
  const beside = setInterval(() => others++, 1);
  await work.begin();
  clearInterval(beside);
  expect(others).toBeGreaterThan(0);
});
