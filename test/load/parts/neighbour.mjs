import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { caughtUp, startAssent } from '../assent.mjs';
import { Client } from '../client.mjs';
import { startDatabase } from '../database.mjs';
import { lengthen } from '../fill.mjs';
import { number } from '../report.mjs';
import { decide } from '../stream-operations.mjs';

const RAISED_MAX = 1.5;
/** What other people write meanwhile, at moments of their own: a service that is in use, not one at its limit. */
const WRITES_PER_SECOND = 150;
/** Calls that the visitor has open at a time. */
const AT_ONCE = 6;
/** How long the history of that visitor is. */
const HISTORY = 20_000;
const BATCH_MAX = 500;
const REFUSED = 429;
const PAUSE_MS = 20;

const visitor = () => `visitor_id:${randomBytes(16).toString('hex')}`;

/**
 * Other people's writes while one visitor does all that a public key allows, against the same writes without. The
 * visitor takes every unit that the limits give, and spends them on what costs the service most.
 */
export async function measureNeighbour({ folder }, options, progress, measured) {
  const { neighbourRounds: rounds, neighbourSeconds } = options;
  const database = await startDatabase(join(folder, 'database'));
  const settings = { databaseUrl: database.url, settings: { ASSENT_TRUST_PROXY: '127.0.0.0/8' } };
  const data = join(folder, 'assent');
  let assent = null;
  try {
    assent = await startAssent(data, settings);
    const { keys } = assent;
    const own = await historyOf(assent, database);
    await caughtUp(assent);
    await read(assent, own);
    // Nothing of the filling is left in memory.
    await assent.stop();
    assent = await startAssent(data, { ...settings, keys });
    await caughtUp(assent);

    const alone = [];
    const beside = MISCHIEF.map((kind) => ({ ...kind, times: [], answers: new Map() }));
    await writes(assent, neighbourSeconds);
    progress.expect(rounds * (1 + MISCHIEF.length));
    for (let round = 1; round <= rounds; round++) {
      alone.push(...(await writes(assent, neighbourSeconds)));
      progress.step(`round ${round}/${rounds}  other people alone`, `p99 ${number(p99(alone))} ms so far`);
      for (const { title, send, times, answers } of beside) {
        const stop = greedy(assent, own, send, answers);
        try {
          // The burst is part of what is allowed, and is measured.
          times.push(...(await writes(assent, neighbourSeconds)));
        } finally {
          await stop();
        }
        progress.step(`round ${round}/${rounds}  beside ${title}`, `p99 ${number(p99(times))} ms so far`);
      }
      measured(beside.map((kind) => verdict(kind, alone)));
    }
  } finally {
    await assent?.stop();
    await database.stop();
  }
}

/** One visitor with a long history, on a site with the limits that every site has by default. */
async function historyOf({ url, keys }, database) {
  const operator = new Client(url, keys.operator);
  await operator.get('POST', '/admin/v1/sites', { site: 'bench', name: 'Bench', rateLimits: { pk: null } });
  operator.close();
  const client = new Client(url, keys.sk);
  const ref = visitor();
  const { body } = await decide(client, ref, 0);
  const stream = `subject-bench.test.${body.subject.id}`;
  for (let n = 1; (await count(database, stream)) < 20; n++) await decide(client, ref, n);
  client.close();
  await lengthen(database, [stream], HISTORY);
  return ref;
}

/** A history that has grown day by day has its snapshots. This one was stored at once: it is read once, which makes them. */
async function read({ url, keys }, own) {
  const client = new Client(url, keys.sk);
  for (const { name, send } of MISCHIEF) if (name !== 'batches') await send(client, own);
  client.close();
}

const count = async (database, stream) =>
  (await database.query('select count(*)::int as n from log.events where stream = $1', [stream]))[0].n;

/** Decisions of people whom nobody has seen, sent on time whether or not the ones before were answered; their times in ms. */
async function writes({ url, keys }, seconds) {
  const client = new Client(url, keys.sk);
  const pending = [];
  const from = performance.now();
  for (let n = 0; n < seconds * WRITES_PER_SECOND; n++) {
    const at = from + (n * 1000) / WRITES_PER_SECOND;
    if (at > performance.now()) await pause(at - performance.now());
    // Counted from when it was due: one that had to wait for its turn waited.
    pending.push(decide(client, visitor(), n).then(() => performance.now() - at));
  }
  const times = await Promise.all(pending);
  client.close();
  return times;
}

const verdict = ({ name, title, times, answers }, alone) => ({
  name: `neighbour-${name}`,
  title: `others' write p99 beside a visitor's ${title}`,
  value: p99(times) / p99(alone),
  unit: '×',
  floor: { most: RAISED_MAX },
  perSecond: WRITES_PER_SECOND,
  p99Ms: p99(times),
  detail: { p99MsAlone: p99(alone), answersOfTheVisitor: Object.fromEntries(answers) },
});

const secondsAgo = () => new Date(Date.now() - 1000).toISOString();
const readOf = (query) => (client, own) => client.ask('GET', `/v1/subjects/${encodeURIComponent(own)}${query()}`);

/** What a visitor may do that costs more than one banner does. */
const MISCHIEF = [
  { name: 'batches', title: 'batches', send: (client, _, burst) => sendBatch(client, Math.min(burst, BATCH_MAX)) },
  { name: 'as-of', title: 'asOf reads', send: readOf(() => `/consent?asOf=${secondsAgo()}`) },
  { name: 'known-at', title: 'knownAt reads', send: readOf(() => `/consent?knownAt=${secondsAgo()}`) },
  { name: 'fresh', title: 'fresh reads', send: readOf(() => '/consent?fresh=true') },
];

const sendBatch = (client, size) =>
  client.ask(
    'POST',
    '/v1/consent/batch',
    {
      records: Array.from({ length: size }, () => ({ subject: visitor(), purpose: 'analytics', decision: 'GRANTED' })),
    },
    { 'Idempotency-Key': randomUUID() },
  );

/** Sends one kind of call as fast as it is allowed, from an address with its whole burst. Answers how to make it stop. */
function greedy({ url, keys }, own, send, answers) {
  const address = Array.from(randomBytes(4), (byte) => 1 + (byte % 250)).join('.');
  const client = new Client(url, keys.pk, { 'X-Forwarded-For': address });
  let running = true;
  let burst = Infinity;
  const loop = async () => {
    while (running) {
      const { status, headers } = await send(client, own, burst);
      burst = Number(/q=(\d+)/.exec(headers['ratelimit-policy'])?.[1] ?? burst);
      answers.set(status, (answers.get(status) ?? 0) + 1);
      if (status === REFUSED) await pause(PAUSE_MS);
    }
  };
  const loops = Array.from({ length: AT_ONCE }, loop);
  return async () => {
    running = false;
    await Promise.all(loops);
    client.close();
  };
}

const p99 = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)];
