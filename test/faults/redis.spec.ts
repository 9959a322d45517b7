import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { holderOf, undisturbedMs, until } from '../support/timing.js';
import { slowWire, startRedis, type RedisServer, type SlowWire } from '../support/redis.js';
import { unhurried } from '../support/asking.js';
import { pathOf, startWorld, type Answer, type World } from '../support/world.js';

/** How long each fault lasts; FAULTS_SECONDS makes it long. */
const FAULT_MS = Number(process.env['FAULTS_SECONDS'] ?? 2) * 1_000;
const WRITERS = 6;
const SMALL = { perSecond: 0.1, burst: 20 };
/** Whoever waits for one answer of a slow Redis takes as long; who waits 50 ms at most for it does not, on a busy machine either. */
const SLOW_MS = 3_000;

/** Two instances on one database and one Redis, which they reach by a wire that can be made slow. */
let server: RedisServer;
let wire: SlowWire;
let instances: [World, World];
beforeAll(async () => {
  server = await startRedis();
  wire = await slowWire(server.port);
  const env = { REDIS_URL: wire.url, ASSENT_MASTER_KEY: randomBytes(32).toString('base64') };
  const first = await startWorld({ breakable: true, env });
  instances = [first, first];
  instances[1] = await startWorld({ breakable: true, env: { ...env, DATABASE_URL: first.databaseUrl! } });
  await operate('', { site: 'small', name: 'Small', rateLimits: { sk: SMALL } }, 201);
});
afterAll(async () => {
  // The second one is connected to the database of the first.
  for (const world of new Set([...(instances ?? [])].reverse())) await world.stop();
  await wire?.stop();
  await server?.stop();
});

async function applied(answer: Answer, status: number): Promise<Answer> {
  expect([answer.status, answer.body?.code]).toEqual([status, undefined]);
  return answer;
}
/** What the operator sets up: asked again where an engine was late, as on a machine under load. */
const operate = async (path: string, body: object, status: number): Promise<Answer> =>
  applied(
    await unhurried(instances[0].request, 'POST', `/admin/v1/sites${path}`, {
      ...{ key: 'operator', body },
      headers: { 'Idempotency-Key': randomUUID() },
    }),
    status,
  );

async function newKey(site: string): Promise<{ id: string; key: string }> {
  const { body } = await operate(`/${site}/keys`, { type: 'sk', env: 'test', name: 'faults' }, 201);
  await until(async () => (await instances[1].request('GET', '/v1/purposes', { key: body.key })).status === 200);
  return body;
}

/**
 * Writes, reads what was written under the tag of what was there before, reads it again. All of it is answered while the
 * fault lasts: nobody waits for Redis to come back. Answers how long the slowest write took, in ms.
 */
async function useIt(untilMs: number): Promise<number> {
  let slowest = 0;
  const one = async (turn: number): Promise<void> => {
    for (; performance.now() < untilMs; turn++) {
      const [here, there] = turn % 2 === 0 ? instances : [instances[1], instances[0]];
      const subject = here.visitor();
      const before = await applied(await here.request('GET', pathOf(subject)), 200);
      const start = performance.now();
      const written = await applied(
        await here.request('POST', '/v1/consent', {
          body: { subject, purpose: 'analytics', decision: 'GRANTED' },
          headers: { 'Idempotency-Key': randomUUID() },
        }),
        201,
      );
      slowest = Math.max(slowest, performance.now() - start);
      for (const world of [here, there]) {
        const headers = { 'X-Log-Position': written.headers['x-log-position'] as string };
        const read = await applied(
          await world.request('GET', pathOf(subject), {
            headers: { ...headers, 'If-None-Match': before.headers.etag! },
          }),
          200,
        );
        expect(read.body.purposes.analytics.state).toBe('GRANTED');
        const again = await world.request('GET', pathOf(subject), {
          headers: { ...headers, 'If-None-Match': read.headers.etag! },
        });
        expect(again.status).toBe(304);
      }
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, turn) => one(turn)));
  return slowest;
}

