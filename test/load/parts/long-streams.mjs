import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { caughtUp, ready, startAssent } from '../assent.mjs';
import { Client } from '../client.mjs';
import { startDatabase } from '../database.mjs';
import { lengthen } from '../fill.mjs';
import { number } from '../report.mjs';
import { OPERATIONS, decide, setPreference } from '../stream-operations.mjs';

/** The floor compares these two lengths. */
const SHORT = 20;
const LONG = 20_000;
const DEARER_MAX = 2;
/** How much more a page of the timeline may cost than one of the history. */
const TIMELINE_DEARER_MAX = 1.5;
/** Above this length one stream serves every operation that leaves it as it was: there is enough to store as it is. */
const OWN_STREAM_MAX = 20_000;
/** Calls of each operation on other subjects after each start, so that nothing measured compiles or connects. */
const WARM_UPS = 10;
/** Calls after the first one. */
const AGAIN = 5;

/**
 * What an operation costs on streams of different lengths: the first time after a start, when nothing of the stream is
 * in memory, and again. Snapshots are there, as they are in an installation whose streams grew this long.
 */
export async function measureLongStreams({ folder }, options, progress, measured) {
  const { lengths, streamRounds: rounds } = options;
  const database = await startDatabase(join(folder, 'database'));
  const settings = { databaseUrl: database.url, settings: { ASSENT_TRUST_PROXY: '127.0.0.0/8' } };
  let assent = null;
  let client = null;
  const start = async (keys) => {
    assent = await startAssent(join(folder, 'assent'), { ...settings, keys });
    await ready(assent);
    client = new Client(assent.url, assent.keys.sk);
  };
  const stop = async () => {
    client?.close();
    await assent?.stop();
    assent = client = null;
  };
  try {
    progress.say('starting Assent');
    await start();
    const { keys } = assent;
    const subjects = await makeSubjects(client, database, lengths, rounds, progress);
    await caughtUp(assent, (at, of) => progress.say(`the read models are at ${number(at)} of ${number(of)} events`));
    await stop();
    await start(keys);
    const filledAt = new Date().toISOString();
    progress.say('reading every stream once, so that it has a snapshot');
    for (const { ref } of subjects.flatMap(({ all }) => all)) await look(client, ref);
    const times = new Map();
    progress.expect(rounds * OPERATIONS.length);
    for (let round = 0; round < rounds; round++) {
      await stop();
      await start(keys);
      await warmUp(client, filledAt);
      for (const operation of OPERATIONS) {
        for (const { length, of, erasable } of subjects) {
          const subject = operation.endsSubject ? erasable[round] : of(operation);
          if (!subject) continue;
          const calls = await timed(client, operation, { ...subject, filledAt });
          const known = times.get(`${operation.name} ${length}`) ?? { first: [], again: [] };
          known.first.push(calls[0]);
          known.again.push(...calls.slice(1));
          times.set(`${operation.name} ${length}`, known);
        }
        progress.step(
          `round ${round + 1}/${rounds}  ${operation.title}`,
          ourRow(times, operation, lengths).join('   '),
        );
      }
      measured(verdicts(times), [tableOf(times, lengths)]);
    }
  } finally {
    await stop();
    await database.stop();
  }
}

/** For each length its subjects, each known by an e-mail address, with streams of exactly that many events. */
async function makeSubjects(client, database, lengths, rounds, progress) {
  const reusing = OPERATIONS.filter(({ endsSubject }) => !endsSubject);
  const made = [];
  for (const length of lengths) {
    const shared = length > OWN_STREAM_MAX;
    const own = shared ? reusing.filter(({ needsTwo }) => needsTwo) : reusing;
    const make = () => shortSubject(client);
    const common = shared ? await make() : null;
    const byName = new Map();
    for (const { name, needsTwo } of own)
      byName.set(name, { ...(await make()), ...(needsTwo && { other: await make() }) });
    const erasable = [];
    for (let i = 0; i < (shared ? 1 : rounds); i++) erasable.push(await make());
    const several = [...byName.values()];
    const all = [...several, ...several.flatMap(({ other }) => other ?? []), ...erasable, ...(common ? [common] : [])];
    await evenOut(client, database, all);
    progress.say(`${all.length} streams of ${number(length)} events`);
    if (length > SHORT)
      await lengthen(
        database,
        all.map(({ stream }) => stream),
        length,
      );
    made.push({ length, all, erasable, of: ({ name }) => byName.get(name) ?? common });
  }
  return made;
}

