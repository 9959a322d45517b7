import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { waitMs } from '../../deliveries/delivery.js';
import { JITTER, RETRY_SCHEDULE_S, retryAfterSeconds } from './retry-schedule.js';

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const NOW = Date.parse('2026-11-21T12:00:00.000Z');

const SCHEDULE_MS = RETRY_SCHEDULE_S.slice(1).map((seconds) => seconds * 1_000);
const waits = (attempt: number, at: number, afterS = 0): number | null =>
  waitMs(SCHEDULE_MS, attempt, afterS * 1_000, () => at);

describe('how long is waited for the next attempt', () => {
  it('is what is published, changed by a fifth at most', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), random, (attempt, at) => {
        const plannedMs = RETRY_SCHEDULE_S[attempt]! * 1_000;
        expect(waits(attempt, at)).toBeGreaterThanOrEqual(plannedMs * (1 - JITTER));
        expect(waits(attempt, at)).toBeLessThanOrEqual(plannedMs * (1 + JITTER));
      }),
    );
    expect([waits(1, 0), waits(1, 0.5)]).toEqual([4_000, 5_000]);
  });

  it('comes to 75 hours and 35 minutes over ten attempts, after which there is none', () => {
    const planned = Array.from({ length: 9 }, (_, i) => waits(i + 1, 0.5)!);
    expect(planned.reduce((sum, wait) => sum + wait, 0)).toBe((75 * 3600 + 35 * 60 + 5) * 1_000);
    expect([waits(10, 0.5), waits(10, 0.5, 60)]).toEqual([null, null]);
  });

  it('is at least what the receiver asked for, within a day', () => {
    expect(waits(1, 0, 120)).toBe(120_000);
    expect(waits(5, 0.5, 120)).toBe(18_000_000);
    expect(waits(1, 0, 999_999_999)).toBe(86_400_000);
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
