import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { startRedis, type RedisServer } from '../../../test/support/redis.js';
import { startRedisCluster, type RedisCluster } from '../../../test/support/redis-cluster.js';
import { luaScript, Redis } from './redis.js';
import { RedisTagCache } from './redis-tag-cache.js';
import { InProcessTagCache, TagsOfView, type TagCache, type TagOfView } from './tag-cache.js';
import { settlesWithin, until } from '../../../test/support/timing.js';

/** What a client may take where a test is not about time: the machine may be busy. */
const PATIENT_MS = 5_000;

let server: RedisServer;
let redis: Redis;
let shared: RedisTagCache;
let cluster: RedisCluster;
let clustered: Redis;
let spread: RedisTagCache;
beforeAll(async () => {
  [server, cluster] = await Promise.all([startRedis(), startRedisCluster()]);
  clustered = new Redis(cluster.url, undefined, PATIENT_MS);
  spread = new RedisTagCache(clustered);
  spread.lead();
  await until(() => clustered.available);
  redis = new Redis(server.url, undefined, PATIENT_MS);
  shared = new RedisTagCache(redis);
  shared.lead();
  await until(async () => (await server.command('GET', 'assent:tags:epoch')) !== '');
});
afterAll(async () => {
  shared?.stop();
  spread?.stop();
  redis?.close();
  clustered?.close();
  await Promise.all([server?.stop(), cluster?.stop()]);
});

const tag = (revision: number, through: number | bigint = revision, ...turningPoints: string[]): TagOfView => ({
  revision,
  through: BigInt(through),
  turningPoints,
  view: 1,
});

