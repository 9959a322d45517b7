import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { randomBytes, randomUUID } from 'node:crypto';
import { caughtUp, startAssent } from '../assent.mjs';
import { decision } from '../cases.mjs';
import { Client } from '../client.mjs';
import { startDatabase } from '../database.mjs';
import { Population, textOf } from '../population.mjs';
import { cpuUs, ours, postgresPids, residentMb, stopped } from '../processes.mjs';
import { number } from '../report.mjs';
import { roomFor } from '../room.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const SCOPE = { site: 'bench', env: 'test' };
const SITE_PATH = `/admin/v1/sites/${SCOPE.site}/${SCOPE.env}`;
/** The three sizes that are compared, as parts of the whole. */
const PARTS = [100, 10, 1];
/** How many people one data request comes from. */
const PEOPLE_OF_REQUEST = 1_000;
const REQUESTS_AT_ONCE = 500;
/** People of whom the needs of all are reckoned. */
const PROBE = 2_000;
/** How often each thing is done for its median and its processor time, after it was done often enough to be compiled. */
const TIMES = 200;
const WARM_UPS = 30;
const STARTS = 3;
const IDLE_S = 15;
/** A rebuild or a backup that takes longer is cut off, and its rate told. */
const REBUILD_S_MAX = 60;
const BACKUP_S_MAX = 180;
/** More than this times the smallest size is called growing; what is less is noise on a shared machine. */
const GROWS = 1.5;

const SCHEMAS = ['log', 'vault', 'read', 'write', 'webhooks', 'ledger'];
/** Tables with their indexes. */
const SIZES = `
  select c.relnamespace::regnamespace::text as schema, sum(pg_total_relation_size(c.oid))::float8 as bytes
  from pg_class c where c.relkind = 'r' and c.relnamespace::regnamespace::text in ('${SCHEMAS.join("', '")}') group by 1`;
const BUILDING = `
  select min(s.position)::float8 as position from projection.generations g join projection.shards s using (name, version, rebuild)
  where g.name = 'consent_state' and g.builder is not null`;

/**
 * Fills log, vault and read models with people, and measures at a hundredth, a tenth and all of them what must not cost
 * more the more there are.
 */
export async function measureScale({ folder }, options, progress, measured) {
  const place = options.data ?? folder;
  mkdirSync(place, { recursive: true });
  const stateFile = join(place, 'population.json');
  const kept = existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : null;
  const database = await startDatabase(join(place, 'database'));
  const data = join(place, 'assent');
  const world = { database, data, place, keys: kept?.keys ?? null, progress };
  let population = null;
  try {
    const total = options.subjects;
    if (!world.keys) world.keys = await begin(world);
    population = new Population(database.url, readFileSync(join(data, 'master.key'), 'utf8').trim());
    for (const { reference, share } of EXAMPLES) await population.learn(SCOPE, reference, share);
    let there = kept?.subjects ?? 0;
    const fillTo = async (size) => {
      await fill(world, population, there, size, total);
      there = Math.max(there, size);
      writeFileSync(stateFile, JSON.stringify({ subjects: there, keys: world.keys }));
      await database.query('vacuum (analyze)');
      await database.query('checkpoint');
      return bytesOf(database);
    };
    if (there === 0) {
      const [before, since] = [await bytesOf(database), performance.now()];
      const bytes = sum(await fillTo(Math.min(PROBE, total))) - sum(before);
      const seconds = (performance.now() - since) / 1000;
      const { bavail, bsize } = statfsSync(place);
      const people = Math.min(PROBE, total);
      const { said, refusal } = roomFor({ people, bytes, seconds, free: bavail * bsize + bytes, place }, total);
      progress.say(said);
      if (refusal) throw new Error(refusal);
    }
    const sizes = new Set(PARTS.map((part) => Math.max(there, Math.round(total / part))));
    const curve = [];
    for (const size of sizes) {
      const disk = await fillTo(size);
      progress.say(`${number(there)} people, ${number(sum(disk) / 1e9)} GB; measuring`);
      const [{ events }] = await database.query('select (max(position) + 1)::float8 as events from log.events');
      const found = await measureAt(world, population, size, curve.length === 0);
      curve.push({ size, events, disk, found });
      measured(resultsOf(curve), [tableOf(curve)]);
    }
  } finally {
    await population?.close();
    await database.stop();
    if (!options.data) rmSync(join(place, 'database'), { recursive: true, force: true });
  }
}

