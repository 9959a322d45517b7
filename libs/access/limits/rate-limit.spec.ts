import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { startRedisCluster, type RedisCluster } from '../../../test/support/redis-cluster.js';
import { startRedis, type RedisServer } from '../../../test/support/redis.js';
import { until } from '../../../test/support/timing.js';
import { Redis } from '../../engines/cache/redis.js';
import {
  DEBT_MAX,
  MemoryRateLimiter,
  ONE_UNIT,
  outcomeOf,
  policyHeader,
  rateLimitHeader,
  type Charge,
  type RateLimiter,
} from './rate-limit.js';
import { RedisRateLimiter, takeShared } from './redis-rate-limit.js';

/** What a client may take where a test is not about time: the machine may be busy. */
const PATIENT_MS = 60_000;
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

  it('charges as many units as a request costs, all or none', () => {
    const limiter = new MemoryRateLimiter();
    const take = (charge: Charge, nowMs = 0) => limiter.take('b', POLICY, nowMs, charge);
    expect(take({ units: 50 })).toEqual({ allowed: true, remaining: 10, resetSeconds: 3, retryAfterSeconds: 0 });
    expect(take({ units: 20 })).toEqual({ allowed: false, remaining: 10, resetSeconds: 3, retryAfterSeconds: 1 });
    expect(take({ units: 10 }).remaining).toBe(0);
    expect(take({ units: 40 }).retryAfterSeconds).toBe(2);
    expect(take({ units: 40 }, 1999).allowed).toBe(false);
    expect(take({ units: 40 }, 2000).allowed).toBe(true);
  });

  it('lets a request that costs more than the burst go into debt, from a full bucket', () => {
    const limiter = new MemoryRateLimiter();
    limiter.take('b', POLICY, 0);
    const big = { units: 500 };
    expect(limiter.take('b', POLICY, 0, big)).toMatchObject({ allowed: false, remaining: 59, retryAfterSeconds: 1 });
    expect(limiter.take('b', POLICY, 1000, big)).toEqual({
      allowed: true,
      remaining: 0,
      resetSeconds: 25,
      retryAfterSeconds: 0,
    });
    expect(limiter.take('b', POLICY, 1000)).toMatchObject({ allowed: false, retryAfterSeconds: 23 });
    expect(limiter.take('b', POLICY, 23_000).allowed).toBe(false);
    expect(limiter.take('b', POLICY, 23_050).allowed).toBe(true);
  });

  it('charges work that is done whatever is left, and remembers a bounded debt', () => {
    const limiter = new MemoryRateLimiter();
    const owed = (units: number) => limiter.take('b', POLICY, 0, { units, owed: true });
    expect(owed(80)).toEqual({ allowed: true, remaining: 0, resetSeconds: 4, retryAfterSeconds: 0 });
    expect(limiter.take('b', POLICY, 0)).toMatchObject({ allowed: false, retryAfterSeconds: 2 });
    for (let i = 0; i < 5; i++) owed(DEBT_MAX);
    expect(limiter.take('b', POLICY, 0).retryAfterSeconds).toBe((DEBT_MAX + 1) / 20 + 0.95);
  });

  it('lets debts shrink with the limit of today, where the limit of a site was changed', () => {
    const limiter = new MemoryRateLimiter();
    limiter.take('b', { perSecond: 0.001, burst: 100 }, 0, { units: 100 });
    expect(limiter.take('b', { perSecond: 100, burst: 100 }, 1000, { units: 100 }).allowed).toBe(true);
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

  const policies = fc.record({ perSecond: fc.integer({ min: 1, max: 2000 }), burst: fc.integer({ min: 1, max: 500 }) });
  /** More than a burst, too; every sixth is owed. */
  const requests = fc.array(
    fc.record({
      gapMs: fc.oneof(fc.constant(0), fc.nat(400)),
      units: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 600 })),
      owed: fc.nat(5).map((n) => n === 0),
    }),
    { minLength: 1, maxLength: 120 },
  );

  it('law: whatever is asked, no stretch of time that ends with an allowed request holds more than burst and rate give', () => {
    fc.assert(
      fc.property(policies, requests, (policy, asked) => {
        const limiter = new MemoryRateLimiter();
        const done: { atMs: number; units: number; owed: boolean }[] = [];
        let now = 1_700_000_000_000;
        for (const { gapMs, units, owed } of asked) {
          now += gapMs;
          const outcome = limiter.take('b', policy, now, { units, owed });
          expect(outcome.allowed || !owed).toBe(true);
          expect(outcome.retryAfterSeconds > 0).toBe(!outcome.allowed);
          if (outcome.allowed) done.push({ atMs: now, units, owed });
        }
        for (const [last, { atMs, units, owed }] of done.entries()) {
          if (owed) continue;
          let sum = 0;
          for (let first = last; first >= 0; first--) {
            sum += done[first]!.units;
            const given = ((atMs - done[first]!.atMs) * policy.perSecond) / 1000;
            expect(sum).toBeLessThanOrEqual(Math.max(policy.burst, units) + given + 1e-2);
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it('law: a caller who waits the announced time is allowed, whatever the request costs, and never waits a second too much', () => {
    fc.assert(
      fc.property(policies, requests, fc.integer({ min: 1, max: 1000 }), (policy, asked, units) => {
        const limiters = [new MemoryRateLimiter(), new MemoryRateLimiter()];
        let now = 0;
        for (const request of asked) {
          now += request.gapMs;
          for (const limiter of limiters) limiter.take('b', policy, now, request);
        }
        const { allowed, retryAfterSeconds } = limiters[0]!.take('b', policy, now, { units });
        limiters[1]!.take('b', policy, now, { units, owed: allowed });
        if (allowed) return;
        expect(limiters[0]!.take('b', policy, now + retryAfterSeconds * 1000, { units }).allowed).toBe(true);
        if (retryAfterSeconds > 1)
          expect(limiters[1]!.take('b', policy, now + (retryAfterSeconds - 1) * 1000 - 2, { units }).allowed).toBe(
            false,
          );
      }),
      { numRuns: 200 },
    );
  });

  it('law: to pay one unit first and the rest later is as good as to pay at once', () => {
    fc.assert(
      fc.property(policies, requests, fc.integer({ min: 2, max: 1000 }), (policy, asked, units) => {
        const [whole, parts] = [new MemoryRateLimiter(), new MemoryRateLimiter()];
        let now = 0;
        for (const request of asked) {
          now += request.gapMs;
          for (const limiter of [whole, parts]) limiter.take('b', policy, now, request);
        }
        const first = parts.take('b', policy, now);
        const second = first.allowed ? parts.take('b', policy, now, { units: units - 1, paid: 1 }) : first;
        const once = whole.take('b', policy, now, { units });
        expect(second.allowed).toBe(once.allowed);
        if (once.allowed) expect(second).toEqual(once);
      }),
      { numRuns: 200 },
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
  let cluster: RedisCluster;
  let clustered: Redis;
  const clients: Redis[] = [];
  beforeAll(async () => {
    [server, cluster] = await Promise.all([startRedis(), startRedisCluster()]);
    await connected(PATIENT_MS);
    clustered = new Redis(cluster.url, undefined, PATIENT_MS);
    await until(() => clustered.available);
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    clustered?.close();
    await Promise.all([server?.stop(), cluster?.stop()]);
  });

  async function connected(withinMs?: number): Promise<Redis> {
    const client = new Redis(server.url, undefined, withinMs);
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
    ['in a Redis Cluster', () => new RedisRateLimiter(clustered)],
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
    const begun = performance.now();
    expect([await allowed(), await allowed()]).toEqual([true, true]);
    await pause(220);
    expect(await allowed()).toBe(true);
    // Beside a load the clock may have gone on for longer, and brought back more.
    let count = 3;
    while (await allowed()) count++;
    expect(count).toBeLessThanOrEqual(quick.burst + ((performance.now() - begun) * quick.perSecond) / 1000);
  });

  it.each<[string, () => RateLimiter]>([
    ['in memory', () => new MemoryRateLimiter()],
    ['in Redis', () => new RedisRateLimiter(clients[0]!)],
    ['in a Redis Cluster', () => new RedisRateLimiter(clustered)],
  ])('%s counts the units of a request, more than a burst and debts included', async (_, open) => {
    const limiter = open();
    const take = async (bucket: string, charge: Charge) => limiter.take(bucket, SLOW, performance.now(), charge);
    const bucket = randomUUID();
    expect(await take(bucket, { units: 15 })).toMatchObject({ allowed: true, remaining: 5 });
    expect(await take(bucket, { units: 6 })).toMatchObject({ allowed: false, remaining: 5, retryAfterSeconds: 100 });
    expect(await take(bucket, { units: 21 })).toMatchObject({ allowed: false, retryAfterSeconds: 1500 });
    expect(await take(bucket, { units: 5 })).toMatchObject({ allowed: true, remaining: 0 });
    const big = randomUUID();
    expect(await take(big, { units: 1 })).toMatchObject({ allowed: true });
    expect(await take(big, { units: 30, paid: 1 })).toMatchObject({ allowed: true, remaining: 0, resetSeconds: 3100 });
    expect(await take(big, { units: 1 })).toMatchObject({ allowed: false, retryAfterSeconds: 1200 });
    expect(await take(big, { units: 9, owed: true })).toMatchObject({ allowed: true, resetSeconds: 4000 });
  });

  it('in Redis goes on from what all instances have used when Redis is gone', async () => {
    const [mine, other] = [new RedisRateLimiter(clients[0]!), new RedisRateLimiter(await connected(PATIENT_MS))];
    const bucket = randomUUID();
    expect(await atOnce(other, 17, bucket)).toBe(17);
    expect(await mine.take(bucket, SLOW, performance.now(), { units: 4 })).toMatchObject({
      allowed: false,
      remaining: 3,
    });
    expect(await mine.take(bucket, SLOW, performance.now())).toMatchObject({ allowed: true, remaining: 2 });
    await server.command('FLUSHALL');
    expect(await atOnce(mine, 100, bucket)).toBe(2);
  });

  it.each<[string, () => Redis]>([
    ['Redis', () => clients[0]!],
    ['a Redis Cluster', () => clustered],
  ])('in %s answers like the one in memory at the times of its clock', async (_, client) => {
    const policies = fc.constantFrom(
      { perSecond: 1000, burst: 7 },
      { perSecond: 300, burst: 3 },
      { perSecond: 1e6, burst: 2 },
      { perSecond: 0.001, burst: 4 },
      { perSecond: 7, burst: 5 },
    );
    const charges = fc.oneof(
      fc.constant(ONE_UNIT),
      fc.record({ units: fc.integer({ min: 1, max: 12 }), paid: fc.nat(2), owed: fc.boolean() }),
      fc.constant({ units: 9000, owed: true }),
    );
    await fc.assert(
      fc.asyncProperty(
        policies,
        fc.array(fc.record({ charge: charges, wait: fc.nat(4) }), { minLength: 1, maxLength: 25 }),
        async (policy, calls) => {
          const memory = new MemoryRateLimiter();
          const bucket = randomUUID();
          for (const { charge, wait } of calls) {
            if (wait === 0) await pause(1);
            const { allowed, used, atMs } = await takeShared(client(), bucket, policy, charge);
            expect(outcomeOf(policy, charge, allowed, used)).toEqual(memory.take('b', policy, atMs, charge));
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
      new RedisRateLimiter(await connected(PATIENT_MS)),
      new RedisRateLimiter(await connected(PATIENT_MS)),
    ];
    const allowed = await Promise.all(instances.map((limiter) => atOnce(limiter, 100, bucket)));
    expect(allowed.reduce((sum, count) => sum + count)).toBe(20);
    const quick = randomUUID();
    await instances[0]!.take(quick, { perSecond: 100, burst: 2 }, performance.now());
    await pause(30);
    expect(await server.command('EXISTS', `assent:work:${quick}`)).toBe('0');
  });

  it('in Redis limits each instance by itself while Redis is full, emptied, hanging or gone', async () => {
    const hasty = [await connected(), await connected()];
    const limiters = hasty.map((client) => new RedisRateLimiter(client));
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
    await until(() => hasty.every(({ available }) => available));
    await server.kill();
    await holds();
  });
});