describe.each<[string, () => TagCache<TagOfView>]>([
  ['in process', () => new InProcessTagCache()],
  ['in Redis', () => shared],
  ['in a Redis Cluster', () => spread],
])('tags %s', (_, open) => {
  it('finds what was raised, and nothing of another subject', async () => {
    const tags = open();
    const subject = randomUUID();
    const raised = tag(7, 2n ** 60n, '2026-11-21T12:00:00.000Z', '2027-01-01T00:00:00.000Z');
    tags.raise(subject, raised);
    expect(await tags.find(subject)).toEqual(raised);
    expect(await tags.find(randomUUID())).toBeNull();
  });

  it('never puts an older revision over a newer one', async () => {
    const tags = open();
    const subject = randomUUID();
    tags.raise(subject, tag(2, 20));
    tags.raise(subject, tag(1, 30, '2026-11-21T12:00:00.000Z'));
    expect(await tags.find(subject)).toMatchObject({ revision: 2, turningPoints: [] });
  });

  it('keeps the later position: who knew more about the past was not wrong about it', async () => {
    const tags = open();
    const subject = randomUUID();
    tags.raise(subject, tag(1, 30));
    tags.raise(subject, tag(2, 20));
    expect(await tags.find(subject)).toEqual(tag(2, 30));
    tags.raise(subject, tag(2, 40));
    expect(await tags.find(subject)).toEqual(tag(2, 40));
  });

  it('no longer finds what was dropped, until it is raised to at least that revision', async () => {
    const tags = open();
    const subject = randomUUID();
    tags.raise(subject, tag(2));
    tags.drop([subject, randomUUID()]);
    expect(await tags.find(subject)).toBeNull();
    // A reader who was slow: he has read the row as it was before.
    tags.raise(subject, tag(1));
    expect(await tags.find(subject)).toBeNull();
    tags.raise(subject, tag(3));
    expect(await tags.find(subject)).toEqual(tag(3));
  });

  it('believes no turning points of another release, yet learns from it what is no longer so', async () => {
    const tags = open();
    const [older, newer] = [new TagsOfView(tags, 'v-', 1), new TagsOfView(tags, 'v-', 2)];
    const subject = randomUUID();
    const known = { revision: 1, through: 10n, turningPoints: ['2026-11-21T12:00:00.000Z'] };
    newer.raise(subject, known);
    expect(await newer.find(subject)).toEqual(known);
    expect(await older.find(subject)).toBeNull();
    older.raise(subject, { ...known, revision: 2, turningPoints: [] });
    expect(await newer.find(subject)).toBeNull();
    // The row as it was before the older release's projector wrote it.
    newer.raise(subject, known);
    expect(await newer.find(subject)).toBeNull();
    newer.raise(subject, { ...known, revision: 2 });
    expect(await newer.find(subject)).toEqual({ ...known, revision: 2 });
  });

  it('law: in whatever order news arrives, the newest that was raised since the last drop is found', async () => {
    const step = fc.record({ subject: fc.nat(2), revision: fc.nat(6), through: fc.nat(9), drop: fc.nat(5) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const tags = open();
        const run = randomUUID();
        const known = new Map<string, { tag: TagOfView; dropped: boolean }>();
        for (const { subject, revision, through, drop } of steps) {
          const id = `${run}-${subject}`;
          const before = known.get(id);
          if (drop === 0) {
            tags.drop([id]);
            if (before) before.dropped = true;
          } else {
            tags.raise(id, tag(revision, through));
            if (!before || before.tag.revision <= revision)
              known.set(id, {
                tag: tag(revision, Math.max(through, Number(before?.tag.through ?? 0n))),
                dropped: false,
              });
          }
          if (drop === 1) await Promise.resolve();
          const expected = known.get(id);
          if (drop < 3) expect(await tags.find(id)).toEqual(expected && !expected.dropped ? expected.tag : null);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('tags in Redis', () => {
  it('are the same for every instance', async () => {
    const other = new Redis(server.url, undefined, PATIENT_MS);
    const elsewhere = new RedisTagCache(other);
    await until(() => other.available);
    const subject = randomUUID();
    shared.raise(subject, tag(1));
    await until(() => elsewhere.find(subject));
    elsewhere.raise(subject, tag(2));
    await until(async () => (await shared.find(subject))?.revision === 2);
    elsewhere.drop([subject]);
    await until(async () => (await shared.find(subject)) === null);
    other.close();
  });

  it('are raised by the thousand', async () => {
    const run = randomUUID();
    for (let i = 0; i < 2_345; i++) shared.raise(`${run}-${i}`, tag(i));
    expect(await shared.find(`${run}-0`)).toEqual(tag(0));
    expect(await shared.find(`${run}-2344`)).toEqual(tag(2344));
    shared.drop(Array.from({ length: 2_345 }, (_, i) => `${run}-${i}`));
    expect(await shared.find(`${run}-2344`)).toBeNull();
  });

  it('count only while a projector vouches for them, and not across its restarts', async () => {
    const subject = randomUUID();
    shared.raise(subject, tag(1));
    expect(await shared.find(subject)).toEqual(tag(1));
    expect(Number(await server.command('PTTL', 'assent:tags:epoch'))).toBeLessThanOrEqual(3_000);
    shared.stop();
    shared.lead();
    await until(async () => (await shared.find(subject)) === null);
    await server.command('DEL', 'assent:tags:epoch');
    shared.raise(subject, tag(2));
    expect(await shared.find(subject)).toBeNull();
    shared.lead();
    // A tag that was raised in between counts only after a projector has raised it again.
    await until(async () => (shared.raise(subject, tag(2)), shared.find(subject)));
  });

  it('stop counting when the projector could not tell what it committed', async () => {
    const subject = randomUUID();
    shared.raise(subject, tag(1));
    expect(await shared.find(subject)).toEqual(tag(1));
    await server.command('CONFIG', 'SET', 'maxmemory', '1mb');
    try {
      shared.raise(subject, tag(2));
      await until(async () => (await shared.find(subject)) === null);
    } finally {
      await server.command('CONFIG', 'SET', 'maxmemory', '0');
    }
    await until(async () => (shared.raise(subject, tag(2)), shared.find(subject)));
  });

  it('are dropped from a full Redis too', async () => {
    const subject = randomUUID();
    shared.raise(subject, tag(1));
    expect(await shared.find(subject)).toEqual(tag(1));
    const reader = new Redis(server.url, undefined, PATIENT_MS);
    const elsewhere = new RedisTagCache(reader);
    await until(() => elsewhere.find(subject));
    await server.command('CONFIG', 'SET', 'maxmemory', '1mb');
    elsewhere.drop([subject]);
    await until(async () => (await server.command('GET', `assent:tag:${subject}`)) === '');
    await server.command('CONFIG', 'SET', 'maxmemory', '0');
    reader.close();
  });
});

describe('Redis as a door', () => {
  const ECHO = luaScript('return ARGV[1]');

  it('runs a script also after Redis forgot it', async () => {
    await until(() => redis.available);
    expect(await redis.run(ECHO, [], ['a'])).toBe('a');
    await server.command('SCRIPT', 'FLUSH');
    expect(await redis.run(ECHO, [], ['b'])).toBe('b');
  });

  it('waits 50 ms for a Redis that hangs, then not at all, and comes back by itself', async () => {
    const news: boolean[] = [];
    const client = new Redis(server.url, (available) => void news.push(available));
    await until(() => client.available);
    server.signal('SIGSTOP');
    try {
      const asked = client.run(ECHO, [], ['x']);
      expect(
        await settlesWithin(
          150,
          asked.catch(() => undefined),
        ),
      ).toBe(true);
      await expect(asked).rejects.toThrow('in time');
      expect(client.available).toBe(false);
    } finally {
      server.signal('SIGCONT');
    }
    await until(() => client.available);
    expect(await client.run(ECHO, [], ['y'])).toBe('y');
    expect(news).toEqual([true, false, true]);
    client.close();
  });

  it('counts an answer that came in time while the process was too busy to look', async () => {
    const client = new Redis(server.url);
    await until(() => client.available);
    const answer = client.run(ECHO, [], ['z']);
    await new Promise((resolve) => setImmediate(resolve));
    for (const until = performance.now() + 120; performance.now() < until;);
    expect(await answer).toBe('z');
    expect(client.available).toBe(true);
    client.close();
  });

  it('finds a Redis that was killed and started again, and one that starts late', async () => {
    await server.kill();
    await until(() => !redis.available);
    await expect(redis.run(ECHO, [], ['x'])).rejects.toThrow();
    const late = new Redis(server.url);
    await server.start();
    await until(() => redis.available && late.available);
    expect(await redis.run(ECHO, [], ['x'])).toBe('x');
    late.close();
  });
});
