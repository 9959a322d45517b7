import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bundledPostgresUrl } from '../../dist/libs/engines/database/bundled-url.js';
import { NODE_OPTIONS } from '../support/node-options.mjs';
import { freePort, ours, stopped } from './processes.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const START_MS = 60_000;

/** All roles but the one that an Assent beside them plays. */
export const BESIDE_ASSENT = ['write-api', 'read-api', 'dispatcher'];

/**
 * Roles as processes of their own, on the Postgres and the data of an Assent: the same keys, purposes and visitors, so
 * that only the topology differs. Where that Assent goes on it answers nobody meanwhile and is the projector: a second one
 * would be a rival, and do all its work again. `settings`: those by which that Assent keeps its log, and its database
 * where that is not its own. `nodeOptions`: those of Node for a role.
 */
export async function startRoles(dataFolder, settings, names = BESIDE_ASSENT, nodeOptions = () => []) {
  const shared = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    ASSENT_LOG_LEVEL: 'error',
    ASSENT_MASTER_KEY: readFileSync(join(dataFolder, 'master.key'), 'utf8').trim(),
    ...settings,
    DATABASE_URL: settings.DATABASE_URL ?? bundledPostgresUrl(dataFolder),
  };
  const roles = {};
  const stop = () => Promise.all(Object.values(roles).map(({ child }) => stopped(child)));
  try {
    for (const role of names) {
      const port = await freePort();
      const program = [...NODE_OPTIONS, ...nodeOptions(role), join(ROOT, 'dist', 'apps', role, 'main.js')];
      const env = { ...shared, PORT: String(port) };
      const child = ours(spawn(process.execPath, program, { env, stdio: ['ignore', 'ignore', 'inherit'] }));
      roles[role] = { child, pid: child.pid, url: `http://127.0.0.1:${port}` };
      await ready(role, roles[role]);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { roles, stop };
}

async function ready(role, { child, url }) {
  for (const deadline = performance.now() + START_MS; performance.now() < deadline; await pause(20)) {
    if (child.exitCode !== null) throw new Error(`${role} ended with ${child.exitCode} before it was ready`);
    if ((await fetch(`${url}/readyz`).catch(() => null))?.ok) return;
  }
  throw new Error(`${role} was not ready within ${START_MS / 1000} s`);
}
