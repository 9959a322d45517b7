import { describe, expect, it } from '@jest/globals';
import { Arrivals, WAITERS_MAX } from './arrivals.js';

/** Longer than a test may take: who waits for it in vain never comes back. */
const FOR_EVER_MS = 2 ** 31 - 1;

describe('waiting for a position', () => {
  it('ends when it is reached', async () => {
    const arrivals = new Arrivals();
    const waiting = arrivals.waitFor(5n, FOR_EVER_MS);
    arrivals.advance(4n);
    expect(arrivals.isAwaited).toBe(true);
    arrivals.advance(5n);
    expect(await waiting).toBe(true);
    expect(arrivals.isAwaited).toBe(false);
  });

  it('ends when its time is over', async () => expect(await new Arrivals().waitFor(5n, 1)).toBe(false));

  it('is refused where too many wait, until some of them have their answer', async () => {
    const arrivals = new Arrivals();
    const waiting = Array.from({ length: WAITERS_MAX }, () => arrivals.waitFor(5n, FOR_EVER_MS));
    expect(await arrivals.waitFor(5n, FOR_EVER_MS)).toBe(false);
    arrivals.advance(5n);
    expect(await Promise.all(waiting)).not.toContain(false);
    const later = arrivals.waitFor(6n, FOR_EVER_MS);
    arrivals.advance(6n);
    expect(await later).toBe(true);
  });

  it('ends where nothing more arrives, also for whoever comes after that', async () => {
    const arrivals = new Arrivals();
    arrivals.advance(4n);
    const waiting = arrivals.waitFor(5n, FOR_EVER_MS);
    arrivals.end();
    expect(await waiting).toBe(false);
    expect(await arrivals.waitFor(5n, FOR_EVER_MS)).toBe(false);
    expect(await arrivals.waitFor(4n, FOR_EVER_MS)).toBe(true);
  });
});
