import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { assent } from '../support/command-line.js';
import { createDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { startWorld, type Answer, type World } from '../support/world.js';
import { NODE_OPTIONS } from '../support/node-options.mjs';
import { until } from '../support/timing.js';

const MAIN = fileURLToPath(new URL('../../dist/apps/standalone/main.js', import.meta.url));

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

const ADMIN = [{ role: 'ADMIN', site: '*', env: '*' }];
const operate = (path: string, body: unknown, key = 'operator', headers = {}): Promise<Answer> =>
  world.request('POST', `/admin/v1${path}`, { key, body, headers });
const issued = async (name: string): Promise<{ id: string; token: string }> =>
  (await operate('/operator-tokens', { name, roles: ADMIN })).body;

test('several operators act with tokens of their own, and each action names which', async () => {
  const [ada, bob] = [await issued('ada'), await issued('bob')];
  expect(ada.token).toMatch(/^op_[0-9A-Za-z]{50}$/);
  for (const { id, token } of [ada, bob]) {
    const key = await operate(`/sites/${world.demo.site}/keys`, { type: 'sk', env: 'test', name: id }, token);
    expect(key.body.createdBy).toBe(`operator:${id}`);
    const site = await operate('/sites', { site: world.demo.site, name: `renamed by ${id}` }, token);
    expect(site.status).toBe(201);
    const file = { key: `of_${id.slice(4, 8).toLowerCase()}`, legalBasis: 'CONSENT', consentModel: 'OPT_IN' };
    const texts = { defaultLocale: 'en', translations: { en: { name: 'x', description: 'x' } } };
    const purpose = { ...file, ...texts, category: 'OTHER', controller: { name: 'Shop', contact: 'x@shop.example' } };
    const applied = await operate(`/sites/${world.demo.site}/test/catalogue`, { purposes: [purpose] }, token);
    expect([applied.status, applied.text]).toEqual([200, expect.stringContaining('"published":true')]);
  }
  if (world.roles) return;
  const database = new pg.Client({ connectionString: world.databaseUrl! });
  await database.connect();
  try {
    const { rows } = await database.query<{ type: string; actor: string }>(
      `select type, metadata::json ->> 'actor' as actor from log.events where metadata::json ->> 'actor' = any($1)`,
      [[ada, bob].map(({ id }) => `operator:${id}`)],
    );
    for (const { id } of [ada, bob])
      expect(
        rows
          .filter(({ actor }) => actor === `operator:${id}`)
          .map(({ type }) => type)
          .sort(),
      ).toEqual(['ApiKeyIssued', 'PurposePublished', 'SiteChanged']);
  } finally {
    await database.end();
  }
});

test('a token that is revoked or rotated is refused at once, and others go on', async () => {
  const [ada, bob] = [await issued('ada'), await issued('bob')];
  const { body: next } = await operate(
    `/operator-tokens/${ada.id}/rotate`,
    { overlap: '0', reason: 'lost' },
    bob.token,
  );
  expect(next).toMatchObject({ rotatedFrom: ada.id, name: 'ada', createdBy: `operator:${bob.id}` });
  const list = (key: string): Promise<Answer> => world.request('GET', '/admin/v1/operator-tokens', { key });
  expect([(await list(ada.token)).status, (await list(next.token)).status]).toEqual([401, 200]);
  expect((await operate(`/operator-tokens/${bob.id}/revoke`, {})).body).toMatchObject({ id: bob.id, state: 'revoked' });
  expect((await list(bob.token)).body.code).toBe('api_key_invalid');
  const { body, text } = await list('operator');
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining([ada.id, bob.id, 'opt_first']));
  for (const secret of [ada.token, bob.token, next.token]) expect(text).not.toContain(secret);
});

test('a token is issued once under an Idempotency-Key, and shown again to who repeats it', async () => {
  const headers = { 'Idempotency-Key': `token-${process.pid}-${Date.now()}` };
  const first = await operate('/operator-tokens', { name: 'repeated', roles: ADMIN }, 'operator', headers);
  const again = await operate('/operator-tokens', { name: 'repeated', roles: ADMIN }, 'operator', headers);
  expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([201, first.text, 'true']);
  expect((await operate('/operator-tokens', { name: 'other', roles: ADMIN }, 'operator', headers)).body.code).toBe(
    'idempotency_key_reused',
  );
});