/** A burst of 300 on both instances at once: how many are let through, and how many could come back meanwhile. */
async function burst(key: string): Promise<{ allowed: number; back: number }> {
  const start = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, i) => instances[i % 2]!.request('GET', '/v1/purposes', { key })),
  );
  for (const { status } of answers) expect([200, 429]).toContain(status);
  return {
    allowed: answers.filter(({ status }) => status === 200).length,
    back: Math.ceil(((performance.now() - start) / 1_000) * SMALL.perSecond),
  };
}

/** How long after the answer to the revocation every instance refuses the key, in ms, whatever else the machine does. */
async function revoked({ id, key }: { id: string; key: string }): Promise<number> {
  await operate(`/demo/keys/${id}/revoke`, {}, 200);
  return undisturbedMs([process.pid, ...instances.map(({ dataFolder }) => holderOf(dataFolder))], async () => {
    for (const world of instances)
      await until(async () => (await world.request('GET', '/v1/purposes', { key })).status === 401);
  });
}

const isShared = async (): Promise<boolean> => {
  const { id, key } = await newKey('small');
  const { allowed, back } = await burst(key);
  // A site has a bounded number of live keys, and this may be asked many times.
  await operate(`/small/keys/${id}/revoke`, {}, 200);
  // What asked before the burst, to see the key arrive, is part of it.
  return allowed <= SMALL.burst + back;
};

it('shares limits and tags while Redis is well', async () => {
  await until(isShared);
  expect(await useIt(performance.now() + FAULT_MS)).toBeLessThan(SLOW_MS);
  expect(Number(await server.command('DBSIZE'))).toBeGreaterThan(10);
});

interface Fault {
  begin(): unknown;
  end(): unknown;
}
const FAULTS: [string, () => Fault][] = [
  ['hangs', () => ({ begin: () => server.signal('SIGSTOP'), end: () => server.signal('SIGCONT') })],
  [
    'hangs and goes on in turns',
    () => {
      let hung = false;
      let turns: NodeJS.Timeout;
      return {
        begin: () => (turns = setInterval(() => server.signal((hung = !hung) ? 'SIGSTOP' : 'SIGCONT'), 70)),
        end: () => (clearInterval(turns), server.signal('SIGCONT')),
      };
    },
  ],
  ['is killed', () => ({ begin: () => server.kill(), end: () => server.start() })],
  [
    'is emptied again and again',
    () => {
      let flushing: NodeJS.Timeout;
      return {
        begin: () => (flushing = setInterval(() => void server.command('FLUSHALL').catch(() => undefined), 10)),
        end: () => clearInterval(flushing),
      };
    },
  ],
  [
    'is full',
    () => ({
      begin: () => server.command('CONFIG', 'SET', 'maxmemory', '1mb'),
      end: () => server.command('CONFIG', 'SET', 'maxmemory', '0'),
    }),
  ],
  ['is slow', () => ({ begin: () => (wire.delayMs = SLOW_MS), end: () => (wire.delayMs = 0) })],
  ['is as slow as is just allowed', () => ({ begin: () => (wire.delayMs = 40), end: () => (wire.delayMs = 0) })],
  ['is cut off without a word', () => ({ begin: () => (wire.delayMs = Infinity), end: () => (wire.delayMs = 0) })],
];

it.each(FAULTS)('fails no request, keeps limits and revokes in time when Redis %s', async (_, make) => {
  const [small, doomed] = [await newKey('small'), await newKey('demo')];
  const fault = make();
  await fault.begin();
  try {
    const [slowest, { allowed, back }, revokedAfterMs] = await Promise.all([
      useIt(performance.now() + FAULT_MS),
      burst(small.key),
      revoked(doomed),
    ]);
    expect(slowest).toBeLessThan(SLOW_MS);
    expect(allowed).toBeLessThanOrEqual(instances.length * (SMALL.burst + back));
    expect(revokedAfterMs).toBeLessThan(5_000);
    for (const world of instances) expect((await world.request('GET', '/readyz', { key: null })).status).toBe(200);
  } finally {
    await fault.end();
  }
  await until(isShared);
});