async function shortSubject(client) {
  const ref = `email:${randomUUID()}@bench.example`;
  const { body } = await decide(client, ref, 0);
  for (let n = 0; n < 4; n++) await setPreference(client, ref, n % 2 === 0);
  return { ref, stream: `subject-bench.test.${body.subject.id}` };
}

/** Adds decisions until each stream has as many events as the shortest length. */
async function evenOut(client, database, subjects) {
  const counts = await database.query(
    'select stream, count(*)::int as n from log.events where stream = any($1) group by stream',
    [subjects.map(({ stream }) => stream)],
  );
  const known = new Map(counts.map(({ stream, n }) => [stream, n]));
  for (const { ref, stream } of subjects) for (let n = known.get(stream); n < SHORT; n++) await decide(client, ref, n);
}

async function look(client, ref) {
  const path = `/v1/subjects/${encodeURIComponent(ref)}`;
  for (const rest of ['', '/consent?fresh=true', '/preferences?fresh=true']) await client.ask('GET', path + rest);
  await decide(client, ref, 0);
}

async function warmUp(client, filledAt) {
  for (const operation of OPERATIONS)
    for (let i = 0; i < WARM_UPS; i++) {
      const subject = await shortSubject(client);
      const other = operation.needsTwo ? await shortSubject(client) : undefined;
      await timed(client, operation, { ...subject, other, filledAt }, 0);
    }
}

/** Milliseconds of the first call and of those after it; the status where an answer was not the wanted one. */
async function timed(client, { prepare, call, restore, endsSubject }, subject, again = AGAIN) {
  const calls = [];
  for (let i = 0; i <= (endsSubject ? 0 : again); i++) {
    await prepare?.(client, subject);
    const { ms, status, body } = await call(client, subject);
    calls.push(status < 400 ? ms : `${status}`);
    if (status < 400) await restore?.(client, body);
  }
  return calls;
}

/** The lower quartile: what else runs on the machine only ever adds. A refusal stands for all. */
function typical(calls = []) {
  const refusal = calls.find((call) => typeof call === 'string');
  return refusal ?? calls.toSorted((a, b) => a - b)[Math.floor((calls.length - 1) / 4)];
}

const cell = (times, { name }, length) => {
  const { first, again } = times.get(`${name} ${length}`) ?? {};
  const shown = (value) => (typeof value === 'number' ? number(value) : (value ?? ''));
  return [typical(first), typical(again)]
    .filter((value) => value !== undefined)
    .map(shown)
    .join(' / ');
};
const ourRow = (times, operation, lengths) => lengths.map((length) => cell(times, operation, length));

const tableOf = (times, lengths) => ({
  title: 'Milliseconds by length of the stream: first call after a start / calls after it',
  head: ['operation', ...lengths.map((length) => `${number(length)} events`)],
  rows: OPERATIONS.map((operation) => [operation.title, ...ourRow(times, operation, lengths)]),
});

function verdicts(times) {
  return [...ofLength(times), ...ofTimeline(times)];
}

/** A page of the timeline beside one of the history, on the long stream. */
function ofTimeline(times) {
  const [timeline, history] = ['timeline', 'history'].map((name) => times.get(`${name} ${LONG}`));
  if (!timeline || !history) return [];
  const value = typical(timeline.again) / typical(history.again);
  return [
    {
      name: 'long-timeline-history',
      title: `a page of the timeline to one of the history, ${number(LONG)} events`,
      value: Number.isFinite(value) ? value : null,
      unit: '×',
      floor: { most: TIMELINE_DEARER_MAX },
    },
  ];
}

function ofLength(times) {
  return OPERATIONS.filter(({ name }) => times.has(`${name} ${SHORT}`) && times.has(`${name} ${LONG}`)).map(
    ({ name, title, bounded }) => {
      const short = times.get(`${name} ${SHORT}`);
      const long = times.get(`${name} ${LONG}`);
      const dearer = (which) => (short[which].length > 0 ? typical(long[which]) / typical(short[which]) : 0);
      const value = Math.max(dearer('first'), dearer('again'));
      return {
        name: `long-${name}`,
        title: `${title}: ${number(LONG)} events to ${SHORT}`,
        value: Number.isFinite(value) ? value : null,
        unit: '×',
        ...(!bounded && { floor: { most: DEARER_MAX } }),
      };
    },
  );
}