test('a token has roles, and ends after 90 days unless its issuer says otherwise', async () => {
  const viewer = [{ role: 'VIEWER', site: '*', env: 'test' }];
  for (const roles of [
    undefined,
    [],
    [{ role: 'OWNER', site: '*', env: '*' }],
    [{ role: 'VIEWER', site: 'A b', env: '*' }],
  ])
    expect((await operate('/operator-tokens', { name: 'none', roles })).status).toBe(422);
  const { body } = await operate('/operator-tokens', { name: 'looks', roles: viewer });
  expect(body.roles).toEqual(viewer);
  expect(Date.parse(body.expiresAt as string) - Date.parse(body.createdAt as string)).toBe(90 * 86_400_000);
  const { body: next } = await operate(`/operator-tokens/${body.id}/rotate`, {});
  expect(next.roles).toEqual(viewer);
  expect(Date.parse(next.expiresAt as string) - Date.parse(next.createdAt as string)).toBe(90 * 86_400_000);
  const never = await operate('/operator-tokens', { name: 'looks', roles: viewer, expiresAt: null });
  expect([never.status, never.body.issues]).toEqual([422, [expect.objectContaining({ path: 'expiresAt' })]]);
  expect(
    (await operate('/operator-tokens', { name: 'admin', roles: ADMIN, expiresAt: null })).body.expiresAt,
  ).toBeNull();
});

test('the command line lists, issues, rotates and revokes them', async () => {
  const env = { ASSENT_URL: world.url, ASSENT_OPERATOR_TOKEN: world.demo.operatorToken };
  const run = async (...args: string[]): Promise<Record<string, string>> =>
    JSON.parse((await assent(['operator-tokens', ...args, '--json'], env)).out) as Record<string, string>;
  const { id, token } = await run('issue', '--name', 'by hand', '--role', 'ADMIN');
  expect((await run('issue', '--name', 'helps', '--role', 'SUPPORT@shop/live', 'viewer'))['roles']).toEqual([
    { role: 'SUPPORT', site: 'shop', env: 'live' },
    { role: 'VIEWER', site: '*', env: '*' },
  ]);
  const rotated = await run('rotate', id!, '--overlap', '1h');
  expect(rotated['rotatedFrom']).toBe(id);
  expect((await run('revoke', id!, '--reason', 'done'))['state']).toBe('revoked');
  const shown = await assent(['operator-tokens', 'list'], { ...env, ASSENT_OPERATOR_TOKEN: rotated['token']! });
  expect(shown.out).toContain(rotated['id']);
  expect(shown.out).not.toContain(token);
});

describe('a start', () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'assent-secrets-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** What a service says until it takes requests, and what it answers then; it is stopped at the end. */
  async function started(
    databaseUrl: string,
    name: string,
    env: Record<string, string>,
    then: (url: string, said: string) => Promise<void> = async () => undefined,
  ): Promise<string> {
    const port = await freePort();
    const child = spawn(process.execPath, [...NODE_OPTIONS, MAIN], {
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: databaseUrl,
        PORT: String(port),
        ASSENT_DATA: join(folder, name),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    try {
      await until(() => {
        if (child.exitCode !== null) throw new Error(`it did not start:\n${said}`);
        return /Assent is running at[^]*operator .*\n/.test(said);
      });
      await then(`http://127.0.0.1:${port}`, said);
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
    return said;
  }

  test('on your own Postgres makes no demo site, and shows the token once, without a terminal', async () => {
    const database = await createDatabase('assent_whole');
    try {
      let token = '';
      await started(database.url, 'own', {}, async (url, said) => {
        token = /operator +(op_\S+)/.exec(said)![1]!;
        expect(said).not.toMatch(/pk_|sk_|curl /);
        const sites = await fetch(`${url}/admin/v1/sites`, { headers: { Authorization: `Bearer ${token}` } });
        expect([sites.status, await sites.json()]).toEqual([200, { data: [], nextCursor: null, hasMore: false }]);
      });
      expect(existsSync(join(folder, 'own', 'demo.json'))).toBe(false);
      const again = await started(database.url, 'own', {});
      expect(again).not.toContain(token);
      expect(again).not.toMatch(/op_[A-Za-z0-9_-]{20}/);
      const env = { DATABASE_URL: database.url, ASSENT_DATA: join(folder, 'own') };
      expect((await assent(['operator-tokens', 'first'], env)).out.trim()).toBe(token);
    } finally {
      await database.drop();
    }
  });

  test('in production shows nothing, not even at first; the demo site is there where it is wanted', async () => {
    const database = await createDatabase('assent_whole');
    try {
      const said = await started(database.url, 'production', { NODE_ENV: 'production', ASSENT_DEMO: 'empty' });
      const demo = JSON.parse(readFileSync(join(folder, 'production', 'demo.json'), 'utf8')) as Record<string, string>;
      for (const secret of ['publicKey', 'secretKey', 'operatorToken']) expect(said).not.toContain(demo[secret]);
      expect(said).not.toMatch(/pk_test_|sk_test_|op_[A-Za-z0-9_-]{20}/);
    } finally {
      await database.drop();
    }
  });
});