/** What people are like: most are visitors who saved a banner once, some changed their mind, some are customers. */
const EXAMPLES = [
  { share: 0.9, reference: { kind: 'visitor_id', value: '00000000000000000000000000000001' } },
  { share: 0.09, reference: { kind: 'visitor_id', value: '00000000000000000000000000000002' } },
  { share: 0.01, reference: { kind: 'email', value: 'first@bench.example' } },
];

/** A site with its catalogue, and one person of each kind, made by the service. */
async function begin({ database, data }) {
  const assent = await startAssent(data, { databaseUrl: database.url });
  try {
    const client = new Client(assent.url, assent.keys.sk);
    const [visitor, undecided, customer] = EXAMPLES.map(({ reference }) => textOf(reference));
    await client.get('POST', '/v1/consent/batch', save(visitor), withKey());
    await client.get('POST', '/v1/consent/batch', save(undecided), withKey());
    await client.get('POST', '/v1/consent', { ...decision(undecided, 1), decision: 'WITHDRAWN' }, withKey());
    await client.get('POST', '/v1/subjects', { identifiers: [EXAMPLES[2].reference] }, withKey());
    await client.get('POST', '/v1/consent', decision(customer, 0), withKey());
    const values = [{ field: 'news', value: true }];
    await client.get('POST', '/v1/preferences', { subject: customer, channel: 'push', values }, withKey());
    client.close();
    await caughtUp(assent);
    return assent.keys;
  } finally {
    await assent.stop();
  }
}

const withKey = () => ({ 'Idempotency-Key': randomUUID() });
const save = (subject) => ({
  records: ['analytics', 'marketing', 'sale_of_data'].map((purpose, n) => ({ ...decision(subject, n), purpose })),
});

/** Bytes by schema. */
async function bytesOf(database) {
  return new Map((await database.query(SIZES)).map(({ schema, bytes }) => [schema, bytes]));
}

const sum = (bytes) => [...bytes.values()].reduce((all, each) => all + each, 0);

/** The fill, with how long it will still take. */
async function fill({ database, progress }, population, from, to, total) {
  if (from >= to) return;
  // The journal of a fill is written once to the disk; with Postgres' own limit it would be flushed all the time.
  await database.query("alter system set max_wal_size = '4GB'");
  await database.query('select pg_reload_conf()');
  const since = performance.now();
  let said = since;
  const events = await population.add(from, to, total, (at) => {
    if (performance.now() - said < 10_000 && at < to) return;
    said = performance.now();
    const each = (said - since) / (at - from);
    const left = Math.round(((total - at) * each) / 60_000);
    progress.say(`${number(at)} of ${number(total)} people, ${number(1000 / each)} a second, about ${left} min left`);
  });
  const seconds = (performance.now() - since) / 1000;
  progress.say(`${number(events)} events in ${number(seconds)} s`);
  await database.query('alter system reset max_wal_size');
  await database.query('select pg_reload_conf()');
}

