import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JITTER, RETRY_SCHEDULE_S, retryAfterSeconds, secondsToWait } from './retry-schedule.js';

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const NOW = Date.parse('2026-11-21T12:00:00.000Z');

describe('how long is waited for the next attempt', () => {
  it('is what is published, changed by a fifth at most', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), random, (failed, at) => {
        const planned = RETRY_SCHEDULE_S[failed]!;
        const waits = secondsToWait(failed, at)!;
        expect(waits).toBeGreaterThanOrEqual(planned * (1 - JITTER));
        expect(waits).toBeLessThanOrEqual(planned * (1 + JITTER));
      }),
    );
    expect([secondsToWait(1, 0), secondsToWait(1, 0.5)]).toEqual([4, 5]);
  });

  it('comes to 75 hours and 35 minutes over ten attempts, after which there is none', () => {
    const waits = Array.from({ length: 9 }, (_, i) => secondsToWait(i + 1, 0.5)!);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBe(75 * 3600 + 35 * 60 + 5);
    expect(secondsToWait(10, 0.5)).toBeNull();
    expect(secondsToWait(10, 0.5, 60)).toBeNull();
  });

  it('is at least what the receiver asked for, within a day', () => {
    expect(secondsToWait(1, 0.5, 120)).toBe(120);
    expect(secondsToWait(5, 0.5, 120)).toBe(18_000);
    expect(secondsToWait(1, 0.5, 999_999_999)).toBe(86_400);
  });
});

describe('Retry-After', () => {
  it.each<[string | undefined, number | null]>([
    ['120', 120],
    [' 0 ', 0],
    ['Sat, 21 Nov 2026 12:01:00 GMT', 60],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    [undefined, null],
    ['', null],
    ['soon', null],
    ['-5', null],
    ['1.5', null],
    ['99999999999999999999', null],
    ['Sat, 99 Nov 2026 12:01:00 GMT', null],
    ['2026-11-21T12:01:00Z', null],
  ])('%j asks for %j seconds', (header, seconds) => expect(retryAfterSeconds(header, NOW)).toBe(seconds));
});
