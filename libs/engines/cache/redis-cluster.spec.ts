import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startRedisCluster, type RedisCluster } from '../../../test/support/redis-cluster.js';
import type { RedisServer } from '../../../test/support/redis.js';
import { RedisRateLimiter, takeShared } from '../../access/limits/redis-rate-limit.js';
import { Redis } from './redis.js';
import { RedisTagCache } from './redis-tag-cache.js';
import type { TagOfView } from './tag-cache.js';
import { undisturbedMs, until } from '../../../test/support/timing.js';

/** So slow that nothing comes back while a test runs. */
const SLOW = { perSecond: 0.001, burst: 20 };
const ANSWERS_WITHIN_MS = 250;
/** What a client may take where a test is not about time: the machine may be busy. */
const PATIENT_MS = 5_000;

let cluster: RedisCluster;
let redis: Redis;
let patient: Redis;
let tags: RedisTagCache;
beforeAll(async () => {
  cluster = await startRedisCluster();
  redis = new Redis(cluster.url);
  patient = new Redis(cluster.url, undefined, PATIENT_MS);
  tags = new RedisTagCache(patient);
  tags.lead();
  await until(() => redis.available && patient.available);
}, 60_000);
afterAll(async () => {
  tags?.stop();
  redis?.close();
  patient?.close();
  await cluster?.stop();
});

const tag = (revision: number): TagOfView => ({ revision, through: BigInt(revision), turningPoints: [], view: 1 });
const keyOf = (bucket: string): string => `assent:work:${bucket}`;
const servers = (): RedisServer[] => [...cluster.masters, ...cluster.replicas];
const replicaOf = (master: RedisServer): RedisServer => cluster.replicas[cluster.masters.indexOf(master)]!;
/** A bucket, or the id of a subject, whose key is on that server. */
async function thereOn(server: RedisServer, key: (id: string) => string): Promise<string> {
  return until(async () => {
    const id = randomUUID();
    return (await cluster.masterOf(key(id))) === server && id;
  });
}
const others = (server: RedisServer): RedisServer[] => cluster.masters.filter((one) => one !== server);

