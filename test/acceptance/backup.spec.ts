import { execFile, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { assent, commanded, type Outcome } from '../support/command-line.js';
import { createDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { noteRepeat, noteRequest } from '../support/plain/repeats.mjs';
import { ready } from '../support/ready.js';
import { verifies } from '../support/receipt.js';
import { newEmail } from '../support/subjects.js';
import { startWorld, type Answer, type World } from '../support/world.js';
import { NODE_OPTIONS } from '../support/node-options.mjs';

const MAIN = fileURLToPath(new URL('../../dist/apps/standalone/main.js', import.meta.url));
const STARTS_WITHIN_MS = 120_000;

let world: World;
let scratch: string;
let backup: string;
beforeAll(async () => {
  world = await startWorld({ bundled: true });
  scratch = mkdtempSync(join(tmpdir(), 'assent-backup-'));
  backup = join(scratch, 'backup');
}, 240_000);
afterAll(async () => {
  await world?.stop();
  rmSync(scratch, { recursive: true, force: true });
});

const command = (...args: string[]): Promise<string> => commanded(args, { ASSENT_DATA: world.dataFolder });
const restored = (data: string, from = backup): Promise<Outcome> =>
  assent(['restore', from, '--json'], { ASSENT_DATA: data });
const refusalOf = ({ code, out }: Outcome): [number | null, string] => [
  code,
  (JSON.parse(out) as { code: string }).code,
];

/** A data folder that holds nothing but a master key: by default that of the world. */
function newData(name: string, masterKey = readFileSync(join(world.dataFolder, 'master.key'), 'utf8')): string {
  const data = join(scratch, name);
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(join(data, 'master.key'), masterKey, { mode: 0o600 });
  return data;
}

const tablesOf = (folder: string): { name: string; rows: number; sha256: string }[] =>
  (JSON.parse(readFileSync(join(folder, 'backup.json'), 'utf8')) as { tables: never[] }).tables;

interface Running {
  url: string;
  /** Resolves when it has ended. */
  stop(): Promise<void>;
}

/** Answers once it is ready. */
async function start(data: string): Promise<Running> {
  const port = await freePort();
  const child = spawn(process.execPath, [...NODE_OPTIONS, MAIN], {
    env: { PATH: process.env['PATH'], PORT: String(port), ASSENT_DATA: data, ASSENT_DEMO: 'empty' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => said.push(text));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  await ready(child, url, () => said.join(''));
  return { url, stop: () => (child.kill('SIGTERM'), ended) };
}

/** Asks again where a machine that is busy had no time for an answer. */
async function answered(ask: () => Promise<Response>): Promise<Response> {
  noteRequest();
  for (const deadline = Date.now() + STARTS_WITHIN_MS; ; await pause(500)) {
    const answer = await ask();
    if (answer.status !== 503 || Date.now() > deadline) return answer;
    noteRepeat();
    await answer.body?.cancel();
  }
}

/** What a service answers of everybody in `people`. */
async function answersOf(url: string, people: readonly string[]): Promise<string[]> {
  const headers = { Authorization: `Bearer ${world.demo.secretKey}` };
  const paths = people.flatMap((person) =>
    ['/consent/history', '/preferences/history', ''].map((rest) => `/v1/subjects/${encodeURIComponent(person)}${rest}`),
  );
  return Promise.all(
    [...paths, '/v1/purposes', '/.well-known/jwks.json'].map(async (path) => {
      const answer = await answered(() => fetch(url + path, { headers }));
      const text = (await answer.text()).replace(/"requestId":"[^"]*"|"docUrl":"[^"]*"/g, '');
      return `${path} ${answer.status} ${text}`;
    }),
  );
}

describe('a backup', () => {
  let people: string[];
  let receipt: { receipt: { subject: { id: string } }; jws: string };
  let first: Answer;
  const key = randomUUID();
  const person = `email:${newEmail()}`;
  const decide = { subject: person, purpose: 'marketing', decision: 'GRANTED' };

  beforeAll(async () => {
    first = await world.request('POST', '/v1/consent', { body: decide, headers: { 'Idempotency-Key': key } });
    const visitor = world.visitor();
    await world.recorded({ subject: visitor });
    await world.request('POST', '/v1/preferences', {
      body: { subject: person, values: [{ field: 'channels.push.topics.news', value: true }] },
    });
    const gone = `email:${newEmail()}`;
    await world.recorded({ subject: gone }, { key: 'sk' });
    const erased = await world.request('POST', `/v1/subjects/${encodeURIComponent(gone)}/erase`, { body: {} });
    receipt = erased.body as typeof receipt;
    people = [person, visitor, gone, receipt.receipt.subject.id];
    const out = await command('backup', backup, '--json');
    expect(JSON.parse(out)).toMatchObject({ folder: backup, log: 'postgres' });
  });

  it('is a folder for each schema, which only its owner reads', () => {
    const rows = Object.fromEntries(tablesOf(backup).map(({ name, rows }) => [name, rows]));
    // Of the person, of the visitor, and of whom the demo's portal is shown to.
    expect(rows['vault.subject_keys']).toBe(3);
    expect(rows['write.erased_subjects']).toBeGreaterThan(0);
    expect(rows['log.events']).toBeGreaterThan(8);
    expect(Object.keys(rows).filter((name) => /^(mail|read|projection|snapshot)\./.test(name))).toEqual([]);
    for (const name of Object.keys(rows)) {
      const file = `${join(backup, ...name.split('.'))}.copy.gz`;
      expect([name, statSync(file).mode & 0o777]).toEqual([name, 0o600]);
    }
    expect(statSync(backup).mode & 0o777).toBe(0o700);
  });

  it('holds no address in clear, neither master key nor token', () => {
    const all = ['log/events', 'vault/identifiers', 'vault/sealed_secrets', 'write/idempotency']
      .map((file) => gunzipSync(readFileSync(join(backup, `${file}.copy.gz`))).toString('latin1'))
      .join('\n');
    const masterKey = readFileSync(join(world.dataFolder, 'master.key'), 'utf8').trim();
    for (const secret of [
      person.slice(6),
      Buffer.from(person.slice(6)).toString('hex'),
      masterKey,
      world.demo.operatorToken,
    ])
      expect(all.includes(secret)).toBe(false);
  });

  it('is never written over another', async () => {
    expect(refusalOf(await assent(['backup', backup, '--json'], { ASSENT_DATA: world.dataFolder }))).toEqual([
      1,
      'folder_not_empty',
    ]);
  });

  it('brings everything back into a new folder: answers, receipts, the first answer to a repeat, and nothing that was said later', async () => {
    await world.recorded({ subject: person, decision: 'WITHDRAWN', purpose: 'marketing' }, { key: 'sk' });
    const data = newData('restored');
    expect((await restored(data)).code).toBe(0);
    const service = await start(data);
    try {
      const [now, then] = await Promise.all([answersOf(world.url, people), answersOf(service.url, people)]);
      expect(now.filter((answer, i) => answer !== then[i]).map((answer) => answer.split(' ')[0])).toEqual([
        `/v1/subjects/${encodeURIComponent(person)}/consent/history`,
      ]);
      const again = await fetch(`${service.url}/v1/consent`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${world.demo.secretKey}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': key,
        },
        body: JSON.stringify(decide),
      });
      expect([again.headers.get('idempotent-replayed'), await again.text()]).toEqual(['true', first.text]);
      const { keys } = (await (await fetch(`${service.url}/.well-known/jwks.json`)).json()) as { keys: never[] };
      expect(verifies(receipt.jws, receipt.receipt, keys)).toBe(true);
      const verified = await commanded(['audit', 'verify', '--json'], { ASSENT_DATA: data });
      expect(JSON.parse(verified)).toMatchObject({ differences: 0 });
    } finally {
      await service.stop();
    }
  });

  it('is not the only one: a copy of the folder of a stopped service starts as that did', async () => {
    const [data, copy] = [join(scratch, 'restored'), join(scratch, 'copied')];
    await promisify(execFile)('cp', ['-a', data, copy]);
    const [one, two] = await Promise.all([start(data), start(copy)]);
    try {
      expect(await answersOf(two.url, people)).toEqual(await answersOf(one.url, people));
    } finally {
      await Promise.all([one.stop(), two.stop()]);
    }
  });

  it('goes into an empty database of your own as well', async () => {
    const database = await createDatabase('template1');
    try {
      const env = { ASSENT_DATA: newData('for-own'), DATABASE_URL: database.url };
      await commanded(['restore', backup], env);
      expect(refusalOf(await assent(['restore', backup, '--json'], env))).toEqual([1, 'database_not_empty']);
      const again = join(scratch, 'again');
      await commanded(['backup', again], env);
      expect(tablesOf(again)).toEqual(tablesOf(backup));
    } finally {
      await database.drop();
    }
  });

  it('is not restored over data', async () => {
    expect(refusalOf(await restored(join(scratch, 'restored')))).toEqual([1, 'database_not_empty']);
    // While a service uses the folder, nobody else opens it.
    expect(refusalOf(await restored(world.dataFolder))).toEqual([1, 'not_possible']);
  });

  it('is not restored with another master key, and leaves nothing behind', async () => {
    const data = newData('other-key', randomBytes(32).toString('hex'));
    expect((await restored(data)).out).toContain('not the one this database was made with');
    copyFileSync(join(world.dataFolder, 'master.key'), join(data, 'master.key'));
    expect((await restored(data)).code).toBe(0);
  });

  it('asks for the master key before it makes a database', async () => {
    const data = join(scratch, 'no-key');
    expect((await restored(data)).out).toContain('No master key');
    expect(existsSync(data)).toBe(false);
  });

  it.each<[string, (folder: string) => void]>([
    [
      'a file is cut short',
      (folder) => {
        const file = join(folder, 'log/events.copy.gz');
        writeFileSync(file, readFileSync(file).subarray(0, -20));
      },
    ],
    [
      'a file is that of another backup',
      (folder) => writeFileSync(join(folder, 'vault/subject_keys.copy.gz'), gzipSync('')),
    ],
    ['a file is missing', (folder) => rmSync(join(folder, 'write/idempotency.copy.gz'))],
    ['it was not finished', (folder) => rmSync(join(folder, 'backup.json'))],
  ])('is refused where %s, before anything is made', async (_, spoil) => {
    const spoiled = join(scratch, `spoiled-${randomUUID()}`);
    await promisify(execFile)('cp', ['-a', backup, spoiled]);
    spoil(spoiled);
    const data = newData(`for-${randomUUID()}`);
    expect(refusalOf(await restored(data, spoiled))).toEqual([1, 'backup_damaged']);
    expect(existsSync(join(data, 'postgres'))).toBe(false);
  });

  it('is refused where a newer release made it', async () => {
    const newer = join(scratch, 'newer');
    await promisify(execFile)('cp', ['-a', backup, newer]);
    const file = join(newer, 'backup.json');
    const made = JSON.parse(readFileSync(file, 'utf8')) as { migrations: string[] };
    writeFileSync(file, JSON.stringify({ ...made, migrations: [...made.migrations, 'Later1999999999999'] }));
    expect(refusalOf(await restored(newData('for-newer'), newer))).toEqual([1, 'backup_newer']);
  });
});

describe('data of another major version of Postgres', () => {
  it('is refused at the start, in one line that says how to bring it over, and left as it is', async () => {
    const data = join(scratch, 'restored');
    const file = join(data, 'postgres', 'PG_VERSION');
    const written = readFileSync(file, 'utf8');
    writeFileSync(file, '17\n');
    const refused = await start(data).then(
      () => 'it started',
      (error: Error) => error.message,
    );
    expect(refused).toMatch(
      /was written by Postgres 17, this release brings 18; start the former release, write "assent backup <folder>" with it, and bring that with "assent restore <folder>" of this release into a new ASSENT_DATA that holds master\.key\./,
    );
    writeFileSync(file, written);
    await (await start(data)).stop();
  });
});
