// The log and the projection without HTTP, each case on the word of the bench. Its first argument is a data folder.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SharedEventLog } from '../../../dist/libs/following/log-readers.js';
import { PostgresEventLog } from '../../../dist/libs/log/adapters/postgres/postgres.js';
import { ServedProjection } from '../../../dist/libs/following/generations/generations.js';
import { BEGINNING } from '../../../dist/libs/kernel/index.js';
import { consentStateProjection } from '../../../dist/libs/consent/read/projection.js';
import { startBundledPostgres } from '../../../dist/libs/engines/database/bundled-postgres.js';
import { Database } from '../../../dist/libs/engines/database/database.js';
import { migrate } from '../../../dist/libs/engines/database/migrate.js';
import { COMPOSITION } from '../../../dist/libs/composition/contexts.js';
import { record } from '../decision-event.mjs';

const VISITS = 40_000;
const PURPOSES = ['analytics', 'marketing', 'sale-of-data'];
const SUBJECT_PREFIXES = ['subject-'];

const postgres = await startBundledPostgres(process.argv[2], () => undefined);
const appendTo = await openLog('assent_appends');
const replayFrom = await openLog('assent_replay');
await fill(replayFrom.log);
const total = Number(await replayFrom.log.head()) + 1;
let splits = 1;
let projection = await projectedIn(1);

const CASES = {
  append: (seconds) => appending(appendTo.log, seconds, 64, 1),
  'append-batch': (seconds) => appending(appendTo.log, seconds, 8, 100),
  rebuild: async () => timed(total, () => projection.rebuild()),
  'rebuild-four': async () => timed(total, () => projection.rebuild()),
  'catch-up': async () => timed(total, catchUp),
};

/** What is done before a case is measured. */
const PREPARATIONS = { rebuild: () => splitInto(1), 'rebuild-four': () => splitInto(4) };

process.on('message', async ({ prepare, name, seconds }) =>
  process.send(prepare === undefined ? await CASES[name](seconds) : { prepared: await PREPARATIONS[prepare]?.() }),
);
process.once('disconnect', end).once('SIGTERM', end);
process.send({ events: total });

async function end() {
  await projection.stop();
  for (const { log, database } of [appendTo, replayFrom]) {
    await log.close();
    await database.close();
  }
  await postgres.stop();
  process.exit(0);
}

/** The read model in so many shards, level with the log. */
async function projectedIn(shards) {
  const served = new ServedProjection({
    database: replayFrom.database,
    log: new SharedEventLog(replayFrom.log),
    codec: COMPOSITION.codec,
    projection: consentStateProjection,
    shards,
  });
  await served.start();
  for (;;) {
    const [{ count }] = await replayFrom.database.run(
      `select count(*)::int as count from projection.shards join projection.generations g using (name, version, rebuild)
       where g.live and name = '${consentStateProjection.name}'`,
    );
    if (count === shards && (await served.waitFor(BigInt(total - 1), 60_000))) return served;
    await pause(50);
  }
}

async function splitInto(shards) {
  if (shards === splits) return;
  await projection.stop();
  projection = await projectedIn(shards);
  splits = shards;
}

async function openLog(name) {
  const admin = new Database(postgres.url, { max: 1 });
  await admin.run(`create database ${name}`);
  await admin.close();
  const url = new URL(postgres.url);
  url.pathname = name;
  await migrate(url.href, COMPOSITION.migrations);
  const database = new Database(url.href, { max: 10, budgetMs: 30_000 });
  return { database, log: new PostgresEventLog(database) };
}

/** Visits of three decisions each, every fourth by somebody who was there before. */
async function fill(log) {
  const streams = [];
  let visit = 0;
  const visitor = async () => {
    while (visit++ < VISITS) {
      // Taken out while its visit is stored, so that no other visit meets it half-way.
      const returning =
        visit % 4 === 0 && streams.length > 0 ? streams.splice(Math.floor(Math.random() * streams.length), 1)[0] : null;
      const stream = returning ?? {
        name: `subject-shop.test.sub_${randomUUID().replaceAll('-', '').slice(0, 26).toUpperCase()}`,
        revision: -1,
      };
      const events = PURPOSES.map((purpose, i) => record(purpose, stream.revision + 1 + i));
      const outcome = await log.append(stream.name, stream.revision, events);
      streams.push({ name: stream.name, revision: outcome.revision });
    }
  };
  await Promise.all(Array.from({ length: 256 }, visitor));
}

async function appending(log, seconds, writers, size) {
  const latencies = [];
  const until = performance.now() + seconds * 1000;
  const writer = async () => {
    const stream = `subject-shop.test.${randomUUID()}`;
    for (let revision = -1; performance.now() < until;) {
      const from = performance.now();
      const events = Array.from({ length: size }, (_, i) => record(PURPOSES[i % 3], i));
      revision = (await log.append(stream, revision, events)).revision;
      latencies.push(performance.now() - from);
    }
  };
  const from = performance.now();
  await Promise.all(Array.from({ length: writers }, writer));
  return { count: latencies.length * size, seconds: (performance.now() - from) / 1000, latencies };
}

function catchUp() {
  return new Promise((resolve, reject) => {
    const subscription = replayFrom.log.subscribe({
      after: BEGINNING,
      prefixes: SUBJECT_PREFIXES,
      batchSize: 2000,
      onBatch: async (_, through) => {
        if (through >= BigInt(total - 1)) setImmediate(() => subscription.stop().then(resolve));
      },
      failed: reject,
    });
  });
}

async function timed(count, work) {
  const from = performance.now();
  await work();
  return { count, seconds: (performance.now() - from) / 1000, latencies: [] };
}
