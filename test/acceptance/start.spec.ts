import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { commanded } from '../support/command-line.js';
import { startWorld, type World } from '../support/world.js';
import { NODE_OPTIONS } from '../support/node-options.mjs';

const MAIN = fileURLToPath(new URL('../../dist/apps/standalone/main.js', import.meta.url));

/** The longest wait of a start is for a database, half a minute; beside a load everything takes longer. */
const GIVES_UP_WITHIN_MS = 240_000;

let world: World;
let folder: string;
/** A start that waits half a minute for its database. Begun first and looked at last. */
let withoutDatabase: Promise<Refused>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assent-start-'));
  withoutDatabase = refusedStart({
    PORT: '4199',
    ASSENT_DATA: ownFolder('db'),
    DATABASE_URL: 'postgres://nobody:wrong@127.0.0.1:1/none',
  });
  world = await startWorld({ own: true });
});
afterAll(async () => {
  await withoutDatabase;
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Refused {
  code: number | null;
  said: string;
}

/** Starts the service as it must not be started, and answers what it says before it gives up. */
function refusedStart(env: Record<string, string>): Promise<Refused> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...NODE_OPTIONS, MAIN], {
      env: { PATH: process.env['PATH'], DATABASE_URL: world?.databaseUrl ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => said.push(text.toString()));
    const late = setTimeout(() => child.kill('SIGKILL'), GIVES_UP_WITHIN_MS);
    child.on('close', (code) => {
      clearTimeout(late);
      resolve({ code, said: said.join('').trim() });
    });
  });
}

const ownFolder = (name: string): string => join(folder, name);

it.each<[string, () => Record<string, string>, RegExp]>([
  [
    'a port that is taken',
    () => ({ PORT: new URL(world.url).port, ASSENT_DATA: ownFolder('port'), DATABASE_URL: '' }),
    /^Port \d+ is taken by another program; stop it, or set PORT to a free one\.$/,
  ],
  [
    'a prefix of streams that are not those of the database',
    () => ({
      PORT: '4199',
      ASSENT_DATA: ownFolder('prefix'),
      ASSENT_MASTER_KEY: readFileSync(join(world.dataFolder, 'master.key'), 'utf8').trim(),
      ESDB_URL: 'esdb://127.0.0.1:1?tls=false',
      ASSENT_LOG_PREFIX: 'shop',
    }),
    /^This database belongs to streams without a prefix: remove ASSENT_LOG_PREFIX, or set DATABASE_URL to a database of its own\.$/,
  ],
  [
    'a data folder that is in use',
    () => ({ PORT: '4199', ASSENT_DATA: world.dataFolder }),
    /^Another Assent \(pid \d+\) already uses .+; stop it, or set ASSENT_DATA to another folder\.$/,
  ],
  [
    'a data folder that is a file',
    () => (writeFileSync(ownFolder('file'), ''), { PORT: '4199', ASSENT_DATA: ownFolder('file') }),
    /file.*ASSENT_DATA/s,
  ],
])('says in one clear line what is wrong with %s', async (_, env, line) => {
  expectOneLine(await refusedStart(env()), line);
});

it('makes neither key nor database where the port is taken', async () => {
  const data = ownFolder('taken');
  await refusedStart({ PORT: new URL(world.url).port, ASSENT_DATA: data, DATABASE_URL: '' });
  for (const made of ['postgres', 'master.key']) expect(readdirSync(data)).not.toContain(made);
});

