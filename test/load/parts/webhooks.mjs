import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { caughtUp, registerSite, startAssent } from '../assent.mjs';
import { Client } from '../client.mjs';
import { startDatabase } from '../database.mjs';
import { multiply } from '../fill.mjs';
import { cpuUs, residentMb, startChild } from '../processes.mjs';
import { number } from '../report.mjs';

const RECEIVER = fileURLToPath(new URL('../servers/receiver.mjs', import.meta.url));
const SETTINGS = { ASSENT_WEBHOOK_ALLOW: '127.0.0.0/8' };
const WARM_UP_MS = 2_000;

/** For each second of the measurement so many events wait when the fast receiver is let go: more than it takes. */
const BACKLOG_PER_SECOND = 3_000;
const BATCH = 500;

const ENDPOINTS = 200;
const HANGING = ENDPOINTS / 10;
/** A site has at most 50. */
const SITES = 4;
/** Each goes to all endpoints of all sites that answer. */
const EVENTS_PER_SECOND = 2;
/** Longer than an attempt may take, so that receivers that hang are met in every state. */
const SLOW_SECONDS = 40;
const P99_MS_MAX = 2_000;
const RAISED_MAX = 1.2;

const LONG_BACKLOG = 1_000_000;
const LONG_BACKLOG_SECONDS = 60;
/** Medians of the first and the last third of the minute are compared: between two collections the heap grows and falls. */
const THIRD = LONG_BACKLOG_SECONDS / 3;
const RESIDENT_MB_MAX = 250;
const BACKLOG_GROWTH_MB_MAX = 20;
const GROWTH_MB_MAX = 100;

export const WEBHOOKS = [
  { name: 'webhooks', title: 'webhooks to one fast receiver', measure: fast },
  { name: 'webhooks-slow', title: 'webhooks to 200 endpoints of which 20 hang', measure: slow },
  { name: 'webhooks-backlog', title: 'memory with a backlog of a million webhooks', measure: backlog },
];

/** Deliveries of webhooks: how many a second, what receivers that hang cost the others, and what a backlog costs. */
export async function measureWebhooks({ folder }, options, progress, measured) {
  for (const { name, title, measure } of WEBHOOKS) {
    if (!options.wants(name)) continue;
    progress.say(title);
    const receiver = await startReceiver();
    try {
      await measure({ folder: join(folder, name), receiver }, options, progress, measured);
    } finally {
      await receiver.stop();
    }
  }
}

async function fast({ folder, receiver }, { rounds, seconds }, progress, measured) {
  const assent = await startAssent(folder, { settings: SETTINGS });
  try {
    const owner = new Client(assent.url, assent.keys.sk);
    const { id } = await created(owner, receiver.url('/'));
    await change(owner, id, { state: 'PAUSED' });
    const events = BACKLOG_PER_SECOND * (WARM_UP_MS / 1000 + rounds * seconds);
    for (let at = 0; at < events; at += BATCH) await record(owner, BATCH);
    await caughtUp(assent);
    await change(owner, id, { state: 'ENABLED' });
    const rates = [];
    let all = 0;
    await pause(WARM_UP_MS);
    await receiver.take();
    const before = usage(assent);
    progress.expect(rounds);
    for (let round = 1; round <= rounds; round++) {
      const start = performance.now();
      await pause(seconds * 1000);
      const { count } = await receiver.take();
      rates.push(count / ((performance.now() - start) / 1000));
      all += count;
      progress.step(`round ${round}/${rounds}`, `${number(rates.at(-1))} deliveries/s`);
    }
    const after = usage(assent);
    // A queue that ran empty would say nothing of how fast it is worked off.
    const left = await waiting(assent);
    if (left === 0) throw new Error(`all ${events} events were delivered before the measurement was over`);
    owner.close();
    measured([
      {
        name: 'webhooks',
        title: 'webhooks to one fast receiver',
        value: median(rates),
        unit: 'deliveries/s',
        cpuUs: (after.service - before.service) / all,
        postgresCpuUs: (after.postgres - before.postgres) / all,
        rssMb: residentMb(assent.pid),
      },
    ]);
  } finally {
    await assent.stop();
  }
}

async function slow({ folder, receiver }, _, progress, measured) {
  const assent = await startAssent(folder, { settings: SETTINGS });
  try {
    const owners = [new Client(assent.url, assent.keys.sk)];
    for (let n = 1; n < SITES; n++) {
      const { sk } = await registerSite(assent.url, assent.keys.operator, `bench-${n}`);
      owners.push(new Client(assent.url, sk));
    }
    const ownerOf = (n) => owners[n % SITES];
    for (let n = 0; n < ENDPOINTS - HANGING; n++) await created(ownerOf(n), receiver.url(`/${n}`));
    await agesOf(owners, receiver, 5);
    progress.expect(2);
    const alone = await agesOf(owners, receiver, SLOW_SECONDS);
    progress.step('healthy receivers alone', `p99 ${number(p99(alone))} ms`);
    const before = residentMb(assent.pid);
    for (let n = 0; n < HANGING; n++) await created(ownerOf(n), receiver.url(`/hang/${n}`));
    const beside = await agesOf(owners, receiver, SLOW_SECONDS);
    progress.step('beside receivers that hang', `p99 ${number(p99(beside))} ms`);
    for (const owner of owners) owner.close();
    const shared = { perSecond: EVENTS_PER_SECOND * (ENDPOINTS - HANGING) };
    measured([
      {
        name: 'webhooks-slow',
        title: 'event to healthy receiver, p99, 20 of 200 hang',
        value: p99(beside),
        unit: 'ms',
        floor: { most: P99_MS_MAX },
        ...shared,
        p50Ms: p50(beside),
        p99Ms: p99(beside),
      },
      {
        name: 'webhooks-slow-ratio',
        title: 'the same, to that without those that hang',
        value: p99(beside) / p99(alone),
        unit: '×',
        floor: { most: RAISED_MAX },
        ...shared,
        p50Ms: p50(alone),
        p99Ms: p99(alone),
      },
      {
        name: 'webhooks-slow-memory',
        title: 'resident memory that receivers that hang cost',
        value: residentMb(assent.pid) - before,
        unit: 'MB',
        floor: { most: GROWTH_MB_MAX },
        rssMb: residentMb(assent.pid),
      },
    ]);
  } finally {
    await assent.stop();
  }
}

