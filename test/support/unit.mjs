// `npm run unit -- <specs> [--watch]`: specs without a build and without a database, by the same loader as `npm test`.
// Specs that need a database say so; `npm test -- <spec>` runs them.
import { spawn } from 'node:child_process';
import { readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WATCHED = ['apps', 'libs', 'test'];
/** An editor that saves writes a file several times. */
const SETTLED_MS = 100;

const { jest } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const { globalSetup: _, globalTeardown: __, ...config } = jest;
const isWatching = process.argv.includes('--watch');
const args = process.argv.slice(2).filter((arg) => arg !== '--watch');

const run = () =>
  spawn(
    process.execPath,
    [join(ROOT, 'node_modules/jest/bin/jest.js'), '--config', JSON.stringify({ rootDir: ROOT, ...config }), ...args],
    { cwd: ROOT, stdio: 'inherit', env: { ...process.env, TZ: 'UTC' } },
  );

if (!isWatching) run().on('exit', (code) => (process.exitCode = code ?? 1));
else {
  let running = run();
  let timer;
  const again = () => {
    running.kill();
    running = run();
  };
  for (const folder of WATCHED)
    watch(join(ROOT, folder), { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(again, SETTLED_MS);
    });
}
