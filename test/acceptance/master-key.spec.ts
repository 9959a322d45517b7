import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { assent } from '../support/command-line.js';
import { signIdentityToken } from '../support/identity-token.js';
import { until } from '../support/timing.js';
import { pathOf, startWorld, type Answer, type World } from '../support/world.js';

const PROGRAM = fileURLToPath(new URL('../../apps/cli/assent.mjs', import.meta.url));

let world: World;
const [key, other] = ['master.key', 'master.key.other'];
const fileOf = (name: string): string => join(world.dataFolder, name);
const env = (): Record<string, string> => ({ DATABASE_URL: world.databaseUrl!, ASSENT_DATA: world.dataFolder });

beforeAll(async () => {
  world = await startWorld({ own: true });
}, 240_000);
afterAll(() => world?.stop());

const rotate = async (): Promise<{ state: string; rewrapped: number }> => {
  const { code, out, err } = await assent(['keys', 'rotate-master', '--json'], env());
  if (code !== 0) throw new Error(out + err);
  return JSON.parse(out) as { state: string; rewrapped: number };
};

/**
 * Kills the command in its midst: all keys of subjects are sealed anew, and of the secrets it waits for those that are
 * held here.
 */
async function killed(): Promise<void> {
  const holder = new pg.Client({ connectionString: world.databaseUrl! });
  await holder.connect();
  const rows = async (text: string, values: unknown[] = []) =>
    (await holder.query<{ master: string | null }>(text, values)).rows;
  const [most] = await rows('select master from vault.subject_keys group by master order by count(*) desc limit 1');
  const sealedBefore = (table: string, lock = '') =>
    rows(`select master from vault.${table} where master is not distinct from $1 ${lock}`, [most!.master]);
  try {
    await holder.query('begin');
    expect(await sealedBefore('sealed_secrets', 'for update')).not.toEqual([]);
    const child = spawn(process.execPath, [PROGRAM, 'keys', 'rotate-master'], {
      env: { PATH: process.env['PATH'], ...env() },
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    await until(async () => child.exitCode !== null || (await sealedBefore('subject_keys')).length === 0);
    child.kill('SIGKILL');
    await ended;
    expect(child.signalCode).toBe('SIGKILL');
    expect(await sealedBefore('sealed_secrets')).not.toEqual([]);
  } finally {
    await holder.end();
  }
}

test('the master key is rotated while the service goes on, killed on the way, and everything works as before', async () => {
  const before = readFileSync(fileOf(key), 'utf8');
  const subjects = Array.from({ length: 300 }, (_, i) => `user_id:rotated-${i}`);
  for (let i = 0; i < subjects.length; i += 100)
    await world.request('POST', '/v1/consent/batch', {
      body: {
        records: subjects.slice(i, i + 100).map((subject) => ({ subject, purpose: 'analytics', decision: 'GRANTED' })),
      },
    });
  const repeated = { body: { subject: subjects[0], purpose: 'analytics', decision: 'WITHDRAWN' } };
  const headers = { 'Idempotency-Key': 'over-the-rotation' };
  const first = await world.request('POST', '/v1/consent', { ...repeated, headers });
  const { body: link } = await world.request('POST', '/v1/preferences/unsubscribe-link', {
    body: { subject: subjects[1], channel: 'email' },
  });
  const token = signIdentityToken({ secretKey: world.demo.secretKey, subject: subjects[2]!, site: world.demo.site });

  async function expectAllAsBefore(): Promise<void> {
    const state = (subject: string, ask = {}): Promise<Answer> =>
      world.request('GET', pathOf(subject, '?fresh=true'), ask);
    for (const i of [1, 100, 299]) expect((await state(subjects[i]!)).body.purposes.analytics.state).toBe('GRANTED');
    expect((await state(subjects[2]!, { key: 'pk', headers: { 'Consent-Identity': token } })).status).toBe(200);
    const { body: known } = await world.request('GET', `/v1/subjects/${encodeURIComponent(subjects[5]!)}`);
    expect(known.identifiers[0].value).toBe('rotated-5');
    const again = await world.request('POST', '/v1/consent', { ...repeated, headers });
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    const page = await world.request('GET', `/v1/preferences/unsubscribe?token=${link.token as string}`, { key: null });
    expect(page.status).toBe(200);
    expect((await world.request('GET', '/admin/v1/sites', { key: 'operator' })).status).toBe(200);
    const subject = world.visitor();
    await world.recorded({ subject });
    expect((await state(subject)).body.purposes.analytics.state).toBe('GRANTED');
  }

  expect(await rotate()).toMatchObject({ state: 'PREPARED', rewrapped: 0 });
  expect(readFileSync(fileOf(other), 'utf8')).toBe(before);
  expect(readFileSync(fileOf(key), 'utf8')).not.toBe(before);
  for (const name of [key, other]) expect(statSync(fileOf(name)).mode & 0o777).toBe(0o600);
  await expectAllAsBefore();
  await world.restart();
  await expectAllAsBefore();
  await killed();
  expect(existsSync(fileOf(other))).toBe(true);
  await expectAllAsBefore();
  expect((await rotate()).state).toBe('DONE');
  expect(existsSync(fileOf(other))).toBe(false);
  // Cut off when all was done but for the removal of the old key.
  const rotated = readFileSync(fileOf(key), 'utf8');
  writeFileSync(fileOf(other), before, { mode: 0o600 });
  expect(await rotate()).toMatchObject({ state: 'DONE', rewrapped: 0 });
  expect([existsSync(fileOf(other)), readFileSync(fileOf(key), 'utf8')]).toEqual([false, rotated]);
  await expectAllAsBefore();
  await world.restart();
  await expectAllAsBefore();
  expect((await assent(['audit', 'verify', '--json'], env())).out).toContain('"differences": 0');
  const old = await assent(['projections', 'status'], { ...env(), ASSENT_MASTER_KEY: before.trim() });
  expect([old.code, old.err]).toEqual([1, expect.stringContaining('The master key is not the one')]);
}, 240_000);