it('keeps the origins that were added to the demo site when it starts at another address', async () => {
  const env = {
    ASSENT_DATA: world.dataFolder,
    DATABASE_URL: world.databaseUrl!,
    ASSENT_URL: world.url,
    ASSENT_OPERATOR_TOKEN: world.demo.operatorToken,
  };
  const origins = async (): Promise<string[]> => {
    const { data } = JSON.parse(await commanded(['sites', 'list', '--json'], env)) as {
      data: { allowedOrigins: { test: string[]; live: string[] } }[];
    };
    return Object.values(data[0]!.allowedOrigins).flat();
  };
  await commanded(['sites', 'origins', 'add', 'http://localhost:5173'], env);
  await commanded(['sites', 'origins', 'add', 'https://shop.example', '--env', 'live'], env);
  const file = join(world.dataFolder, 'demo.json');
  const before = readFileSync(file);
  try {
    for (const port of ['4197', '4198']) {
      await commanded(['demo'], { ...env, PORT: port });
      const now = await origins();
      expect(now).toEqual(
        expect.arrayContaining([`http://127.0.0.1:${port}`, 'http://localhost:5173', 'https://shop.example']),
      );
      // Ever other ports do not fill the list.
      expect(now.filter((origin) => /:419[78]$/.test(origin))).toHaveLength(1);
    }
    expect((JSON.parse(readFileSync(file, 'utf8')) as typeof world.demo).allowedOrigins).toContain(
      'http://localhost:5173',
    );
  } finally {
    writeFileSync(file, before);
  }
});

function expectOneLine({ code, said }: Refused, line: RegExp): void {
  expect(said).toMatch(line);
  expect(said).not.toMatch(/\n\s+at |node:internal/);
  expect(said.split('\n').length).toBeLessThanOrEqual(2);
  expect(code).toBe(1);
}

it('names every problem of the settings at once', async () => {
  const { code, said } = await refusedStart({
    PORT: 'http',
    DATABASE_URL: 'mysql://x',
    REDIS_URL: 'nonsense',
    ASSENT_MASTER_KEY: 'secret',
  });
  for (const name of ['PORT', 'DATABASE_URL', 'REDIS_URL', 'ASSENT_MASTER_KEY']) expect(said).toContain(name);
  expect(said).not.toMatch(/\n\s+at |node:internal/);
  expect(code).toBe(1);
});

it('keeps the demo keys where only their owner can read them, the same over restarts, and prints them at the first', async () => {
  const file = join(world.dataFolder, 'demo.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const before = world.demo.publicKey;
  const catalogue = '/admin/v1/sites/demo/test/catalogue';
  const { template } = (await world.request('GET', catalogue, { key: 'operator' })).body;
  const change = { purposes: [], template: { ...template, defaultLocale: 'de' } };
  const changed = await world.request('POST', catalogue, { key: 'operator', body: change });
  expect(changed.body.changes).toMatchObject([{ action: 'PUBLISH', version: 2, changed: ['defaultLocale'] }]);
  await world.kill9();
  await world.restart();
  // What the demo brings along is published at the first start only: what the operator changed since stays.
  const { body } = await world.request('GET', '/v1/preference-template', { headers: { 'Accept-Language': 'fr' } });
  expect(body).toMatchObject({ version: 2, locale: 'de' });
  expect((await world.request('GET', '/v1/purposes', { key: before })).status).toBe(200);
  // Five lines and the list of keys, once.
  expect(world.output().split(before).length - 1).toBe(5);
  const announced = (): number => world.output().split('Assent is running at').length - 1;
  for (const until = Date.now() + 240_000; announced() < 2 && Date.now() < until;) await pause(20);
  expect(announced()).toBe(2);
  expect(world.output().split(before).length - 1).toBe(5);
});

it('serves its documentation from its own host', async () => {
  const page = await world.request('GET', '/docs', { key: null });
  expect(page.status).toBe(200);
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  expect(page.text).not.toMatch(/(src|href)="(https?:)?\/\//);
});

it('refuses another master key than the one the data was made with', async () => {
  const { code, said } = await refusedStart({
    PORT: '4199',
    ASSENT_DATA: ownFolder('other-key'),
    ASSENT_MASTER_KEY: randomBytes(32).toString('base64'),
  });
  expect(said).toMatch(/^The master key is not the one this database was made with; .+\.$/);
  expect(code).toBe(1);
});

it('says in one clear line what is wrong with a database that is not there', async () => {
  expectOneLine(
    await withoutDatabase,
    /^waiting up to 30 s for the database in DATABASE_URL\.\.\.\nThe database in DATABASE_URL does not answer; start it, or correct the address\.$/,
  );
});
