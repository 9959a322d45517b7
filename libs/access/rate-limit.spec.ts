import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { startRedis, type RedisServer } from '../../test/support/redis.js';
import { Redis } from '../platform/cache/redis.js';
import { MemoryRateLimiter, outcomeOf, policyHeader, rateLimitHeader, type RateLimiter } from './rate-limit.js';
import { RedisRateLimiter, takeShared } from './redis-rate-limit.js';

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
    expect(limiter.take('b', POLICY, 0)).toEqual({
      allowed: true,
      remaining: 59,
      resetSeconds: 1,
      retryAfterSeconds: 0,
    });
    takeMany(limiter, 59, 0);
    expect(limiter.take('b', POLICY, 0)).toEqual({
      allowed: false,
      remaining: 0,
      resetSeconds: 3,
      retryAfterSeconds: 1,
    });
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
    const policies = fc.record({
      perSecond: fc.integer({ min: 1, max: 2000 }),
      burst: fc.integer({ min: 1, max: 500 }),
    });
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
            expect(to - from + 1).toBeLessThanOrEqual(
              policy.burst + ((allowedAt[to]! - allowedAt[from]!) * policy.perSecond) / 1000 + 1e-2,
            );
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

describe('every rate limiter', () => {
  let server: RedisServer;
  const clients: Redis[] = [];
  beforeAll(async () => {
    server = await startRedis();
    await connected();
  }, 60_000);
  afterAll(async () => {
    for (const client of clients) client.close();
    await server?.stop();
  });

  async function until(holds: () => unknown): Promise<void> {
    for (const deadline = Date.now() + 10_000; !(await holds()); await pause(5))
      if (Date.now() > deadline) throw new Error('it did not happen within 10 s');
  }
  async function connected(): Promise<Redis> {
    const client = new Redis(server.url);
    clients.push(client);
    await until(() => client.available);
    return client;
  }
  /** So slow that nothing comes back while a test runs. */
  const SLOW = { perSecond: 0.01, burst: 20 };
  const atOnce = async (limiter: RateLimiter, count: number, bucket: string): Promise<number> =>
    (
      await Promise.all(Array.from({ length: count }, async () => limiter.take(bucket, SLOW, performance.now())))
    ).filter(({ allowed }) => allowed).length;

  it.each<[string, () => RateLimiter]>([
    ['in memory', () => new MemoryRateLimiter()],
    ['in Redis', () => new RedisRateLimiter(clients[0]!)],
  ])('%s lets a burst through, tells the same and gives back in time', async (_, open) => {
    const limiter = open();
    const bucket = randomUUID();
    expect(await limiter.take(bucket, SLOW, performance.now())).toEqual({
      allowed: true,
      remaining: 19,
      resetSeconds: 100,
      retryAfterSeconds: 0,
    });
    expect(await atOnce(limiter, 100, bucket)).toBe(19);
    expect(await limiter.take(bucket, SLOW, performance.now())).toEqual({
      allowed: false,
      remaining: 0,
      resetSeconds: 2_000,
      retryAfterSeconds: 100,
    });
    expect(await atOnce(limiter, 100, randomUUID())).toBe(20);
    const quick = { perSecond: 5, burst: 2 };
    const other = randomUUID();
    const allowed = async () => (await limiter.take(other, quick, performance.now())).allowed;
    expect([await allowed(), await allowed(), await allowed()]).toEqual([true, true, false]);
    await pause(220);
    expect([await allowed(), await allowed()]).toEqual([true, false]);
  });

  it('in Redis answers like the one in memory at the times of the clock of Redis', async () => {
    const policies = fc.constantFrom(
      { perSecond: 1000, burst: 7 },
      { perSecond: 300, burst: 3 },
      { perSecond: 1e6, burst: 2 },
      { perSecond: 0.001, burst: 4 },
      { perSecond: 7, burst: 5 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ policy: policies, wait: fc.nat(4) }), { minLength: 1, maxLength: 25 }),
        async (calls) => {
          const memory = new MemoryRateLimiter();
          const bucket = randomUUID();
          for (const { policy, wait } of calls) {
            if (wait === 0) await pause(1);
            const { allowed, usedMs, atMs } = await takeShared(clients[0]!, bucket, policy);
            expect(outcomeOf(policy, allowed, usedMs)).toEqual(memory.take('b', policy, atMs));
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('in Redis is one limit for all instances, and leaves nothing behind', async () => {
    const bucket = randomUUID();
    const instances = [
      new RedisRateLimiter(clients[0]!),
      new RedisRateLimiter(await connected()),
      new RedisRateLimiter(await connected()),
    ];
    const allowed = await Promise.all(instances.map((limiter) => atOnce(limiter, 100, bucket)));
    expect(allowed.reduce((sum, count) => sum + count)).toBe(20);
    const quick = randomUUID();
    await instances[0]!.take(quick, { perSecond: 100, burst: 2 }, performance.now());
    await pause(30);
    expect(await server.command('EXISTS', `assent:limit:${quick}`)).toBe('0');
  });

  it('in Redis limits each instance by itself while Redis is full, emptied, hanging or gone', async () => {
    const limiters = [new RedisRateLimiter(clients[0]!), new RedisRateLimiter(clients[1]!)];
    const holds = async (): Promise<void> => {
      const bucket = randomUUID();
      for (const limiter of limiters) expect(await atOnce(limiter, 100, bucket)).toBeLessThanOrEqual(20);
      for (const limiter of limiters) expect(await atOnce(limiter, 10, bucket)).toBe(0);
    };
    await server.command('CONFIG', 'SET', 'maxmemory', '1mb');
    await holds();
    await server.command('CONFIG', 'SET', 'maxmemory', '0');
    const bucket = randomUUID();
    for (let i = 0; i < 5; i++) {
      await atOnce(limiters[0]!, 10, bucket);
      await server.command('FLUSHALL');
    }
    expect(await atOnce(limiters[0]!, 10, bucket)).toBe(0);
    server.signal('SIGSTOP');
    await holds();
    server.signal('SIGCONT');
    await until(() => clients[0]!.available && clients[1]!.available);
    await server.kill();
    await holds();
  });
});