/** What is asked of the service: of a person whom nobody asked for since the start, or of a list. */
const OPERATIONS = [
  { name: 'row', title: 'state from a row', of: 'person', get: (ref) => `/v1/subjects/${ref}/consent` },
  { name: 'fresh', title: 'fresh state, folded', of: 'person', get: (ref) => `/v1/subjects/${ref}/consent?fresh=true` },
  { name: 'look-up', title: 'subject by an identifier', of: 'person', get: (ref) => `/v1/subjects/${ref}` },
  {
    name: 'unknown',
    title: 'look-up of an unknown identifier',
    of: 'nobody',
    get: (ref) => `/v1/subjects/${ref}/consent`,
  },
  {
    name: 'save',
    title: 'save of three choices, new visitor',
    of: 'nobody',
    send: (_, text) => ['/v1/consent/batch', save(text), withKey()],
  },
  {
    name: 'decide',
    title: 'a decision of a known person',
    of: 'person',
    send: (_, text, n) => ['/v1/consent', decision(text, n), withKey()],
  },
  {
    name: 'own-write',
    title: 'read at the position of an own write',
    of: 'person',
    after: 'decide',
    get: (ref) => `/v1/subjects/${ref}/consent`,
  },
  {
    name: 'history',
    title: 'page of the history',
    of: 'person',
    get: (ref) => `/v1/subjects/${ref}/consent/history?limit=10`,
  },
  {
    name: 'timeline',
    title: 'page of the timeline',
    of: 'person',
    get: (ref) => `/v1/subjects/${ref}/timeline?limit=10`,
  },
  {
    name: 'proof',
    title: 'proof of a record in the ledger',
    of: 'record',
    get: (id) => `/v1/ledger/proof?receipt=${id.replace('rec_', 'rct_')}`,
  },
  { name: 'receipt', title: 'a receipt', of: 'record', get: (id) => `/v1/receipts/${id.replace('rec_', 'rct_')}` },
  { name: 'requests', title: 'page of the data requests', of: 'list', get: () => '/v1/data-requests?limit=20' },
  { name: 'request-counts', title: 'counts of the data requests', of: 'list', get: () => '/v1/data-requests/counts' },
  {
    name: 'renewals',
    title: 'page of whom to ask again',
    of: 'list',
    get: () => '/v1/purposes/marketing/renewals?limit=20',
    times: 40,
  },
  { name: 'events', title: 'page of the webhook events', of: 'list', get: () => '/v1/events?limit=20' },
  { name: 'statistics', title: 'statistics of thirty days', of: 'list', get: () => '/v1/statistics/consent' },
  { name: 'journal', title: "page of the operators' journal", of: 'operator', get: () => '/admin/v1/journal?limit=20' },
  { name: 'summary', title: "the console's first page", of: 'operator', get: () => '/admin/v1/summary' },
  { name: 'health', title: 'health of the installation', of: 'operator', get: () => '/admin/v1/health' },
];

/** Everything at one size: by name a value, and for a request its median. */
async function measureAt(world, population, size, isFirst) {
  const { database, data, keys, progress } = world;
  const found = new Map();
  const someone = () => population.reference(Math.floor(Math.random() * size));
  const start = async () => startAssent(data, { databaseUrl: database.url, keys });
  const pids = (assent) => [assent.pid, ...postgresPids(join(world.place, 'database'))];
  progress.expect(OPERATIONS.length + 6);
  const step = (name, title, value, more = {}) => {
    found.set(name, { title, value, unit: 'ms', ...more });
    progress.step(title, cellOf(found.get(name)));
  };

  const starts = [];
  let assent = null;
  for (let i = 0; i < STARTS; i++) {
    await assent?.stop();
    assent = await start();
    starts.push({ ms: await firstAnswer(assent, textOf(someone())), cpuMs: cpuUs([assent.pid]) / 1000 });
  }
  const { ms, cpuMs } = starts.toSorted((a, b) => a.cpuMs - b.cpuMs)[1];
  step('start', 'start to the first answer', cpuMs, { p50Ms: ms });

  const client = new Client(assent.url, keys.sk);
  const operator = new Client(assent.url, keys.operator);
  /** One after the other, each about another person. */
  const times = async (operation, count) => {
    const { of } = operation;
    const asked = await prepared(operation, client, count, someone);
    const caller = of === 'operator' ? operator : client;
    const latencies = [];
    const from = cpuUs(pids(assent));
    for (const { method, path, body, headers } of asked) {
      const answer = await caller.ask(method, path, body, headers);
      if (answer.status >= 400 && of !== 'nobody')
        throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      latencies.push(answer.ms);
    }
    const cpuMs = (cpuUs(pids(assent)) - from) / 1000 / count;
    return { cpuMs, p50Ms: latencies.toSorted((a, b) => a - b)[Math.floor(count / 2)] };
  };
  try {
    await openRequests(operator, population, size);
    await caughtUp(assent);
    const idleFrom = cpuUs(pids(assent));
    await pause(IDLE_S * 1000);
    step('idle', 'a second of doing nothing', (cpuUs(pids(assent)) - idleFrom) / 1000 / IDLE_S);
    for (const operation of OPERATIONS) await times(operation, WARM_UPS);
    for (const operation of OPERATIONS) {
      const { cpuMs, p50Ms } = await times(operation, operation.times ?? TIMES);
      step(operation.name, operation.title, cpuMs, { p50Ms });
    }
    step('memory', 'resident memory of the service', residentMb(assent.pid), { unit: 'MB' });
    await rebuild(world, isFirst, step);
    await backup(world, step);
  } finally {
    client.close();
    operator.close();
    await caughtUp(assent);
    await assent.stop();
  }
  return found;
}

