import { randomUUID } from 'node:crypto';
import { startRedisCluster, type RedisCluster } from '../../../test/support/redis-cluster.js';
import { startRedis, type RedisServer } from '../../../test/support/redis.js';
import { until } from '../../../test/support/timing.js';
import { Redis } from '../../engines/cache/redis.js';
import { DailyRecordQuota, MemoryDailyCounts, RECORDS_A_DAY, type DailyCounts } from './record-quota.js';
import { RedisDailyCounts } from './redis-record-quota.js';

const AT = '2026-11-22T18:30:00.250Z';
/** What a client may take where a test is not about time: the machine may be busy. */
const PATIENT_MS = 5_000;
const PAGE = { kind: 'pk', site: 'shop', env: 'test' } as const;

let server: RedisServer;
let redis: Redis;
let cluster: RedisCluster;
let clustered: Redis;
beforeAll(async () => {
  [server, cluster] = await Promise.all([startRedis(), startRedisCluster()]);
  redis = new Redis(server.url, undefined, PATIENT_MS);
  clustered = new Redis(cluster.url, undefined, PATIENT_MS);
  await until(() => redis.available && clustered.available);
});
afterAll(async () => {
  redis?.close();
  clustered?.close();
  await Promise.all([server?.stop(), cluster?.stop()]);
});

describe.each<[string, () => DailyCounts]>([
  ['in memory', () => new MemoryDailyCounts()],
  ['in Redis', () => new RedisDailyCounts(redis, 'epoch')],
  ['in a Redis Cluster', () => new RedisDailyCounts(clustered, 'epoch')],
])('the quota of records %s', (_, open) => {
  const quota = () => new DailyRecordQuota(open());
  const subject = () => `sub_${randomUUID()}`;

  it('gives room for a thousand records a day and not one more', async () => {
    const [counted, visitor] = [quota(), subject()];
    expect((await counted.roomFor(PAGE, visitor, 999, AT)).refused).toBeNull();
    expect((await counted.roomFor(PAGE, visitor, 2, AT)).refused?.code).toBe('rate_limited');
    expect((await counted.roomFor(PAGE, visitor, 1, AT)).refused).toBeNull();
    expect((await counted.roomFor(PAGE, visitor, 1, AT)).refused).toMatchObject({
      code: 'rate_limited',
      hint: expect.stringContaining('1000 records a day'),
      retryAfterSeconds: 5.5 * 3600,
    });
    expect((await counted.roomFor(PAGE, visitor, 1000, '2026-11-23T00:00:00.000Z')).refused).toBeNull();
  });

  it('counts each subject of each site and environment by itself', async () => {
    const [counted, visitor] = [quota(), subject()];
    await counted.roomFor(PAGE, visitor, RECORDS_A_DAY, AT);
    for (const other of [
      { ...PAGE, site: 'other' },
      { ...PAGE, env: 'live' as const },
    ])
      expect((await counted.roomFor(other, visitor, RECORDS_A_DAY, AT)).refused).toBeNull();
    expect((await counted.roomFor(PAGE, subject(), RECORDS_A_DAY, AT)).refused).toBeNull();
  });

  it('gives back what was not used, and never more', async () => {
    const [counted, visitor] = [quota(), subject()];
    const room = await counted.roomFor(PAGE, visitor, RECORDS_A_DAY, AT);
    room.used(400);
    expect((await counted.roomFor(PAGE, visitor, 601, AT)).refused).not.toBeNull();
    (await counted.roomFor(PAGE, visitor, 600, AT)).used(600);
    const full = await counted.roomFor(PAGE, visitor, 1, AT);
    full.used(0);
    expect((await counted.roomFor(PAGE, visitor, 1, AT)).refused).not.toBeNull();
  });

  it('lets of many at once as many through as there is room for', async () => {
    const [counted, visitor] = [quota(), subject()];
    const rooms = await Promise.all(Array.from({ length: 60 }, () => counted.roomFor(PAGE, visitor, 30, AT)));
    expect(rooms.filter(({ refused }) => refused === null)).toHaveLength(33);
  });

  it('does not bound secret keys, operators and links', async () => {
    const [counted, visitor] = [quota(), subject()];
    for (const kind of ['sk', 'operator', 'none'] as const)
      for (let i = 0; i < 3; i++)
        expect((await counted.roomFor({ ...PAGE, kind }, visitor, 900, AT)).refused).toBeNull();
  });
});

it('forgets counts of days that are over, and the least recently used of too many', () => {
  const counts = new MemoryDailyCounts(100);
  for (let i = 0; i < 1000; i++) expect(counts.add('2026-11-22', `s${i}`, 10, 10)).toBe(true);
  expect(counts.size).toBe(100);
  expect(counts.add('2026-11-22', 's999', 1, 10)).toBe(false);
  expect(counts.add('2026-11-23', 's999', 10, 10)).toBe(true);
  expect(counts.size).toBe(1);
  expect(counts.add('2026-11-22', 's999', 1, 10)).toBe(false);
});

it('is one quota for all instances, and one for each while Redis is emptied, hanging or gone', async () => {
  const clients = [PATIENT_MS, PATIENT_MS, undefined, undefined].map(
    (withinMs) => new Redis(server.url, undefined, withinMs),
  );
  await until(() => clients.every(({ available }) => available));
  const quotas = clients.map((client) => new DailyRecordQuota(new RedisDailyCounts(client, 'epoch')));
  const [instances, hasty] = [quotas.slice(0, 2), quotas.slice(2)];
  const added = async (visitor: string, by = instances): Promise<number[]> => {
    const counted: number[] = [];
    for (const quota of by) {
      let records = 0;
      for (let i = 0; i < 30; i++) if (!(await quota.roomFor(PAGE, visitor, 100, AT)).refused) records += 100;
      counted.push(records);
    }
    return counted;
  };
  expect(await added('shared')).toEqual([RECORDS_A_DAY, 0]);
  await server.command('FLUSHALL');
  // What the other instance added was known to Redis alone.
  expect(await added('shared')).toEqual([0, RECORDS_A_DAY]);
  server.signal('SIGSTOP');
  expect(await added('hanging', hasty)).toEqual([RECORDS_A_DAY, RECORDS_A_DAY]);
  server.signal('SIGCONT');
  await server.kill();
  expect(await added('gone', hasty)).toEqual([RECORDS_A_DAY, RECORDS_A_DAY]);
  for (const client of clients) client.close();
});
