import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { ProtocolServer } from '../support/eventstoredb/protocol-server.js';
import { startLogDatabase, type LogDatabase } from '../support/log-database.js';
import type { Wire } from '../support/wire.js';
import { commanded } from '../support/command-line.js';
import { freePort } from '../support/free-port.js';
import { finish, launch, type Running } from '../support/processes.js';

const ROLES = ['write-api', 'read-api', 'projector', 'dispatcher'] as const;
const masterKey = randomBytes(32).toString('base64');

let engines: LogDatabase;
let wire: Wire;
const running: Running[] = [];
beforeAll(async () => {
  engines = await startLogDatabase();
  wire = await engines.wire();
  await commanded(['migrate'], { DATABASE_URL: engines.url, ASSENT_MASTER_KEY: masterKey });
});
afterEach(async () => {
  wire.restore();
  await Promise.all(running.splice(0).map((process) => finish(process, 'SIGKILL')));
});
afterAll(() => engines?.stop());

interface Starting {
  said: string[];
  url: string;
}

async function begin(role: string, env: Record<string, string> = {}): Promise<Starting> {
  const said: string[] = [];
  const port = await freePort();
  running.push(
    launch(role, [], { DATABASE_URL: wire.url, ASSENT_MASTER_KEY: masterKey, PORT: String(port), ...env }, said),
  );
  return { said, url: `http://127.0.0.1:${port}` };
}

async function until(what: string, { said }: Starting, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 460_000; !(await isSo()); await pause(25))
    if (Date.now() > deadline) throw new Error(`not in time: ${what}\n${said.join('')}`);
}
const says = (starting: Starting, line: RegExp): Promise<void> =>
  until(`it says ${line}`, starting, () => line.test(starting.said.join('')));
