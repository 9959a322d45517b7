// EventStoreDB without us, and a read model built from it: what the service is held against. Arguments: the URL of the
// server, and a data folder for a Postgres of its own.
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { EventStoreDBClient, NO_STREAM, START, streamNameFilter } from '@eventstore/db-client';
import { COMPOSITION } from '../../../dist/libs/composition/contexts.js';
import { consentStateProjection } from '../../../dist/libs/consent/read/projection.js';
import { ServedProjection } from '../../../dist/libs/following/generations/generations.js';
import { startBundledPostgres } from '../../../dist/libs/engines/database/bundled-postgres.js';
import { Database } from '../../../dist/libs/engines/database/database.js';
import { migrate } from '../../../dist/libs/engines/database/migrate.js';
import { openEventStore } from '../../../dist/libs/composition/infrastructure/engines.js';
import { record } from '../decision-event.mjs';

const WRITERS = 64;
/** Decisions that the read model is built from. */
const EVENTS = 30_000;
const PURPOSES = ['analytics', 'marketing', 'sale-of-data'];
const NOTHING_YET = -1;
const CATCH_UP_MS = 60_000;
/** With these the client takes the call that Assent's appends take: faster than its default. */
const CREDENTIALS = { username: 'none', password: 'none' };

const [url, folder] = process.argv.slice(2);
const client = EventStoreDBClient.connectionString(url);
const credentials = /^[^:]+:\/\/[^/@]+@/.test(url) ? {} : { credentials: CREDENTIALS };
/** Nobody else's: a server that is shared holds other streams. */
const prefix = `subject-bench-${randomUUID().slice(0, 8)}.test.`;
const log = await openEventStore({ esdbUrl: url, logPrefix: '' });
let postgres = null;
let database = null;
let projection = null;
let lastStream = '';

const CASES = {
  /** Decisions as Assent stores them, one in each append. */
  append: async (seconds) => {
    const latencies = [];
    const until = performance.now() + seconds * 1000;
    const from = performance.now();
    const writer = async () => {
      const stream = `bare-${randomUUID()}`;
      let expectedRevision = NO_STREAM;
      for (let n = 0; performance.now() < until; n++) {
        const begun = performance.now();
        const { type, data, metadata } = record('analytics', n);
        const event = { contentType: 'application/json', id: randomUUID(), type, data, metadata };
        const { nextExpectedRevision } = await client.appendToStream(stream, [event], {
          expectedRevision,
          ...credentials,
        });
        expectedRevision = nextExpectedRevision;
        latencies.push(performance.now() - begun);
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, writer));
    return { count: latencies.length, seconds: (performance.now() - from) / 1000, latencies };
  },
  /** Everything that the read model is made of, by a subscription that does nothing with it. */
  subscription: () =>
    timed(EVENTS, () => {
      const filter = streamNameFilter({ prefixes: [prefix] });
      const live = client.subscribeToAll({ fromPosition: START, filter, ...credentials });
      let left = EVENTS;
      return new Promise((resolve, reject) => {
        live.on('error', reject);
        live.on('data', () => --left === 0 && resolve());
      }).finally(() => live.unsubscribe());
    }),
  rebuild: () => timed(EVENTS, () => projection.rebuild()),
};

/** What is done before a case is measured. */
const PREPARATIONS = { subscription: fill, rebuild: fill };

/** Visitors of three decisions each, and the read model that is built anew; once. */
async function fill() {
  if (projection) return;
  let visits = EVENTS / PURPOSES.length;
  const visitor = async () => {
    while (visits-- > 0) {
      const subjectId = `sub_${randomUUID().replaceAll('-', '').slice(0, 26).toUpperCase()}`;
      const decisions = PURPOSES.map((purpose, n) => record(purpose, n));
      lastStream = `${prefix}${subjectId}`;
      await stored(() => log.append(lastStream, NOTHING_YET, decisions));
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, visitor));
  mkdirSync(folder, { recursive: true });
  postgres = await startBundledPostgres(folder, () => undefined);
  await migrate(postgres.url, COMPOSITION.migrations);
  database = new Database(postgres.url, { max: 10, budgetMs: 30_000 });
  const own = { ...consentStateProjection, streams: [prefix] };
  projection = new ServedProjection({ database, log, codec: COMPOSITION.codec, projection: own });
  await projection.start();
  const [last] = await log.read(lastStream, { direction: 'backwards', limit: 1 });
  if (!(await projection.waitFor(last.position, CATCH_UP_MS))) throw new Error('the read model did not draw level');
}

/** A log that is too slow for its time is sent the same again, which counts once. */
async function stored(append) {
  for (;;)
    try {
      return await append();
    } catch (error) {
      if (error.name !== 'LogUnavailable') throw error;
    }
}

process.on('message', async ({ prepare, name, seconds }) =>
  process.send(prepare === undefined ? await CASES[name](seconds) : { prepared: await PREPARATIONS[prepare]?.() }),
);
process.once('disconnect', end).once('SIGTERM', end);
process.send({});

async function timed(count, work) {
  const from = performance.now();
  await work();
  return { count, seconds: (performance.now() - from) / 1000, latencies: [] };
}

async function end() {
  await projection?.stop();
  await log.close();
  await database?.close();
  await postgres?.stop();
  process.exit(0);
}
