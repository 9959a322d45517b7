import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { caughtUp, startAssent } from '../assent.mjs';
import { Client } from '../client.mjs';
import { startDatabase } from '../database.mjs';
import { lengthen } from '../fill.mjs';
import { cpuUs } from '../processes.mjs';
import { number } from '../report.mjs';
import { decide } from '../stream-operations.mjs';

const RAISED_MAX = 2.5;
/** What other people write meanwhile, at moments of their own: a service that is in use, not one at its limit. */
const PART_OF_LIMIT = 0.2;
/** So many at once find out where the limit is, for so long: what runs for the first time is slow. */
const LIMIT_AT_ONCE = 32;
const LIMIT_S = 20;
/** Calls that the visitor has open at a time. */
const AT_ONCE = 6;
/** Connections that other people have before the visitor comes; they open more where those are not enough. */
const CONNECTIONS = 4;
/** How long the history of that visitor is, a minute for each twenty events. */
const HISTORY = 20_000;
const LONG_AGO_MINUTES = 900;
const BATCH_MAX = 500;
const REFUSED = 429;
const PAUSE_MS = 20;
/** Windows of each kind before those that count: what runs for the first time is slow, and what runs for the second too. */
const WARM_UPS = 2;
/** Quiet is who took less than this part of a processor, so many times in a row. */
const QUIET_PART = 0.1;
const QUIET_LOOKS = 3;
const LOOK_MS = 200;

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
    const readers = MISCHIEF.filter(({ reads }) => reads).length;
    const histories = await historiesOf(assent, database, readers * (WARM_UPS + rounds));
    await caughtUp(assent);
    await database.query('vacuum analyze');
    // What the filling left to be written would otherwise be written while others wait for the same disk.
    await database.query('checkpoint');
    // Nothing of the filling is left in memory.
    await assent.stop();
    assent = await startAssent(data, { ...settings, keys });
    await caughtUp(assent);

    const beside = MISCHIEF.map((kind) => ({ ...kind, before: [], windows: [], answers: new Map() }));
    const allAlone = () => beside.flatMap(({ before }) => before.flat());
    const perSecond = PART_OF_LIMIT * (await limitOf(assent));
    for (let n = 0; n < WARM_UPS; n++) {
      for (const { send, reads } of MISCHIEF) {
        await writes(assent, perSecond, neighbourSeconds, () => greedy(assent, reads && histories.pop(), send));
      }
    }
    progress.expect(rounds * MISCHIEF.length);
    for (let round = 1; round <= rounds; round++) {
      for (const { title, send, reads, before, windows, answers } of beside) {
        // Each time somebody whose history nobody has read since it was stored: no snapshots help. The burst is part of
        // what is allowed, and is measured.
        const besides = () => greedy(assent, reads && histories.pop(), send, answers);
        // Before each: a machine is not as fast all the time.
        before.push(await writes(assent, perSecond, neighbourSeconds));
        windows.push(await writes(assent, perSecond, neighbourSeconds, besides));
        const soFar = `p99 ${number(p99(windows.flat()))} ms so far, alone ${number(p99(allAlone()))}`;
        progress.step(`round ${round}/${rounds}  beside ${title}`, soFar);
      }
      measured(beside.map((kind) => verdict(kind, allAlone(), perSecond)));
    }
  } finally {
    await assent?.stop();
    await database.stop();
  }
}

/** Visitors with long histories, on a site with the limits that every site has by default. */
async function historiesOf({ url, keys }, database, visitors) {
  const operator = new Client(url, keys.operator);
  await operator.get('POST', '/admin/v1/sites', { site: 'bench', name: 'Bench', rateLimits: { pk: null } });
  operator.close();
  const client = new Client(url, keys.sk);
  const refs = Array.from({ length: visitors }, visitor);
  const streams = [];
  for (const ref of refs) {
    const { body } = await decide(client, ref, 0);
    const stream = `subject-bench.test.${body.subject.id}`;
    for (let n = 1; (await count(database, stream)) < 20; n++) await decide(client, ref, n);
    streams.push(stream);
  }
  client.close();
  await lengthen(database, streams, HISTORY);
  return refs;
}

/** Resolves when the rows hold everything, and nothing is done in the background. */
async function quiet(assent) {
  await caughtUp(assent);
  for (let looks = 0; looks < QUIET_LOOKS;) {
    const before = cpuUs([assent.pid]);
    await pause(LOOK_MS);
    const isQuiet = cpuUs([assent.pid]) - before < QUIET_PART * LOOK_MS * 1000;
    looks = isQuiet ? looks + 1 : 0;
  }
}

const count = async (database, stream) =>
  (await database.query('select count(*)::int as n from log.events where stream = $1', [stream]))[0].n;

