import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { EventStoreDbLog } from '../../libs/log/adapters/eventstoredb/eventstoredb.js';
import { PostgresEventLog } from '../../libs/log/adapters/postgres/postgres.js';
import { NO_STREAM, type NewEvent } from '../../libs/log/port.js';
import { BEGINNING, sameUlid, subjectStream } from '../../libs/kernel/index.js';
import { readLog } from '../../libs/log/log-reading.js';
import { Database } from '../../libs/engines/database/database.js';
import { asking, unhurried, type Answer } from '../support/asking.js';
import { assent, commanded } from '../support/command-line.js';
import { createDatabase, type OwnDatabase } from '../support/databases.js';
import { ProtocolServer } from '../support/eventstoredb/protocol-server.js';
import { startInstallation, type Installation } from '../support/installation.js';
import { until } from '../support/double-opt-in.js';
import { VERIFIERS, type Jwk } from '../support/receipt-verifiers.js';
import { verifies } from '../support/receipt.js';
import { newEmail, subjectPath, subjectsIn } from '../support/subjects.js';
import { startWorld, type World } from '../support/world.js';

/*
 * A receipt follows from the log alone: whatever it is derived by, it is the same to the byte.
 */

const HISTORY = fileURLToPath(new URL('../history/', import.meta.url));
/** Records as earlier releases wrote them, when there were no receipts yet. */
const EARLIER = ['ConsentRecorded.v1', 'PreferenceSet.v1'] as const;

/** A rotation takes a few, however much there is to seal anew. */
const ROTATED_WITHIN = 20;

interface Golden {
  type: string;
  subject: string;
  metadata: NewEvent['metadata'];
  data: { recordId: string };
}

let world: World;
const ids: string[] = [];
/** Answers by receipt, as they were first. */
const first = new Map<string, string>();

const { erase, merge } = subjectsIn(() => world);
const somebody = (): string => `email:${newEmail()}`;
const engines = (): Record<string, string> => ({ DATABASE_URL: world.databaseUrl!, ASSENT_DATA: world.dataFolder });
const texts = async (ask: (path: string) => Promise<Answer>): Promise<Map<string, string>> =>
  new Map(
    await Promise.all(
      ids.map(async (id): Promise<[string, string]> => {
        const { status, text } = await ask(`/v1/receipts/${id}`);
        return [id, `${status} ${text}`];
      }),
    ),
  );
const here = (): Promise<Map<string, string>> => texts((path) => world.request('GET', path));

/** What earlier releases stored, put into the log as it stands in the history of event types. */
async function storeEarlier(): Promise<void> {
  const database = new Database(world.databaseUrl!);
  const log = new PostgresEventLog(database);
  try {
    for (const name of EARLIER) {
      const { type, subject, metadata, data } = JSON.parse(
        readFileSync(join(HISTORY, `${name}.json`), 'utf8'),
      ) as Golden;
      const stream = subjectStream({ site: world.demo.site, env: 'test' }, subject);
      const event = { type, id: randomUUID(), metadata, data };
      expect(await log.append(stream, NO_STREAM, [event])).toMatchObject({ outcome: 'appended' });
      ids.push(sameUlid('rct', data.recordId));
    }
  } finally {
    await log.close();
    await database.close();
  }
}

async function record(): Promise<void> {
  const [one, other, gone] = [somebody(), somebody(), somebody()];
  const consent = async (subject: string, more: object): Promise<void> => {
    ids.push((await world.recorded({ subject, ...more }, { key: 'sk' })).body.receiptId as string);
  };
  for (const decision of ['GRANTED', 'WITHDRAWN']) await consent(one, { decision });
  await consent(one, { source: 'IMPORT', givenAt: '2020-01-01T00:00:00.000Z' });
  await consent(other, { decision: 'DENIED' });
  await consent(gone, { metadata: { note: 'soon forgotten' } });
  const set = await world.request('POST', '/v1/preferences', {
    body: { subject: one, values: [{ field: 'channels.email.topics.product_updates', value: false }] },
  });
  const { token } = (
    await world.request('POST', '/v1/preferences/confirmation-token', {
      body: {
        subject: one,
        values: [{ field: 'channels.email.topics.news', value: true }],
        redirectUrl: 'https://demo.example/',
      },
    })
  ).body as { token: string };
  await world.request('POST', '/v1/preferences/confirm', { key: null, body: { token } });
  const { data } = (await world.request('GET', subjectPath(one, '/preferences/history'))).body as {
    data: { receiptId: string | null }[];
  };
  ids.push(set.body.receiptId as string, ...data.flatMap(({ receiptId }) => receiptId ?? []));
  expect((await merge([other], one)).status).toBe(200);
  ids.push((await erase(gone)).body.receipt.id as string);
}