const isReady = (starting: Starting): Promise<void> =>
  until('it is ready', starting, () =>
    fetch(`${starting.url}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );

it.each(['is not there yet', 'hangs'])('waits for a database that %s', async (how) => {
  if (how === 'hangs') wire.mute();
  else wire.cut();
  const starting = await begin('projector');
  await says(starting, /projector: waiting up to 30 s for the database/);
  wire.restore();
  await isReady(starting);
});

it('lets no role die whose first statements run out of their time, as they do on a loaded machine', async () => {
  const other = new pg.Client({ connectionString: engines.url });
  await other.connect();
  try {
    // Whoever starts looks for the proof of the master key first; the projector then makes tables that are missing.
    await other.query(`delete from projection.generations where name = 'consent_state'`);
    await other.query(
      `begin; lock table vault.sealed_secrets in access exclusive mode; select pg_advisory_xact_lock(4711, hashtext('consent_state'))`,
    );
    const starting = await Promise.all(ROLES.map((role) => begin(role)));
    await Promise.all(
      starting.map((each) => says(each, /: the database does not answer in time; trying again for up to 60 s\.\.\.\n/)),
    );
    await other.query(`rollback; begin; select pg_advisory_xact_lock(4711, hashtext('consent_state'))`);
    await says(starting[2]!, /(trying again.+\n[^]*){2}/);
    await other.query('rollback');
    await Promise.all(starting.map(isReady));
  } finally {
    await other.end();
  }
});

/** How often a line of this message was said, with what it said besides. */
const lines = ({ said }: Starting, message: RegExp): Record<string, unknown>[] =>
  said
    .join('')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => message.test(msg as string));
const readiness = async ({ url }: Starting): Promise<number> => (await fetch(`${url}/readyz`)).status;

it('waits for a log that is away at the start, says so once and why, and gets ready by itself once it comes', async () => {
  const events = await ProtocolServer.start();
  try {
    await events.kill();
    const starting = await begin('read-api', { ESDB_URL: events.url });
    await says(starting, /read-api: listening on/);
    expect(await readiness(starting)).toBe(503);
    expect(lines(starting, /event log/)).toEqual([
      expect.objectContaining({
        level: 40,
        log: 'EventStoreDB',
        reason: expect.stringContaining('ECONNREFUSED'),
        msg: 'waiting for the event log, which has not answered since the start',
      }),
    ]);
    await events.restart();
    // Ready is who reads rows as well: somebody has to make them.
    await isReady(await begin('projector', { ESDB_URL: events.url }));
    await isReady(starting);
    expect(lines(starting, /event log/).slice(1)).toEqual([
      expect.objectContaining({ level: 30, awayMs: expect.any(Number), msg: 'the event log is there' }),
    ]);
  } finally {
    await events.stop();
  }
});

it('says once that the log in Postgres is lost, and once that it is back', async () => {
  const starting = await begin('write-api');
  await isReady(starting);
  wire.cut();
  await says(starting, /"msg":"the event log is lost/);
  expect(await readiness(starting)).toBe(503);
  wire.restore();
  await isReady(starting);
  expect(lines(starting, /event log/)).toEqual([
    expect.objectContaining({ level: 40, log: 'Postgres', reason: expect.stringMatching(/\w/) }),
    expect.objectContaining({ level: 30, log: 'Postgres', msg: 'the event log is back' }),
  ]);
});

it('says once in each role that the log is lost and once that it is back; rows are answered meanwhile', async () => {
  const events = await ProtocolServer.start();
  const folder = mkdtempSync(join(tmpdir(), 'assent-lost-'));
  try {
    const env = { ESDB_URL: events.url };
    const all = await Promise.all(ROLES.map((role) => begin(role, env)));
    const [writeApi, readApi] = all as [Starting, Starting];
    await commanded(['demo'], { DATABASE_URL: engines.url, ASSENT_MASTER_KEY: masterKey, ASSENT_DATA: folder, ...env });
    await Promise.all(all.map(isReady));
    const { secretKey } = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as { secretKey: string };
    const headers = { Authorization: `Bearer ${secretKey}`, 'Content-Type': 'application/json' };
    const subject = `visitor_id:${randomBytes(16).toString('hex')}`;
    const write = (): Promise<Response> =>
      fetch(`${writeApi.url}/v1/consent`, {
        method: 'POST',
        headers: { ...headers, 'Idempotency-Key': randomUUID() },
        body: JSON.stringify({ subject, purpose: 'analytics', decision: 'GRANTED' }),
      });
    const read = (rest = ''): Promise<Response> =>
      fetch(`${readApi.url}/v1/subjects/${encodeURIComponent(subject)}/consent${rest}`, { headers });
    await until('a decision is taken', writeApi, async () => (await write()).status === 201);
    await until('it is in the rows', readApi, async () => {
      const state = (await (await read()).json()) as { revision?: number };
      return (state.revision ?? 0) > 0;
    });

    await events.kill();
    await Promise.all(all.map((each) => says(each, /"msg":"the event log is lost/)));
    expect(await Promise.all(all.map(readiness))).toEqual([503, 200, 503, 503]);
    expect((await read()).status).toBe(200);
    for (const refused of [await read('?fresh=true'), await read('/history'), await write()])
      expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
        503,
        'dependency_unavailable',
      ]);

    await events.restart();
    await Promise.all(all.map(isReady));
    expect((await read('?fresh=true')).status).toBe(200);
    for (const each of all) {
      expect(lines(each, /event log/)).toEqual([
        expect.objectContaining({ log: 'EventStoreDB', reason: expect.stringContaining('ECONNREFUSED') }),
        expect.objectContaining({ log: 'EventStoreDB', msg: 'the event log is back' }),
      ]);
      const metrics = await (await fetch(`${each.url}/metrics`)).text();
      expect(metrics).toMatch(/^assent_log_up 1$/m);
      expect(metrics).toMatch(/^assent_log_losses_total 1$/m);
    }
  } finally {
    await Promise.all(running.splice(0).map((process) => finish(process, 'SIGKILL')));
    await events.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
