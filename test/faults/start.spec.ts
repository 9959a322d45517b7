import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
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
    // Whoever starts looks for the proof of the master key first; the projector then opens its tables.
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

it('gets ready by itself once a log comes that was away at the start', async () => {
  const events = await ProtocolServer.start();
  try {
    await events.kill();
    const starting = await begin('read-api', { ESDB_URL: events.url });
    await says(starting, /read-api: listening on/);
    expect((await fetch(`${starting.url}/readyz`)).status).toBe(503);
    await events.restart();
    // Ready is who reads rows as well: somebody has to make them.
    await isReady(await begin('projector', { ESDB_URL: events.url }));
    await isReady(starting);
  } finally {
    await events.stop();
  }
});
