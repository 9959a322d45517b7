import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startBundledPostgres } from '../../../dist/libs/engines/database/bundled-postgres.js';
import { caughtUp, startAssent } from '../assent.mjs';
import { decision, prepareRequests } from '../cases.mjs';
import { Client } from '../client.mjs';
import { cpuUs, postgresPids, startChild } from '../processes.mjs';
import { number } from '../report.mjs';
import { BESIDE_ASSENT, startRoles } from '../roles.mjs';
import { childWindow, httpWindow } from '../window.mjs';

const WARM_UP_S = 0.7;
/**
 * Roles and the bare client have done nothing yet when they are measured first. A record costs a role that has just
 * begun twice the processor time that it costs once V8 has compiled what is used, after some thousand of them: on a
 * machine that is busy, eight seconds are too short for that.
 */
const FIRST_WARM_UP_S = 8;
const FIRST_WARM_UP_RECORDS = 6_000;
const WRITERS = 16;
/** How often the reader looks whether its decision is in the row. More often, the looks are most of what is measured. */
const LOOK_EVERY_MS = 5;
/** How often each role is asked whether it is ready while decisions are recorded. */
const READINESS_EVERY_MS = 200;
/** A machine that cannot do so many does what it can, which the column of rates tells. Records come as banners send them. */
const PACED_RECORDS = 1_000;
const RECORDS_OF_SAVE = 3;
const PACED_S = 30;

export const EVENTSTOREDB = [
  { name: 'esdb-record', title: 'on EventStoreDB, four roles: recorded consent', floor: { least: 0.4 } },
  { name: 'esdb-ready', title: 'on EventStoreDB: red looks at /readyz while recording', floor: { most: 0 } },
  {
    name: 'esdb-lag',
    title: `on EventStoreDB: longest lag at ${number(PACED_RECORDS)} writes a second`,
    floor: { most: 5 },
  },
  { name: 'esdb-rebuild', title: 'on EventStoreDB: rebuild of consent_state', floor: { least: 0.8 } },
  { name: 'esdb-readable', title: 'on EventStoreDB: recorded to readable, p99', floor: { most: 50 } },
];
const [RECORD, READY, LAG, REBUILD, READABLE] = EVENTSTOREDB;

/**
 * Four roles on EventStoreDB, against what its bare client does on the same server in the same run: the server that
 * `ESDB_URL` names, else the small one of the tests, which answers the same protocol at a rate of its own.
 */
export async function measureEventStoreDb({ folder, results: profiles }, options, progress, measured) {
  const running = [];
  const nodeOptions = (role) =>
    options.profile ? ['--cpu-prof', `--cpu-prof-dir=${profiles}/profile-eventstoredb/${role}`] : [];
  const started = async (name, ...args) => {
    const child = await startChild(new URL(`../servers/${name}.mjs`, import.meta.url).pathname, args);
    running.unshift(child);
    return child;
  };
  try {
    const standIn = process.env.ESDB_URL ? null : await started('eventstoredb');
    const url = standIn?.ready.url ?? process.env.ESDB_URL;
    const records = options.wants(RECORD.name) || options.wants(READY.name);
    if (records || options.wants(LAG.name) || options.wants(READABLE.name)) {
      progress.say('starting four roles on EventStoreDB');
      const log = { ESDB_URL: url, ASSENT_LOG_PREFIX: `bench_${randomBytes(6).toString('hex')}` };
      const world = await startWorld(folder, log, running, nodeOptions);
      if (records) {
        const bare = await started('eventstoredb-client', url, join(folder, 'bare'));
        await measureRecord({ ...world, node: nodeOf(standIn), bare }, options, progress, measured);
      }
      await caughtUp(world.roles.projector);
      if (options.wants(LAG.name)) await measureLag(world, progress, measured);
      await caughtUp(world.roles.projector);
      if (options.wants(READABLE.name)) await measureReadable(world, options, progress, measured);
    }
    if (options.wants(REBUILD.name)) {
      // What runs beside a case is part of what it measures.
      for (const each of running.splice(0, running.length - (process.env.ESDB_URL ? 0 : 1))) await each.stop();
      progress.say('storing events to be replayed');
      const bare = await started('eventstoredb-client', url, join(folder, 'rebuild'));
      await measureRebuild(bare, options, progress, measured);
    }
  } finally {
    for (const each of running) await each.stop();
  }
}

/** The process of the event store: the stand-in, or the server on this machine whose id ESDB_PID names. */
const nodeOf = (standIn) => {
  if (standIn) return { name: 'stand-in for EventStoreDB', pids: [standIn.pid] };
  return { name: 'EventStoreDB', pids: process.env.ESDB_PID ? [process.env.ESDB_PID] : [] };
};

