import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { holderOf, undisturbedMs, until } from '../support/timing.js';
import { pathOf, startWorld, type Answer, type World } from '../support/world.js';

/** A service on its own bundled Postgres, whose server can be hurt without anyone else noticing. */
let world: World;
beforeAll(async () => {
  world = await startWorld({ breakable: true, bundled: true });
});
afterAll(() => world?.stop());

const postmaster = (): number =>
  Number(readFileSync(join(world.dataFolder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
/** The server and all its backends: a frozen postmaster alone would go on answering. */
function signalAll(signal: NodeJS.Signals): void {
  const main = postmaster();
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(main)])
    .toString()
    .trim()
    .split(/\s+/)
    .map(Number);
  for (const pid of [main, ...children]) process.kill(pid, signal);
}

/** The answer, and how long the service and we took for it, whatever else the machine does. */
async function timed(ask: () => Promise<Answer>): Promise<{ answer: Answer; ms: number }> {
  let answer: Answer;
  const ms = await undisturbedMs([process.pid, holderOf(world.dataFolder)], async () => (answer = await ask()));
  return { answer: answer!, ms };
}

const write = (subject: string, key: string): Promise<Answer> =>
  world.request('POST', '/v1/consent', {
    body: { subject, purpose: 'analytics', decision: 'GRANTED' },
    headers: { 'Idempotency-Key': key },
  });

/** Asks again until it works, as a client does; fails when that takes too long. */
async function eventually(ask: () => Promise<Answer>, status: number, withinMs: number): Promise<Answer> {
  return until(async () => {
    const answer = await ask();
    if (answer.status === status) return answer;
    expect([503, 409]).toContain(answer.status);
    return null;
  }, withinMs);
}

/** Whatever takes a reservation of its key, and so has one to release when it fails. */
const writesOn = (known: string): [string, unknown][] => {
  const record = (subject: string) => ({ subject, purpose: 'analytics', decision: 'GRANTED' });
  const values = [{ field: 'news', value: false }];
  const at = `/v1/subjects/${encodeURIComponent(known)}`;
  return [
    ['/v1/consent', record(world.visitor())],
    ['/v1/consent', record(known)],
    ['/v1/consent/batch', { records: [record(known), record(known)] }],
    ['/v1/consent/batch', { records: [record(known), record(world.visitor())] }],
    ['/v1/preferences', { subject: world.visitor(), channel: 'email', values }],
    ['/v1/preferences', { subject: known, channel: 'email', values }],
    ['/v1/subjects', { identifiers: [{ kind: 'user_id', value: randomUUID() }] }],
    [`${at}/identifiers`, { kind: 'email', value: `${randomUUID()}@example.org` }],
    ['/v1/subjects/merge', { sources: [known], target: world.visitor() }],
    [`${at}/restrict`, {}],
    [`${at}/erase`, {}],
  ];
};

it('answers 503 within two seconds while the database hangs, and goes on by itself', async () => {
  const subject = world.visitor();
  const key = randomUUID();
  await world.recorded({ subject });
  signalAll('SIGSTOP');
  try {
    const asked = await Promise.all([
      timed(() => write(world.visitor(), key)),
      ...writesOn(subject).map(([path, body]) =>
        timed(() => world.request('POST', path, { body, headers: { 'Idempotency-Key': randomUUID() } })),
      ),
      timed(() => world.request('GET', pathOf(world.visitor()))),
      timed(() => world.request('GET', pathOf(subject, '/history'))),
      timed(() => world.request('GET', '/readyz', { key: null })),
    ]);
    for (const { answer, ms } of asked) {
      expect([answer.status, answer.body.code]).toEqual([503, 'dependency_unavailable']);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(ms).toBeLessThan(2_300);
    }
    expect((await world.request('GET', '/livez', { key: null })).status).toBe(200);
    // What is in memory is still served: purposes do not need the database.
    expect((await world.request('GET', '/v1/purposes')).status).toBe(200);
  } finally {
    signalAll('SIGCONT');
  }
  await eventually(() => world.request('GET', '/readyz', { key: null }), 200, 120_000);
  expect(
    (await eventually(() => world.request('GET', pathOf(subject)), 200, 120_000)).body.purposes.analytics.state,
  ).toBe('GRANTED');
});

it('refuses at once what is more than it could answer, while the database hangs, and takes all of it afterwards', async () => {
  const subject = world.visitor();
  const writes = Array.from({ length: 64 }, () => randomUUID());
  const isRefusedAtOnce = ({ status, body }: Answer): boolean =>
    status === 503 && (body.hint as string).startsWith('More is sent to be written');
  signalAll('SIGSTOP');
  try {
    // Those of the first wave are late, by which it is known that they were too many.
    const answers = await until(async () => {
      const wave = await Promise.all(writes.map((key) => write(subject, key)));
      expect(new Set(wave.map(({ status }) => status))).toEqual(new Set([503]));
      return wave.some(isRefusedAtOnce) && wave;
    });
    expect(answers.every(isRefusedAtOnce)).toBe(false);
  } finally {
    signalAll('SIGCONT');
  }
  const answers = await Promise.all(writes.map((key) => eventually(() => write(subject, key), 201, 120_000)));
  const acknowledged = answers.map(({ body }) => body.id as string).sort();
  const history = await eventually(() => world.request('GET', pathOf(subject, '/history?limit=200')), 200, 120_000);
  expect((history.body.data as { id: string }[]).map(({ id }) => id).sort()).toEqual(acknowledged);
});

it('brings its database back when that is killed, with every acknowledged write and none twice', async () => {
  const subject = world.visitor();
  const acknowledged: string[] = [];
  for (let round = 0; round < 3; round++) {
    const writes = Array.from({ length: 20 }, () => randomUUID());
    const answers = Promise.all(writes.map((key) => eventually(() => write(subject, key), 201, 120_000)));
    process.kill(postmaster(), 'SIGKILL');
    for (const answer of await answers) acknowledged.push(answer.body.id as string);
  }
  const history = await eventually(() => world.request('GET', pathOf(subject, '/history?limit=200')), 200, 120_000);
  expect((history.body.data as { id: string }[]).map(({ id }) => id).sort()).toEqual(acknowledged.sort());
  await world.caughtUp();
  expect((await world.request('GET', pathOf(subject))).body.revision).toBe(61);
});
