import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { startRedisCluster, type RedisCluster } from '../support/redis-cluster.js';
import { unhurried } from '../support/asking.js';
import { pathOf, startWorld, type Answer, type World } from '../support/world.js';
import { until } from '../support/timing.js';

const SMALL = { perSecond: 0.01, burst: 20 };

/** Two instances on one database and one Redis Cluster. */
let cluster: RedisCluster;
let instances: [World, World];
beforeAll(async () => {
  cluster = await startRedisCluster();
  const env = { REDIS_URL: cluster.url, ASSENT_MASTER_KEY: randomBytes(32).toString('base64') };
  const first = await startWorld({ breakable: true, env });
  instances = [first, first];
  instances[1] = await startWorld({ breakable: true, env: { ...env, DATABASE_URL: first.databaseUrl! } });
  await operate('', { site: 'small', name: 'Small', rateLimits: { sk: SMALL } });
}, 90_000);
afterAll(async () => {
  // The second one is connected to the database of the first.
  for (const world of new Set([...(instances ?? [])].reverse())) await world.stop();
  await cluster?.stop();
});

async function operate(path: string, body: unknown): Promise<Answer> {
  // Asked again where an engine was late, as on a machine under load.
  const answer = await unhurried(instances[0].request, 'POST', `/admin/v1/sites${path}`, {
    ...{ key: 'operator', body },
    headers: { 'Idempotency-Key': randomUUID() },
  });
  expect([200, 201]).toContain(answer.status);
  return answer;
}
const newKey = async (): Promise<{ id: string; key: string }> =>
  (await operate('/small/keys', { type: 'sk', env: 'test', name: 'cluster' })).body;

/** How many of a burst of 60 on both instances at once are let through. */
async function letThrough(key: string): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) => instances[i % 2]!.request('GET', '/v1/purposes', { key })),
  );
  for (const { status } of answers) expect([200, 429]).toContain(status);
  return answers.filter(({ status }) => status === 200).length;
}
/** Since a site has a bounded number of live keys, each of them is gone after its question. */
async function isShared(): Promise<boolean> {
  const { id, key } = await newKey();
  const through = await letThrough(key);
  await operate(`/small/keys/${id}/revoke`, {});
  return through <= SMALL.burst;
}

/** Writes on one instance, then reads it on both under the tag of before, and under its own. */
async function useOnce(here: World, there: World): Promise<void> {
  const subject = here.visitor();
  const before = await here.request('GET', pathOf(subject));
  const written = await here.request('POST', '/v1/consent', {
    body: { subject, purpose: 'analytics', decision: 'GRANTED' },
    headers: { 'Idempotency-Key': randomUUID() },
  });
  expect([before.status, written.status]).toEqual([200, 201]);
  for (const world of [here, there]) {
    const headers = { 'X-Log-Position': written.headers['x-log-position'] as string };
    const ask = (etag: string) =>
      world.request('GET', pathOf(subject), { headers: { ...headers, 'If-None-Match': etag } });
    const read = await ask(before.headers.etag!);
    expect([read.status, read.body.purposes.analytics.state]).toEqual([200, 'GRANTED']);
    expect((await ask(read.headers.etag!)).status).toBe(304);
  }
}

it('fails no request, keeps limits and counts together again when a master dies and its replica takes over', async () => {
  await until(isShared);
  const { id, key } = await newKey();
  const bucket = `assent:work:${id}`;
  const dying = await cluster.masterOf(bucket);
  const heir = cluster.replicas[cluster.masters.indexOf(dying)]!;
  await dying.kill();
  let through = 0;
  await until(async () => {
    await Promise.all([useOnce(instances[0], instances[1]), useOnce(instances[1], instances[0])]);
    through += await letThrough(key);
    for (const world of instances) expect((await world.request('GET', '/readyz', { key: null })).status).toBe(200);
    return (await cluster.masterOf(bucket).catch(() => dying)) === heir;
  });
  // Each instance for itself while nobody has the count of both.
  expect(through).toBeLessThanOrEqual(instances.length * (SMALL.burst + 1));
  await until(isShared);
  await useOnce(instances[0], instances[1]);
}, 90_000);