/** Four roles on a site that one process has made, which is gone by then: what it did would be done twice. */
export async function startWorld(folder, log, running, nodeOptions) {
  const [database, data] = [join(folder, 'database'), join(folder, 'assent')];
  mkdirSync(database, { recursive: true });
  const postgres = await startBundledPostgres(database, () => undefined);
  running.unshift(postgres);
  const assent = await startAssent(data, { databaseUrl: postgres.url, settings: log });
  let requests;
  try {
    requests = await prepareRequests(assent);
    await caughtUp(assent);
  } finally {
    await assent.stop();
  }
  const names = ['projector', ...BESIDE_ASSENT];
  const { roles, stop } = await startRoles(data, { ...log, DATABASE_URL: postgres.url }, names, nodeOptions);
  running.unshift({ stop });
  return { roles, requests, keys: assent.keys, postgres: () => postgresPids(database) };
}

async function measureRecord({ roles, requests, postgres, node, bare }, options, progress, measured) {
  const { rounds, seconds } = options;
  const windows = [];
  const nodePids = node.pids.length > 0 && { [node.name]: () => node.pids };
  const processorTime = new ProcessorTime({
    ...Object.fromEntries(Object.entries(roles).map(([role, { pid }]) => [role, () => [pid]])),
    Postgres: postgres,
    ...nodePids,
    'the load itself': () => [process.pid],
  });
  const ofBare = new ProcessorTime({ client: () => [bare.pid], ...nodePids });
  const { url, pid } = roles['write-api'];
  const load = { url, requestsOf: requests.record, statuses: [201], pids: { server: pid, postgres }, seconds };
  // In windows of their own: a look takes its process as long as some decisions.
  const looks = options.wants(READY.name);
  progress.expect(rounds * (looks ? 3 : 2));
  await childWindow(bare, 'append', { seconds: FIRST_WARM_UP_S, postgres: () => [] });
  const readiness = new Readiness(roles);
  for (let round = 1; round <= rounds; round++) {
    ofBare.begin();
    const alone = await childWindow(bare, 'append', { seconds, postgres: () => [] });
    ofBare.end(alone.count);
    progress.step(`round ${round}/${rounds}  bare appends`, `${Math.round(alone.perSecond)}/s`);
    const window = await httpWindow({
      ...load,
      warmUpS: round === 1 ? FIRST_WARM_UP_S : WARM_UP_S,
      warmUpRequests: round === 1 ? FIRST_WARM_UP_RECORDS : 0,
      begun: () => processorTime.begin(),
      ended: (count) => processorTime.end(count),
    });
    progress.step(`round ${round}/${rounds}  ${RECORD.title}`, `${Math.round(window.perSecond)}/s`);
    if (looks) {
      await readiness.during(() => httpWindow({ ...load, warmUpS: WARM_UP_S }));
      progress.step(`round ${round}/${rounds}  ${READY.title}`, `${readiness.red} of ${readiness.looks}`);
    }
    windows.push({ ...window, ratio: window.perSecond / alone.perSecond });
    const recorded = summary(RECORD, windows, 'of bare appends');
    const postgresCpuUs = processorTime.us('Postgres');
    const cpuUs = processorTime.us(...Object.keys(roles));
    const nodeCpuUs = nodePids ? processorTime.us(node.name) : null;
    measured(
      [
        { ...recorded, cpuUs, postgresCpuUs, nodeCpuUs, bareUs: ofBare.us('client', node.name) },
        ...(looks ? [{ ...READY, value: readiness.red, unit: `of ${readiness.looks}` }] : []),
      ],
      [processorTime.table()],
    );
  }
}

async function measureLag({ roles, requests, postgres }, progress, measured) {
  const readiness = new Readiness(roles);
  progress.expect(1);
  const { url, pid } = roles['write-api'];
  const window = await readiness.during(() =>
    httpWindow({
      url,
      requestsOf: requests.save,
      perSecond: Math.ceil(PACED_RECORDS / RECORDS_OF_SAVE),
      statuses: [200],
      pids: { server: pid, postgres },
      warmUpS: FIRST_WARM_UP_S,
      seconds: PACED_S,
    }),
  );
  const records = RECORDS_OF_SAVE * window.perSecond;
  const { longestLagS, red, looks } = readiness;
  progress.step(LAG.title, `${longestLagS} s, ${red} of ${looks} looks red, ${Math.round(records)} records/s`);
  measured([
    { ...LAG, ...window, value: red === 0 ? longestLagS : null, unit: 's', perSecond: records, each: 'records' },
  ]);
}

/**
 * What each of some processes uses of the processors for one recorded consent: all of them share the same ones. Of several
 * windows the cheapest: what other programs do meanwhile only adds to it.
 */
class ProcessorTime {
  /** Microseconds of one, for each of the processes. */
  least = [];