beforeAll(async () => {
  world = await startWorld({ own: true, fourRoles: false });
  await storeEarlier();
  await record();
  // Signed by two keys: what was recorded before stays with the first.
  const { keys } = (await world.request('GET', '/.well-known/jwks.json', { key: null })).body as { keys: Jwk[] };
  const kid = JSON.parse(
    Buffer.from((await world.request('GET', `/v1/receipts/${ids[0]}`)).body.jws.split('.')[0], 'base64url').toString(),
  ).kid as string;
  expect(keys.map((key) => key.kid)).toContain(kid);
  await world.request('POST', `/admin/v1/signing-keys/${kid}/revoke`, { key: 'operator', body: {} });
  const second = await until(async () => {
    const id = (await world.recorded({}, { key: 'sk' })).body.receiptId as string;
    const { jws } = (await world.request('GET', `/v1/receipts/${id}`)).body as { jws: string };
    return jws.startsWith((await world.request('GET', `/v1/receipts/${ids[0]}`)).body.jws.split('.')[0])
      ? undefined
      : id;
  });
  ids.push(second);
  await world.caughtUp();
  for (const [id, text] of await here()) first.set(id, text);
}, 240_000);
afterAll(() => world?.stop());

test('every record has one, also those that were made before there were receipts, and all verify', async () => {
  expect(ids.length).toBeGreaterThanOrEqual(EARLIER.length + 9);
  const { keys } = (await world.request('GET', '/.well-known/jwks.json', { key: null })).body as { keys: Jwk[] };
  for (const [id, text] of first) {
    expect([id, text.slice(0, 3)]).toEqual([id, '200']);
    const { receipt, jws } = JSON.parse(text.slice(4)) as { receipt: { id: string }; jws: string };
    expect([receipt.id, verifies(jws, receipt, keys)]).toEqual([id, true]);
    for (const [name, verifier] of Object.entries(VERIFIERS))
      expect([id, name, await verifier(jws, keys)]).toEqual([id, name, true]);
  }
});

test('they are the same bytes after the read models were rebuilt', async () => {
  for (const projection of ['receipts', 'consent_decisions', 'consent_state'])
    await commanded(['projections', 'rebuild', projection], engines());
  await world.restart();
  expect(await here()).toEqual(first);
}, 240_000);

test('they are the same bytes after the master key was rotated', async () => {
  let state = '';
  for (let commands = 0; state !== 'DONE'; commands++) {
    if (commands === ROTATED_WITHIN) throw new Error(`after ${commands} commands the rotation is still ${state}`);
    const { code, out, err } = await assent(['keys', 'rotate-master', '--json'], engines());
    if (code !== 0) throw new Error(out + err);
    ({ state } = JSON.parse(out) as { state: string });
    if (state === 'DONE') break;
    await world.restart();
    expect(await here()).toEqual(first);
  }
  await world.restart();
  expect(await here()).toEqual(first);
}, 240_000);

describe('on another engine that was fed with the same events', () => {
  let server: ProtocolServer;
  let database: OwnDatabase;
  let moved: Installation;
  beforeAll(async () => {
    server = await ProtocolServer.start();
    database = await createDatabase('assent_whole');
    await copyVault(world.databaseUrl!, database.url);
    await feed();
    moved = await startInstallation({
      env: {
        DATABASE_URL: database.url,
        ESDB_URL: server.url,
        ASSENT_MASTER_KEY: readFileSync(join(world.dataFolder, 'master.key'), 'utf8').trim(),
        ASSENT_DEMO: 'off',
      },
    });
  }, 240_000);
  afterAll(async () => {
    await moved?.stop();
    await database?.drop();
    await server?.stop();
  });

  /** Where keys and pseudonyms are known: a vault is no log, and moves as it is. */
  async function copyVault(from: string, to: string): Promise<void> {
    const [source, target] = [from, to].map((url) => new pg.Client({ connectionString: url }));
    await Promise.all([source!.connect(), target!.connect()]);
    try {
      const { rows: tables } = await source!.query<{ name: string }>(
        `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'vault'`,
      );
      for (const { name } of tables) {
        const { rows } = await source!.query<{ line: string }>(`select to_jsonb(t)::text as line from ${name} t`);
        for (const { line } of rows)
          await target!.query(`insert into ${name} select * from jsonb_populate_record(null::${name}, $1::jsonb)`, [
            line,
          ]);
      }
    } finally {
      await Promise.all([source!.end(), target!.end()]);
    }
  }

  async function feed(): Promise<void> {
    const postgres = new Database(world.databaseUrl!);
    const from = new PostgresEventLog(postgres);
    const to = new EventStoreDbLog({ url: server.url });
    try {
      await readLog(from, { after: BEGINNING, through: await from.head(), prefixes: [] }, async (events) => {
        for (const { stream, revision, type, id, metadata, data } of events)
          expect(await to.append(stream, revision - 1, [{ type, id, metadata, data }])).toMatchObject({
            outcome: 'appended',
          });
      });
    } finally {
      await Promise.all([from.close(), to.close()]);
      await postgres.close();
    }
  }

  test('they are the same bytes', async () => {
    const { exchange, close } = asking(moved.url, (key) => (key === 'sk' ? world.demo.secretKey : key));
    try {
      expect(await texts((path) => unhurried(exchange, 'GET', path, {}))).toEqual(first);
      const keySets = await Promise.all(
        [moved.url, world.url].map(async (url) => (await fetch(`${url}/.well-known/jwks.json`)).text()),
      );
      expect(keySets[0]).toBe(keySets[1]);
    } finally {
      close();
    }
  });
});