/**
 * Decisions of new people, sent on time whether or not the ones before were answered: the times in ms. What they leave
 * to be done is waited for.
 * `besides` begins what goes on beside them, and answers how to make it stop: when their connections stand, since opening
 * those in the very moment in which somebody else comes is no part of a service that is in use.
 */
async function writes(assent, perSecond, seconds, besides = () => async () => {}) {
  const client = new Client(assent.url, assent.keys.sk);
  let stop = async () => {};
  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, (_, n) => decide(client, visitor(), n)));
    stop = besides();
    const pending = [];
    const from = performance.now();
    for (let n = 0; n < seconds * perSecond; n++) {
      const at = from + (n * 1000) / perSecond;
      if (at > performance.now()) await pause(at - performance.now());
      // Counted from when it was due: one that had to wait for its turn waited.
      const sent = decide(client, visitor(), n).then(() => performance.now() - at);
      // One that fails ends the measuring when all are there, and not the process, which has servers to stop.
      sent.catch(() => undefined);
      pending.push(sent);
    }
    return await Promise.all(pending);
  } finally {
    await stop();
    client.close();
    await quiet(assent);
  }
}

/** How many of these writes a second the service does at most, by the second half of the time. */
async function limitOf({ url, keys }) {
  const client = new Client(url, keys.sk);
  const from = performance.now();
  const half = from + LIMIT_S * 500;
  let counted = 0;
  const loop = async () => {
    for (let n = 0; performance.now() < from + LIMIT_S * 1000; n++) {
      await decide(client, visitor(), n);
      if (performance.now() > half) counted++;
    }
  };
  await Promise.all(Array.from({ length: LIMIT_AT_ONCE }, loop));
  client.close();
  return counted / (LIMIT_S / 2);
}

/** By the writes of all windows together: those of one are so few that the two slowest would say its p99. */
const verdict = ({ name, title, before, windows, answers }, alone, perSecond) => ({
  name: `neighbour-${name}`,
  title: `others' write p99 beside a visitor's ${title}`,
  value: p99(windows.flat()) / p99(alone),
  unit: '×',
  floor: { most: RAISED_MAX },
  perSecond,
  p99Ms: p99(windows.flat()),
  detail: {
    p99MsAlone: p99(alone),
    p99MsOfEachWindow: windows.map(p99),
    p99MsOfEachWindowAloneBefore: before.map(p99),
    answersOfTheVisitor: Object.fromEntries(answers),
  },
});

const secondsAgo = (seconds = 1) => new Date(Date.now() - seconds * 1000).toISOString();
const readOf = (query) => (own) => (client) => client.ask('GET', `/v1/subjects/${encodeURIComponent(own)}${query()}`);

/**
 * What a visitor may do that costs more than one banner does. `send`: one request; who is refused sends the same again.
 * `reads`: of a long history, the visitor's own.
 */
const MISCHIEF = [
  { name: 'writes', title: 'single decisions', send: () => decision() },
  { name: 'batches', title: 'batches', send: (_, burst) => batchOf(Math.min(burst, BATCH_MAX)) },
  { name: 'as-of', title: 'asOf reads', reads: true, send: readOf(() => `/consent?asOf=${secondsAgo()}`) },
  {
    name: 'long-ago',
    title: 'asOf reads of long ago',
    reads: true,
    send: readOf(() => `/consent?asOf=${secondsAgo(LONG_AGO_MINUTES * 60)}`),
  },
  { name: 'known-at', title: 'knownAt reads', reads: true, send: readOf(() => `/consent?knownAt=${secondsAgo()}`) },
  { name: 'fresh', title: 'fresh reads', reads: true, send: readOf(() => '/consent?fresh=true') },
];

const granted = () => ({ subject: visitor(), purpose: 'analytics', decision: 'GRANTED' });

function decision() {
  const [record, key] = [granted(), { 'Idempotency-Key': randomUUID() }];
  return (client) => client.ask('POST', '/v1/consent', record, key);
}

function batchOf(size) {
  const [body, key] = [
    JSON.stringify({ records: Array.from({ length: size }, granted) }),
    { 'Idempotency-Key': randomUUID() },
  ];
  return (client) => client.ask('POST', '/v1/consent/batch', body, key);
}

/** Sends one kind of call as fast as it is allowed, from an address with its whole burst. Answers how to make it stop. */
function greedy({ url, keys }, own, send, answers = new Map()) {
  const address = Array.from(randomBytes(4), (byte) => 1 + (byte % 250)).join('.');
  const client = new Client(url, keys.pk, { 'X-Forwarded-For': address });
  let running = true;
  let burst = Infinity;
  const loop = async () => {
    for (let call = send(own, burst); running;) {
      const { status, headers } = await call(client);
      answers.set(status, (answers.get(status) ?? 0) + 1);
      const known = Number(/q=(\d+)/.exec(headers['ratelimit-policy'])?.[1] ?? burst);
      if (status !== REFUSED || known !== burst) call = send(own, (burst = known));
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