  /** @param {Record<string, () => (number | string)[]>} pids */
  constructor(pids) {
    this.pids = Object.entries(pids);
  }

  begin() {
    this.before = this.now();
  }

  end(count) {
    const each = this.now().map((us, i) => (us - this.before[i]) / count);
    if (this.least.length === 0 || sum(each) < sum(this.least)) this.least = each;
  }

  /** Microseconds of one, in these processes together. */
  us(...names) {
    return sum(this.least.filter((_, i) => names.includes(this.pids[i][0])));
  }

  now() {
    return this.pids.map(([, of]) => cpuUs(of()));
  }

  table() {
    const all = sum(this.least);
    const row = (name, us) => [name, number(us), `${Math.round((100 * us) / all)} %`];
    return {
      title: `${RECORD.title}, processor time of one`,
      head: ['process', 'µs', 'share'],
      rows: [...this.pids.map(([name], i) => row(name, this.least[i])), row('all', all)],
    };
  }
}

const sum = (values) => values.reduce((total, value) => total + value, 0);

/** Counts what `/readyz` of some processes answers. */
class Readiness {
  looks = 0;
  red = 0;
  longestLagS = 0;

  constructor(processes) {
    this.processes = Object.entries(processes);
  }

  /** Asks each process again and again until the work is done. */
  async during(work) {
    let working = true;
    const asked = this.processes.map(async ([role, { url }]) => {
      for (; working; await pause(READINESS_EVERY_MS)) await this.look(role, url);
    });
    try {
      return await work();
    } finally {
      working = false;
      await Promise.all(asked);
    }
  }

  async look(role, url) {
    const answer = await fetch(`${url}/readyz`);
    const { hint, lagSeconds } = await answer.json();
    this.looks++;
    if (answer.ok) {
      this.longestLagS = Math.max(this.longestLagS, lagSeconds ?? 0);
      return;
    }
    this.red++;
    console.error(`${role} is not ready: ${hint}`);
  }
}

async function measureRebuild(bare, { rounds }, progress, measured) {
  const windows = [];
  progress.expect(rounds * 2);
  for (let round = 1; round <= rounds; round++) {
    const alone = await childWindow(bare, 'subscription', { postgres: () => [] });
    progress.step(`round ${round}/${rounds}  bare subscription`, `${Math.round(alone.perSecond)}/s`);
    const window = await childWindow(bare, 'rebuild', { postgres: () => [] });
    progress.step(`round ${round}/${rounds}  ${REBUILD.title}`, `${Math.round(window.perSecond)}/s`);
    windows.push({ ...window, ratio: window.perSecond / alone.perSecond });
    measured([{ ...summary(REBUILD, windows, 'of a bare subscription'), each: 'events' }]);
  }
}

/** From the answer to a decision until the read side answers it from its rows, beside others who write all the time. */
async function measureReadable({ roles, keys }, { rounds, seconds }, progress, measured) {
  const writer = new Client(roles['write-api'].url, keys.sk);
  const reader = new Client(roles['read-api'].url, keys.sk);
  const visitor = () => `visitor_id:${randomBytes(16).toString('hex')}`;
  const warm = performance.now() + FIRST_WARM_UP_S * 1000;
  const until = warm + rounds * seconds * 1000;
  const others = Array.from({ length: WRITERS }, async (_, n) => {
    while (performance.now() < until) await writer.get('POST', '/v1/consent', decision(visitor(), n));
  });
  const times = [];
  progress.expect(1);
  while (performance.now() < until) {
    const subject = visitor();
    await writer.get('POST', '/v1/consent', decision(subject, 0));
    const from = performance.now();
    const path = `/v1/subjects/${encodeURIComponent(subject)}/consent?purpose=analytics`;
    for (;;) {
      const { body } = await reader.get('GET', path);
      if (body.purposes?.analytics?.state === 'GRANTED') break;
      await pause(LOOK_EVERY_MS);
    }
    if (from >= warm) times.push(performance.now() - from);
  }
  await Promise.all(others);
  writer.close();
  reader.close();
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  progress.step(READABLE.title, `${Math.round(at(0.99))} ms`);
  measured([{ ...READABLE, value: at(0.99), unit: 'ms', p50Ms: at(0.5), p99Ms: at(0.99) }]);
}

function summary({ name, title, floor }, windows, unit) {
  const ratios = windows.map(({ ratio }) => ratio).toSorted((a, b) => a - b);
  const value = ratios[Math.floor(ratios.length / 2)];
  const { perSecond, p50Ms, p99Ms, cpuUs, rssMb } = windows.find(({ ratio }) => ratio === value);
  const spread = (ratios.at(-1) - ratios[0]) / value;
  return { name, title, floor, value, unit, perSecond, p50Ms, p99Ms, cpuUs, rssMb, spread };
}
