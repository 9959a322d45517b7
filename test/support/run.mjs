// What `npm test` runs. Plain JavaScript without dependencies: it has to work on a fresh clone. Arguments go on to jest.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare } from '../../apps/standalone/prepare.mjs';
import { clearEarlierRuns, closeRunFolder, openRunFolder } from './leftovers.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const JEST = join(ROOT, 'node_modules/jest/bin/jest.js');
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

let child = null;
let stoppedBy = null;
for (const signal of Object.keys(SIGNALS)) {
  process.on(signal, () => {
    stoppedBy ??= signal;
    child?.kill(signal);
  });
}

/** Runs a program to its end; its exit code, 1 where a signal ended it. */
function run(command, args, env = process.env) {
  return new Promise((resolve, reject) => {
    child = spawn(command, args, { cwd: ROOT, env, stdio: 'inherit' });
    child.on('error', reject).on('exit', (code) => {
      child = null;
      resolve(code ?? 1);
    });
  });
}

async function main(folder) {
  await prepare({ build: true });
  if (!existsSync(JEST)) {
    console.error('the packages that the tests need are missing; installing them (npm ci, about half a minute)...');
    if ((await run('npm', ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'])) !== 0) throw new Error('npm ci failed; the reason stands above.');
  }
  if (stoppedBy) return { code: 1, counts: { passed: 0, failed: 0 } };
  console.error('testing...');
  const counts = join(folder, 'counts.json');
  const env = {
    ...process.env,
    TZ: 'UTC',
    TMPDIR: folder,
    ASSENT_TEST_COUNTS: counts,
    NODE_OPTIONS: [process.env.NODE_OPTIONS, '--experimental-vm-modules', '--disable-warning=ExperimentalWarning'].filter(Boolean).join(' '),
  };
  // What was compiled for a run serves the next one, which has another temporary folder.
  const cache = join(tmpdir(), `assent-jest-cache-${userInfo().uid}`);
  const reporters = ['default', fileURLToPath(new URL('closing-line.mjs', import.meta.url))].map((name) => `--reporters=${name}`);
  const code = await run(process.execPath, [JEST, ...reporters, `--cacheDirectory=${cache}`, ...process.argv.slice(2)], env);
  return { code, counts: existsSync(counts) ? JSON.parse(readFileSync(counts, 'utf8')) : { passed: 0, failed: code === 0 ? 0 : 1 } };
}

const earlier = await clearEarlierRuns();
if (earlier > 0) console.error(`removed what ${earlier} earlier run${earlier > 1 ? 's' : ''} left behind`);
const folder = openRunFolder();
let result = { code: 1, counts: { passed: 0, failed: 1 } };
try {
  result = await main(folder);
} catch (error) {
  console.error(error.name === 'StartRefused' ? error.message : error);
}
const left = await closeRunFolder(folder);
if (left.length > 0) console.error(`the tests left ${left.length} process${left.length > 1 ? 'es' : ''} running, which had to be ended`);
console.log(`${result.counts.passed} passed, ${result.counts.failed} failed`);
process.exitCode = stoppedBy ? 128 + SIGNALS[stoppedBy] : result.code || (result.counts.failed > 0 ? 1 : 0);