async function backlog({ folder, receiver }, _, progress, measured) {
  const database = await startDatabase(join(folder, 'database'));
  let assent = null;
  try {
    assent = await startAssent(join(folder, 'assent'), { databaseUrl: database.url, settings: SETTINGS });
    const owner = new Client(assent.url, assent.keys.sk);
    const { id } = await created(owner, receiver.url('/'));
    await change(owner, id, { state: 'PAUSED' });
    await record(owner, 1);
    await caughtUp(assent);
    await fillBacklog(database);
    await caughtUp(assent);
    const before = residentMb(assent.pid);
    await receiver.take();
    await change(owner, id, { state: 'ENABLED' });
    const rssMb = [];
    progress.expect(LONG_BACKLOG_SECONDS);
    for (let second = 1; second <= LONG_BACKLOG_SECONDS; second++) {
      await pause(1_000);
      rssMb.push(residentMb(assent.pid));
      progress.step('delivering', `${Math.round(rssMb.at(-1))} MB`);
    }
    const { count } = await receiver.take();
    const [{ rows }] = await database.query(
      'select count(*)::int as rows from deliveries.delivery where finished_at is null',
    );
    owner.close();
    if (count <= LONG_BACKLOG_SECONDS) throw new Error(`of the backlog only ${count} were delivered`);
    measured([
      {
        name: 'webhooks-backlog',
        title: 'resident memory, a million events behind',
        value: median(rssMb.slice(-THIRD)),
        unit: 'MB',
        floor: { most: RESIDENT_MB_MAX },
        perSecond: count / LONG_BACKLOG_SECONDS,
        detail: { beforeMb: Math.round(before), eachSecondMb: rssMb.map(Math.round), openRows: rows },
      },
      {
        name: 'webhooks-backlog-growth',
        title: 'what of it came while it was worked off',
        value: median(rssMb.slice(-THIRD)) - median(rssMb.slice(0, THIRD)),
        unit: 'MB',
        floor: { most: BACKLOG_GROWTH_MB_MAX },
      },
    ]);
  } finally {
    await assent?.stop();
    await database.stop();
  }
}

/** Copies of the events of a subject, as those of others: a million events of the log, of which the endpoint wants a third. */
async function fillBacklog(database) {
  const [{ stream, events }] = await database.query(
    `select stream, count(*)::int as events from log.events where stream like 'subject-bench.test.%' group by stream limit 1`,
  );
  await multiply(database, stream, 1, Math.ceil(LONG_BACKLOG / events));
}

/** Ages in ms, at their receipt, of what happens in so many seconds. */
async function agesOf(owners, receiver, seconds) {
  await receiver.take();
  const from = performance.now();
  for (let n = 1; n <= seconds * EVENTS_PER_SECOND; n++) {
    await Promise.all(owners.map((owner) => record(owner, 1)));
    const at = from + (n * 1000) / EVENTS_PER_SECOND;
    if (at > performance.now()) await pause(at - performance.now());
  }
  const wanted = seconds * EVENTS_PER_SECOND * (ENDPOINTS - HANGING);
  const ages = [];
  for (const until = performance.now() + 60_000; ages.length < wanted; await pause(200)) {
    ages.push(...(await receiver.take()).agesMs);
    if (performance.now() > until) throw new Error(`only ${ages.length} of ${wanted} deliveries came within a minute`);
  }
  return ages;
}

async function startReceiver() {
  const { child, ready, stop } = await startChild(RECEIVER);
  return {
    url: (path) => `http://127.0.0.1:${ready.port}${path}`,
    take: () => {
      const taken = new Promise((resolve) => child.once('message', resolve));
      child.send('take');
      return taken;
    },
    stop,
  };
}

const created = async (owner, url) =>
  (await owner.get('POST', '/v1/webhook-endpoints', { url, types: ['consent.recorded'] })).body;
const change = (owner, id, body) => owner.get('PATCH', `/v1/webhook-endpoints/${id}`, body);
const record = (owner, count) =>
  owner.get('POST', '/v1/consent/batch', {
    records: Array.from({ length: count }, () => ({
      subject: `visitor_id:${randomBytes(16).toString('hex')}`,
      purpose: 'analytics',
      decision: 'GRANTED',
    })),
  });

async function waiting({ url }) {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^assent_deliveries_waiting\{channel="webhook"\} (\S+)$/m.exec(metrics)?.[1] ?? 0);
}

const usage = ({ pid, postgres }) => ({ service: cpuUs([pid]), postgres: cpuUs(postgres()) });
const sorted = (values) => values.toSorted((a, b) => a - b);
const at = (part) => (values) => sorted(values)[Math.floor((values.length - 1) * part)];
const [median, p50, p99] = [at(0.5), at(0.5), at(0.99)];