/** Requests of one operation, each about another person. */
async function prepared({ of, after, get, send }, client, count, someone) {
  const requests = [];
  for (let n = 0; n < count; n++) {
    const nobody = `visitor_id:${randomBytes(16).toString('hex')}`;
    const text = of === 'nobody' ? nobody : of === 'person' || of === 'record' ? textOf(someone()) : '';
    let [ref, headers] = [encodeURIComponent(text), {}];
    if (of === 'record') {
      const { body } = await client.get('GET', `/v1/subjects/${ref}/consent/history?limit=1`);
      ref = body.data[0].id;
    }
    if (after === 'decide') {
      const written = await client.get('POST', '/v1/consent', decision(text, n), withKey());
      headers = { 'X-Log-Position': written.headers['x-log-position'] };
    }
    const [path, body, more] = send ? send(ref, text, n) : [get(ref)];
    requests.push({ method: send ? 'POST' : 'GET', path, body, headers: { ...headers, ...more } });
  }
  return requests;
}

/** So that operators' lists grow with the people. Whoever has one open already gets no second one. */
async function openRequests(operator, population, size) {
  for (let n = 0; n < size; n += PEOPLE_OF_REQUEST * REQUESTS_AT_ONCE) {
    const requests = [];
    for (let i = n; i < size && requests.length < REQUESTS_AT_ONCE; i += PEOPLE_OF_REQUEST)
      requests.push({ subject: textOf(population.reference(i)), type: 'ACCESS' });
    await operator.get('POST', `${SITE_PATH}/data-requests/batch`, { requests });
  }
}

/** Milliseconds from the start of the process until it answers what a page asks. */
async function firstAnswer({ url, child, keys, startedAt }, text) {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`Assent ended with ${child.exitCode} before it answered`);
    const headers = { Authorization: `Bearer ${keys.sk}` };
    const answer = await fetch(`${url}/v1/subjects/${encodeURIComponent(text)}/consent`, { headers }).catch(() => null);
    if (answer?.ok) return performance.now() - startedAt;
    await pause(10);
  }
}

/**
 * The command line on the same database, and its processor time beside that of Postgres. `look` answers how far it is, some
 * times a second, and the costs are those of what it did in between: a process takes longer to start than a small log.
 */
