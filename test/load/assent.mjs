import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { NODE_OPTIONS } from '../support/node-options.mjs';
import { freePort, ours, postgresPids, stopped } from './processes.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const PURPOSES = ['analytics', 'marketing', 'necessary', 'sale-of-data'];
const START_MS = 60_000;
/** So high that the bench never meets it; the counting itself is measured. */
const UNLIMITED = { perSecond: 1_000_000, burst: 1_000_000 };

/**
 * Assent in one process with a site of its own for the bench, on a bundled Postgres in that folder unless a database is
 * named. Started again on the same folder it is given the keys that it answered at first.
 * @param {{ databaseUrl?: string, settings?: Record<string, string>, keys?: object, nodeOptions?: string[] }} options
 */
export async function startAssent(dataFolder, { databaseUrl, settings, keys, nodeOptions = [] } = {}) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const from = performance.now();
  // Nothing of the caller's settings may reach it: a DATABASE_URL would be filled with the bench's records.
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    ASSENT_DATA: dataFolder,
    PORT: String(port),
    ASSENT_DEMO: 'empty',
    ASSENT_LOG_LEVEL: 'error',
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    ...settings,
  };
  const program = [...NODE_OPTIONS, ...nodeOptions, join(ROOT, 'dist', 'apps', 'standalone', 'main.js')];
  const child = ours(spawn(process.execPath, program, { env, stdio: ['ignore', 'ignore', 'pipe'] }));
  // What it says is of interest only where it ends by itself.
  const said = [];
  child.stderr.setEncoding('utf8').on('data', (text) => said.push(text));
  child.once('exit', (code) => code && console.error(said.join('')));
  const assent = {
    url,
    pid: child.pid,
    child,
    startedAt: from,
    postgres: () => postgresPids(dataFolder),
    stop: () => stopped(child),
  };
  try {
    if (keys) return { ...assent, keys };
    const demo = join(dataFolder, 'demo.json');
    await ready(assent, demo);
    const { operatorToken } = JSON.parse(readFileSync(demo, 'utf8'));
    return { ...assent, keys: { ...(await registerSite(url, operatorToken)), operator: operatorToken } };
  } catch (error) {
    await stopped(child);
    throw error;
  }
}

/** Resolves when the read models hold all of the log. `show` is told now and then how far they are, taken together. */
export async function caughtUp({ child, url }, show = null) {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`Assent ended with ${child.exitCode} while it caught up`);
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    const { logPosition, readPosition } = answer?.ok ? await answer.json() : {};
    if (logPosition && logPosition === readPosition) return;
    // It is not ready, and so names no positions, while they are far behind.
    const [head] = show ? await metric(url, 'assent_log_head_position') : [];
    const lags = head > 0 ? await metric(url, 'assent_projection_lag_events') : [];
    if (lags.length > 0) show(Math.round(head - lags.reduce((sum, lag) => sum + lag) / lags.length), head);
    await pause(200);
  }
}

/** The values of a metric, one for each set of labels; none where it has no value, or nobody answers. */
export async function metric(url, name) {
  const text = await fetch(`${url}/metrics`).then(
    (answer) => answer.text(),
    () => '',
  );
  return [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))].map(([, value]) => Number(value));
}

/** Resolves when Assent says that it is ready. */
export async function ready({ child, url }, demoFile = null, withinMs = START_MS) {
  for (const deadline = performance.now() + withinMs; performance.now() < deadline; await pause(20)) {
    if (child.exitCode !== null) throw new Error(`Assent ended with ${child.exitCode} before it was ready`);
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok && (demoFile === null || existsSync(demoFile))) return;
  }
  throw new Error(`Assent was not ready within ${withinMs / 1000} s`);
}

/** Registers a site with the catalogue of the demo and without limits, and answers its keys. */
export async function registerSite(url, operatorToken, site = 'bench') {
  const send = async (path, body) => {
    const answer = await fetch(`${url}/admin/v1/sites${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`POST /admin/v1/sites${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const common = { name: 'Bench', domains: ['bench.example'] };
  await send('', { ...common, site, rateLimits: { pk: UNLIMITED, sk: UNLIMITED } });
  const catalogue = {
    purposes: PURPOSES.map((purpose) => demoFile(`purposes/${purpose}.yaml`)),
    template: demoFile('template.yaml'),
  };
  await send(`/${site}/test/catalogue`, catalogue);
  const { key: pk } = await send(`/${site}/keys`, { type: 'pk', env: 'test', name: 'bench pages' });
  const { key: sk } = await send(`/${site}/keys`, { type: 'sk', env: 'test', name: 'bench server' });
  return { pk, sk };
}

const demoFile = (name) => parse(readFileSync(join(ROOT, 'apps', 'standalone', 'demo', name), 'utf8'));
