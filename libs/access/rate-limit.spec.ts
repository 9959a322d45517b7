import fc from 'fast-check';
import { MemoryRateLimiter, policyHeader, rateLimitHeader } from './rate-limit.js';

const POLICY = { perSecond: 20, burst: 60 };
const takeMany = (limiter: MemoryRateLimiter, count: number, nowMs: number, bucket = 'b') =>
  Array.from({ length: count }, () => limiter.take(bucket, POLICY, nowMs)).filter((outcome) => outcome.allowed).length;

describe('the rate limit', () => {
  it('lets a burst through and not one more', () => expect(takeMany(new MemoryRateLimiter(), 1000, 0)).toBe(60));

  it('gives back twenty calls a second', () => {
    const limiter = new MemoryRateLimiter();
    takeMany(limiter, 60, 0);
    expect(takeMany(limiter, 100, 1000)).toBe(20);
    expect(takeMany(limiter, 100, 61_000)).toBe(60);
  });

  it('says how many calls are left and when to come back', () => {
    const limiter = new MemoryRateLimiter();
    expect(limiter.take('b', POLICY, 0)).toEqual({ allowed: true, remaining: 59, resetSeconds: 1, retryAfterSeconds: 0 });
    takeMany(limiter, 59, 0);
    expect(limiter.take('b', POLICY, 0)).toEqual({ allowed: false, remaining: 0, resetSeconds: 3, retryAfterSeconds: 1 });
    expect(new MemoryRateLimiter().take('b', { perSecond: 0.1, burst: 1 }, 0).allowed).toBe(true);
  });

  it('does not lock out for longer than a burst when the clock is set back', () => {
    const limiter = new MemoryRateLimiter();
    takeMany(limiter, 60, 3_600_000);
    expect(takeMany(limiter, 1, 0)).toBe(0);
    expect(takeMany(limiter, 100, 3000)).toBe(60);
  });

  it('counts every bucket by itself and keeps a bounded number', () => {
    const limiter = new MemoryRateLimiter(100);
    for (let i = 0; i < 1000; i++) limiter.take(`b${i}`, POLICY, 0);
    expect(limiter.size).toBe(100);
    expect(takeMany(limiter, 100, 0, 'b0')).toBe(60);
  });

  it('forgets the least recently used first', () => {
    const limiter = new MemoryRateLimiter(2);
    takeMany(limiter, 60, 0, 'busy');
    limiter.take('a', POLICY, 0);
    limiter.take('busy', POLICY, 0);
    limiter.take('c', POLICY, 0);
    expect(limiter.take('busy', POLICY, 0).allowed).toBe(false);
  });

  it('law: in any stretch of time no more than the burst and the rate allow, and nobody slower is refused', () => {
    const policies = fc.record({ perSecond: fc.integer({ min: 1, max: 2000 }), burst: fc.integer({ min: 1, max: 500 }) });
    const pauses = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(policies, pauses, (policy, gaps) => {
        const limiter = new MemoryRateLimiter();
        const allowedAt: number[] = [];
        let now = 1_700_000_000_000;
        let remaining = policy.burst;
        for (const gap of gaps) {
          now += gap;
          const outcome = limiter.take('b', policy, now);
          if (gap === 0 && remaining === 0 && allowedAt.length > 0) expect(outcome.allowed).toBe(false);
          if (gap >= 1000 / policy.perSecond + 1) expect(outcome.allowed).toBe(true);
          expect(outcome.retryAfterSeconds > 0).toBe(!outcome.allowed);
          expect(outcome.remaining).toBeLessThan(policy.burst);
          remaining = outcome.remaining;
          if (outcome.allowed) allowedAt.push(now);
        }
        for (let from = 0; from < allowedAt.length; from += 7) {
          for (let to = from; to < allowedAt.length; to++) {
            expect(to - from + 1).toBeLessThanOrEqual(policy.burst + ((allowedAt[to]! - allowedAt[from]!) * policy.perSecond) / 1000 + 1e-2);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is announced by the headers of the draft', () => {
    expect(policyHeader(POLICY)).toBe('"default";q=60;w=3');
    expect(policyHeader({ perSecond: 1000, burst: 2000 })).toBe('"default";q=2000;w=2');
    expect(rateLimitHeader(new MemoryRateLimiter().take('b', POLICY, 0))).toBe('"default";r=59;t=1');
  });
});