async function command({ database, data, place }, args, seconds, look) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ASSENT_DATA: data, DATABASE_URL: database.url };
  const child = ours(
    spawn(process.execPath, [join(ROOT, 'apps', 'cli', 'assent.mjs'), ...args, '--json'], {
      env,
      stdio: ['ignore', 'ignore', 'ignore'],
    }),
  );
  const since = performance.now();
  const looks = [];
  let isCutOff = false;
  while (child.exitCode === null && child.signalCode === null) {
    const cpuMs = cpuUs([child.pid, ...postgresPids(join(place, 'database'))]) / 1000;
    const at = (await look?.()) ?? 0;
    if (at > (looks.at(-1)?.at ?? 0) && Number.isFinite(cpuMs)) looks.push({ at, cpuMs });
    isCutOff = performance.now() - since > seconds * 1000;
    if (isCutOff) await stopped(child);
    else await pause(100);
  }
  if (!isCutOff && child.exitCode !== 0) throw new Error(`assent ${args.join(' ')} ended with ${child.exitCode}`);
  const [first, last] = [looks[0], looks.at(-1)];
  return looks.length > 1 ? (last.cpuMs - first.cpuMs) / (last.at - first.at) : NaN;
}

/** What a rebuild of the rows that are read most costs. At the first size all rows are rebuilt, and compared with those there. */
async function rebuild(world, isFirst, step) {
  const { database } = world;
  if (isFirst)
    for (const name of ['consent_state', 'consent_decisions', 'preference_state', 'receipts'])
      await command(world, ['projections', 'rebuild', name, '--verify'], Infinity);
  const position = async () => (await database.query(BUILDING))[0]?.position;
  const cpuMs = await command(world, ['projections', 'rebuild', 'consent_state'], REBUILD_S_MAX, position);
  step('rebuild', 'a thousand events of a rebuild', cpuMs * 1000);
}

/** What a backup costs for each MB that it writes. */
async function backup(world, step) {
  const folder = join(world.place, 'backup');
  const written = () =>
    !existsSync(folder)
      ? 0
      : readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .reduce((bytes, { parentPath, name }) => bytes + statSync(join(parentPath, name)).size, 0);
  const cpuMs = await command(world, ['backup', folder], BACKUP_S_MAX, written);
  const bytes = written();
  rmSync(folder, { recursive: true, force: true });
  step('backup', 'a MB of a backup', cpuMs * 1e6, { bytes });
}

const cellOf = ({ value, unit, p50Ms }) =>
  `${number(value)} ${unit}${p50Ms === undefined ? '' : ` (p50 ${number(p50Ms)} ms)`}`;

const ratioOf = (curve, name) => curve.at(-1).found.get(name).value / curve[0].found.get(name).value;

function resultsOf(curve) {
  const { size, disk } = curve.at(-1);
  return [
    { name: 'scale-disk', title: `bytes per person, ${number(size)} people`, value: sum(disk) / size, unit: 'B' },
  ];
}

/** A row for each thing, a column for each size, and how the largest compares with the smallest. */
function tableOf(curve) {
  const row = (title, cell) => [title, ...curve.map(cell)];
  const compared = (a, b) => [`${number(b / a)} ×`, b / a > GROWS ? 'grows' : ''];
  const perPerson = (title, bytes) => {
    const each = (one) => bytes(one.disk) / one.size;
    return [...row(title, (one) => `${number(each(one))} B`), ...compared(each(curve[0]), each(curve.at(-1)))];
  };
  return {
    title:
      'what must not cost more the more people there are (processor time of service and Postgres; p50 at the client)',
    head: ['', ...curve.map(({ size }) => `${number(size)} people`), 'last to first', ''],
    rows: [
      [...row('events in the log', ({ events }) => number(events)), '', ''],
      [...row('on the disk', ({ disk }) => `${number(sum(disk) / 1e9)} GB`), '', ''],
      perPerson('on the disk, per person', sum),
      ...SCHEMAS.map((schema) => perPerson(`of that: ${schema}`, (disk) => disk.get(schema))),
      ...[...curve[0].found.keys()].map((name) => [
        ...row(curve[0].found.get(name).title, ({ found }) => cellOf(found.get(name))),
        ...compared(1, ratioOf(curve, name)),
      ]),
    ],
  };
}
