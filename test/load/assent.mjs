import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { freePort, postgresPids, stopped } from './processes.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const PURPOSES = ['analytics', 'marketing', 'necessary'];
const START_MS = 60_000;
/** So high that the bench never meets it; the counting itself is measured. */
const UNLIMITED = { perSecond: 1_000_000, burst: 1_000_000 };

/** Assent as `npm start` runs it, on a bundled Postgres in that folder, with a site of its own for the bench. */
export async function startAssent(dataFolder, nodeOptions = []) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const from = performance.now();
  const child = spawn(process.execPath, [...nodeOptions, join(ROOT, 'dist', 'apps', 'standalone', 'main.js')], {
    // Nothing of the caller's settings may reach it: a DATABASE_URL would be filled with the bench's records.
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ASSENT_DATA: dataFolder,
      PORT: String(port),
      ASSENT_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const assent = {
    url,
    pid: child.pid,
    postgres: () => postgresPids(dataFolder),
    startMs: 0,
    stop: () => stopped(child),
  };
  try {
    await ready(child, url, join(dataFolder, 'demo.json'));
    assent.startMs = performance.now() - from;
    const { operatorToken } = JSON.parse(readFileSync(join(dataFolder, 'demo.json'), 'utf8'));
    return { ...assent, keys: await registerSite(url, operatorToken) };
  } catch (error) {
    await stopped(child);
    throw error;
  }
}

async function ready(child, url, demoFile) {
  for (const deadline = performance.now() + START_MS; performance.now() < deadline; await pause(20)) {
    if (child.exitCode !== null) throw new Error(`Assent ended with ${child.exitCode} before it was ready`);
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok && existsSync(demoFile)) return;
  }
  throw new Error(`Assent was not ready within ${START_MS / 1000} s`);
}

async function registerSite(url, operatorToken) {
  const send = async (path, body) => {
    const answer = await fetch(`${url}/admin/v1/sites${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`POST /admin/v1/sites${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  await send('', { site: 'bench', name: 'Bench', rateLimits: { pk: UNLIMITED, sk: UNLIMITED } });
  const files = PURPOSES.map((purpose) =>
    parse(readFileSync(join(ROOT, 'apps', 'standalone', 'demo', 'purposes', `${purpose}.yaml`), 'utf8')),
  );
  await send('/bench/test/catalogue', { purposes: files });
  const { key: pk } = await send('/bench/keys', { type: 'pk', env: 'test', name: 'bench pages' });
  const { key: sk } = await send('/bench/keys', { type: 'sk', env: 'test', name: 'bench server' });
  return { pk, sk };
}
