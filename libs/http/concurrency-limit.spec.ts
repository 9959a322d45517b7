import { AT_ONCE_MAX, AT_ONCE_MIN, ConcurrencyLimit, type Leave } from './concurrency-limit.js';

/** A limit whose clock is set by hand, in ms. */
function limited(): { limit: ConcurrencyLimit; at: (ms: number) => void; enter: (count: number) => Leave[] } {
  let now = 0;
  const limit = new ConcurrencyLimit(() => now);
  return { limit, at: (ms) => (now = ms), enter: (count) => Array.from({ length: count }, () => limit.enter()!) };
}

describe('how many writes are under way at once', () => {
  it('is bounded, and a request that ends makes room', () => {
    const { limit, enter } = limited();
    const [first] = enter(AT_ONCE_MAX);
    expect(limit.enter()).toBeNull();
    first!(false);
    expect(limit.enter()).not.toBeNull();
    expect(limit.enter()).toBeNull();
    expect(limit.refused).toBe(2);
  });

  it('is halved by answers that came too late: from what was under way, once for all that were, and never below a few', () => {
    const { limit, at, enter } = limited();
    const leave = enter(200);
    at(1900);
    for (const each of leave) each(true);
    expect(limit.limit).toBe(100);
    for (let ms = 4000; ms < 40_000; ms += 2000) {
      const next = enter(limit.limit);
      at(ms + 1900);
      for (const each of next) each(true);
    }
    expect(limit.limit).toBe(AT_ONCE_MIN);
  });

  it('is not changed by an engine that is away, and refuses at once', () => {
    const { limit, at, enter } = limited();
    const leave = enter(500);
    at(20);
    for (const each of leave) each(true);
    expect(limit.limit).toBe(AT_ONCE_MAX);
  });

  it('grows again by prompt answers where it is used, and by no others', () => {
    const { limit, at, enter } = limited();
    const late = enter(100);
    at(1900);
    for (const each of late) each(true);
    expect(limit.limit).toBe(50);
    const few = enter(10);
    at(1910);
    for (const each of few) each(false);
    const slow = enter(50);
    at(4000);
    for (const each of slow) each(false);
    expect(limit.limit).toBe(50);
    for (let round = 0; round < 2000; round++) for (const each of enter(limit.limit)) each(false);
    expect(limit.limit).toBe(AT_ONCE_MAX);
  });

  it('tells those whom it refuses to come again the later, the more they are, and not all together', () => {
    const { limit, at, enter } = limited();
    enter(AT_ONCE_MAX);
    const secondsAfter = (count: number): number[] =>
      Array.from({ length: count }, () => {
        limit.enter();
        return limit.againAfter();
      });
    expect(new Set(secondsAfter(6))).toEqual(new Set([1, 2, 3]));
    at(1000);
    expect(Math.min(...secondsAfter(10_010).slice(-3))).toBe(11);
    at(2000);
    expect(Math.max(...secondsAfter(100_000).slice(-3))).toBe(32);
    at(10_000);
    expect(Math.max(...secondsAfter(3))).toBe(3);
  });
});

describe('a service that is asked for more than it can do', () => {
  const CAPACITY = 50;
  const BUDGET_MS = 1900;
  const CLIENTS = 500;
  const times = { now: 0 };

  /**
   * Clients that each ask again as soon as they are answered, or after `Retry-After`; the service takes its turns in
   * order, and works on a request to its end also where that has become too late. Answered in time, in each second.
   */
  function answered(enter: () => Leave | null, againAfter: () => number, seconds: number): number[] {
    const inTime = new Array<number>(seconds).fill(0);
    const asking = Array.from({ length: CLIENTS }, (_, n) => n);
    const line: { since: number; leave: Leave; client: number }[] = [];
    const again = new Map<number, number[]>();
    for (let ms = 0; ms < seconds * 1000; ms++) {
      times.now = ms;
      asking.push(...(again.get(ms) ?? []));
      again.delete(ms);
      for (const client of asking.splice(0)) {
        const leave = enter();
        if (leave) line.push({ since: ms, leave, client });
        else {
          const at = ms + 1000 * againAfter();
          again.set(at, [...(again.get(at) ?? []), client]);
        }
      }
      if (ms % (1000 / CAPACITY) > 0) continue;
      const next = line.shift();
      if (!next) continue;
      const isLate = ms - next.since > BUDGET_MS;
      if (!isLate) inTime[Math.floor(ms / 1000)]!++;
      next.leave(isLate);
      asking.push(next.client);
    }
    return inTime;
  }
  const sumOf = (counts: number[]): number => counts.reduce((sum, count) => sum + count, 0);

  it('answers no request in time where all are let in', () => {
    const all = answered(
      () => () => undefined,
      () => 1,
      60,
    );
    expect(sumOf(all.slice(20))).toBe(0);
  });

  it('answers as many as it can where those beyond the limit are sent away', () => {
    const limit = new ConcurrencyLimit(() => times.now);
    const some = answered(
      () => limit.enter(),
      () => limit.againAfter(),
      120,
    );
    expect(sumOf(some.slice(60))).toBeGreaterThan(0.7 * 60 * CAPACITY);
  });
});
