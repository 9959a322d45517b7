import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ENTRIES = {
  client: ['@assent/client', '@assent/client/server', '@assent/client/middleware', '@assent/client/receipts'],
  elements: ['@assent/elements/server'],
};
/** What pages load is a module and nothing else; what a server loads is both. */
const MODULES_ONLY = { elements: ['.', './react', './vue'] };
const READY_WITHIN_MS = 60_000;
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Tries what a release made, as a new user would, in empty folders: sums, what publint and "are the types wrong" say of
 * each package, npm and pnpm, and the service from its archive. Rejects with the first thing that does not hold.
 * @param {string} made the folder of the release
 * @param {string} version
 */
export async function check(made, version) {
  const folder = mkdtempSync(join(tmpdir(), 'assent-release-'));
  const tarball = (name) => join(made, `assent-${name}-${version}.tgz`);
  const tools = join(folder, 'tools');
  const tried = (what) => console.log(`tried: ${what}`);
  try {
    sums(made);
    tried('the sums');
    mkdirSync(tools);
    cpSync(join(import.meta.dirname, 'tools.json'), join(tools, 'package.json'));
    await run('npm', ['install', '--ignore-scripts', ...QUIET], { cwd: tools });
    for (const name of Object.keys(ENTRIES)) {
      await published(tools, name, tarball(name));
      tried(`@assent/${name} by publint and "are the types wrong"`);
      for (const [by, install] of installers(tools)) {
        const project = join(folder, `${by}-${name}`);
        mkdirSync(project);
        writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
        await install(project, tarball(name));
        await used(project, ENTRIES[name]);
        tried(`@assent/${name} installed by ${by}, imported and required`);
      }
    }
    await served(folder, join(made, `assent-${version}.tar.gz`), version);
    tried('the service: npm ci, npm start, /readyz');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sums(made) {
  for (const line of readFileSync(join(made, 'SHA256SUMS'), 'utf8').trim().split('\n')) {
    const [sum, name] = line.split('  ');
    const found = createHash('sha256')
      .update(readFileSync(join(made, name)))
      .digest('hex');
    if (found !== sum) throw new Error(`${name} is not what SHA256SUMS says`);
  }
}

async function published(tools, name, tarball) {
  const tool = (path) => import(join(tools, 'node_modules', path));
  const { publint } = await tool('publint/src/index-node.js');
  const bytes = new Uint8Array(readFileSync(tarball));
  const { messages } = await publint({ pack: { tarball: bytes.buffer }, level: 'suggestion', strict: true });
  if (messages.length > 0) throw new Error(`publint, @assent/${name}: ${JSON.stringify(messages)}`);
  const { checkPackage, createPackageFromTarballData } = await tool('@arethetypeswrong/core/dist/index.js');
  const found = (await checkPackage(createPackageFromTarballData(bytes))).problems;
  const problems = found.filter(
    ({ kind, entrypoint }) => kind !== 'CJSResolvesToESM' || !MODULES_ONLY[name]?.includes(entrypoint),
  );
  if (problems.length > 0)
    throw new Error(`are the types wrong, @assent/${name}: ${JSON.stringify(problems, null, 1)}`);
}

const installers = (tools) => [
  ['npm', (cwd, tarball) => run('npm', ['install', tarball, ...QUIET], { cwd })],
  [
    'pnpm',
    (cwd, tarball) => run(process.execPath, [join(tools, 'node_modules/pnpm/bin/pnpm.cjs'), 'add', tarball], { cwd }),
  ],
];

/** Every entry, as a module and as CommonJS, in a program of its own. */
async function used(cwd, entries) {
  const names = JSON.stringify(entries);
  writeFileSync(
    join(cwd, 'use.mjs'),
    `for (const name of ${names}) if (!Object.keys(await import(name)).length) throw name;`,
  );
  writeFileSync(
    join(cwd, 'use.cjs'),
    `for (const name of ${names}) if (!Object.keys(require(name)).length) throw name;`,
  );
  for (const program of ['use.mjs', 'use.cjs']) await run(process.execPath, [program], { cwd });
}

/** Starts the service of the archive in an empty folder with a Postgres of its own, until it is ready. */
async function served(folder, archive, version) {
  await run('tar', ['-xzf', archive, '-C', folder]);
  const cwd = join(folder, `assent-${version}`);
  await run('npm', ['ci', '--omit=dev', ...QUIET], { cwd });
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  const env = { ...process.env, ASSENT_DATA: join(folder, 'data'), PORT: String(port), HOST: '127.0.0.1' };
  for (const name of ['DATABASE_URL', 'ESDB_URL', 'REDIS_URL', 'ASSENT_PUBLIC_URL', 'NODE_ENV']) delete env[name];
  const service = spawn('npm', ['start'], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const ended = once(service, 'exit');
  try {
    let said = '';
    for await (const chunk of service.stdout) if ((said += chunk).includes('Assent is running at')) break;
    service.stdout.resume?.();
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    for (const until = Date.now() + READY_WITHIN_MS; !(await isReady()); await pause(100))
      if (Date.now() > until) throw new Error(`the service of the archive is not ready:\n${said}`);
  } finally {
    process.kill(-service.pid, 'SIGTERM');
    await ended;
  }
}