describe('a Redis Cluster', () => {
  it('holds some of everything on each of its servers', async () => {
    const ids = Array.from({ length: 300 }, () => randomUUID());
    // Tags of a part count from when a projector has renewed its epoch.
    await until(async () => {
      for (const id of ids) tags.raise(id, tag(1));
      return (await Promise.all(ids.map((id) => tags.find(id)))).every((found) => found !== null);
    });
    for (const id of ids) expect(await tags.find(id)).toEqual(tag(1));
    for (const master of cluster.masters) expect(Number(await master.command('DBSIZE'))).toBeGreaterThan(30);
    tags.drop(ids);
    for (const id of ids) expect(await tags.find(id)).toBeNull();
  });

  it('is followed when a slot moves, before and after its keys do', async () => {
    const home = `{${randomUUID()}}`;
    const bucket = `${home}a`;
    expect((await takeShared(patient, bucket, SLOW, { units: 5 })).used).toBe(5);
    const from = await cluster.masterOf(keyOf(bucket));
    await cluster.moveSlot(keyOf(bucket), others(from)[0]!, async () => {
      expect(Math.round((await takeShared(patient, bucket, SLOW, { units: 5 })).used)).toBe(10);
      // Not there yet, so it is made where the slot is going.
      expect((await takeShared(patient, `${home}b`, SLOW, { units: 3 })).used).toBe(3);
    });
    for (const [name, used] of [
      [bucket, 12],
      [`${home}b`, 5],
    ] as const)
      expect(Math.round((await takeShared(patient, name, SLOW, { units: 2 })).used)).toBe(used);
    expect(await cluster.masterOf(keyOf(bucket))).not.toBe(from);
    expect(patient.available).toBe(true);
  });

  it('costs 50 ms when one of its servers hangs, then nothing, and comes back', async () => {
    const [hanging] = cluster.masters as [RedisServer];
    const bucket = await thereOn(hanging, keyOf);
    await takeShared(patient, bucket, SLOW);
    // Shorter than it takes the others to give it up.
    hanging.signal('SIGSTOP');
    try {
      const took = await undisturbedMs([process.pid], () =>
        expect(takeShared(redis, bucket, SLOW)).rejects.toThrow('in time'),
      );
      expect(took).toBeLessThan(ANSWERS_WITHIN_MS);
      expect(redis.available).toBe(false);
    } finally {
      hanging.signal('SIGCONT');
    }
    await until(async () => redis.available && (await takeShared(redis, bucket, SLOW).catch(() => null)));
  });

  it('costs no request when a master dies, keeps its limits, and counts together again when its replica has taken over', async () => {
    const [dying] = cluster.masters.slice(1) as [RedisServer];
    const bucket = await thereOn(dying, keyOf);
    const other = new Redis(cluster.url);
    await until(() => other.available);
    const limiters = [new RedisRateLimiter(redis), new RedisRateLimiter(other)];
    for (const limiter of limiters)
      expect(await limiter.take(bucket, SLOW, performance.now(), { units: 4 })).toMatchObject({ allowed: true });
    await until(async () => (await replicaOf(dying).command('INFO', 'replication')).includes('master_link_status:up'));
    await dying.kill();
    let allowed = 0;
    let slowest = 0;
    await until(async () => {
      for (const limiter of limiters) {
        const took = await undisturbedMs([process.pid], async () => {
          if ((await limiter.take(bucket, SLOW, performance.now())).allowed) allowed += 1;
        });
        slowest = Math.max(slowest, took);
      }
      return (await cluster.masterOf(keyOf(bucket)).catch(() => dying)) === replicaOf(dying);
    });
    expect(slowest).toBeLessThan(ANSWERS_WITHIN_MS);
    // Each for itself, from what it knew of both.
    expect(allowed).toBeLessThanOrEqual(2 * (SLOW.burst - 4));
    const fresh = await thereOn(replicaOf(dying), keyOf);
    await until(async () => {
      const counted = await Promise.all(
        [redis, other].map((client) => takeShared(client, fresh, SLOW).catch(() => null)),
      );
      return counted.every((one) => one !== null) && Math.round(Math.max(...counted.map((one) => one!.used))) >= 2;
    });
    other.close();
  });

  it('believes no tag that its replica had not heard of as changed', async () => {
    const [, , dying] = cluster.masters as [RedisServer, RedisServer, RedisServer];
    const heir = replicaOf(dying);
    const stored = await whereTagsAre(dying);
    tags.raise(stored.id, tag(1));
    expect(await tags.find(stored.id)).toEqual(tag(1));
    await until(async () => (await dying.command('WAIT', '1', '1000')) === '1');
    heir.signal('SIGSTOP');
    await dying.command('CLIENT', 'KILL', 'TYPE', 'replica');
    tags.raise(stored.id, tag(2));
    expect(await tags.find(stored.id)).toEqual(tag(2));
    await dying.kill();
    heir.signal('SIGCONT');
    await until(async () => (await cluster.masterOf(stored.key).catch(() => dying)) === heir);
    // What the master acknowledged last is gone, and what was true before it is there.
    expect((await heir.command('GET', stored.key)).split(' ')[1]).toBe('1');
    await until(async () => patient.available && (await heir.command('GET', stored.epoch)) !== '');
    await until(async () => (await tags.find(stored.id)) === null);
    // A raise is best effort: one that meets the cluster while it sorts itself out is lost, and the next one counts.
    await until(async () => (tags.raise(stored.id, tag(3)), (await tags.find(stored.id))?.revision === 3));
  });

  it('is found again when all of it was gone', async () => {
    const before = servers();
    await Promise.all(before.map((server) => server.kill()));
    await until(() => !redis.available && !patient.available);
    expect(await tags.find(randomUUID())).toBeNull();
    expect(await new RedisRateLimiter(redis).take('b', SLOW, performance.now())).toMatchObject({ allowed: true });
    await Promise.all(before.map((server) => server.start()));
    const id = randomUUID();
    await until(async () => (tags.raise(id, tag(1)), tags.find(id)));
    await until(() => takeShared(redis, randomUUID(), SLOW).catch(() => null));
  });
});

/** A subject whose tag is on that server, with the keys under which it is stored. */
async function whereTagsAre(server: RedisServer): Promise<{ id: string; key: string; epoch: string }> {
  return until(async () => {
    const id = randomUUID();
    tags.raise(id, tag(0));
    await tags.find(id);
    const [key] = (await server.command('KEYS', `assent:{*}:tag:${id}`)).split('\n');
    return key ? { id, key, epoch: key.replace(/:tag:.*/, ':epoch') } : null;
  });
}
