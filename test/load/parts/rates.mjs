import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startAssent } from '../assent.mjs';
import { RATES, prepareRequests, writeImport } from '../cases.mjs';
import { ours, postgresPids, startChild } from '../processes.mjs';
import { startRoles } from '../roles.mjs';
import { childWindow, httpWindow, workWindow } from '../window.mjs';

const WARM_UP_S = 0.7;
/** Before the first window of a case of the service: what it runs is compiled by then. */
const FIRST_WARM_UP_S = 8;
/** What runs beside us comes and goes: a window of raw node:http is never more than this many cases away. */
const RAW_EVERY = 3;
const COMMAND = new URL('../../../apps/cli/assent.mjs', import.meta.url).pathname;
const RAW = RATES.find(({ name }) => name === 'raw');

/**
 * Windows of all wanted rates in turn, round by round. Calls `measured` with all results so far after each window.
 * @param {{ wants: (name: string) => boolean, rounds: number, seconds: number, profile: boolean }} options
 */
export async function measureRates({ folder, results: profiles }, options, progress, measured) {
  const wanted = RATES.filter(({ name }) => name !== 'raw' && options.wants(name));
  // What another case is compared with is measured as well.
  const cases = RATES.filter(
    (one) => one !== RAW && (wanted.includes(one) || wanted.some(({ against }) => against === one.name)),
  );
  const onRoles = cases.filter(({ server }) => server === 'roles');
  const others = cases.filter((one) => !onRoles.includes(one));
  const inEventStore = logOfRoles();
  const needs = (server) =>
    cases.some((one) => one.server === server) || (server === 'assent' && onRoles.length > 0 && !inEventStore);
  const running = {};
  const windows = Object.fromEntries([RAW, ...cases].map(({ name }) => [name, []]));
  let requests = {};
  try {
    running.raw = await inside('raw');
    if (needs('nest')) running.nest = await inside('nest', 'plain');
    if (needs('nest-fast')) running['nest-fast'] = await inside('nest', 'fast');
    if (needs('assent')) {
      progress.say('starting Assent');
      running.assent = await startAssent(join(folder, 'assent'), {
        nodeOptions: options.profile ? ['--cpu-prof', `--cpu-prof-dir=${profiles}/profile-rates`] : [],
      });
      requests = await prepareRequests(running.assent);
    }
    if (needs('receipts')) running.receipts = await inside('receipts');
    if (needs('log')) {
      progress.say('storing events to be replayed');
      mkdirSync(join(folder, 'log'));
      running.log = await inside('log', join(folder, 'log'));
    }
    progress.expect(options.rounds * (withRaw(others).length + (onRoles.length > 0 ? withRaw(onRoles).length : 0)));
    await rounds(others);
    if (onRoles.length > 0) {
      // Afterwards: what runs beside a case is part of what it measures.
      if (inEventStore) {
        // An Assent of their own: a log is not moved.
        await running.assent?.stop();
        running.assent = await startAssent(join(folder, 'roles'), { settings: inEventStore });
        requests = await prepareRequests(running.assent);
      }
      running.roles = await startRoles(join(folder, inEventStore ? 'roles' : 'assent'), inEventStore ?? {});
      await rounds(onRoles);
    }
  } finally {
    // The roles first: their database is the other's.
    await running.roles?.stop();
    await Promise.all(Object.values(running).map((server) => server.stop()));
  }

  async function rounds(some) {
    for (let round = 1; round <= options.rounds; round++) {
      let raw = null;
      let open = [];
      for (const one of withRaw(some)) {
        const window = await measure(one, round);
        progress.step(
          `round ${round}/${options.rounds}  ${one.title}`,
          `${Math.round(window.perSecond).toLocaleString('en')}/s`,
        );
        if (one === RAW) {
          // Each window is held against the raw ones before and after it.
          for (const before of open) before.raw = (before.raw + window.perSecond) / 2;
          raw = window.raw = window.perSecond;
          open = [];
          windows[RAW.name].push(window);
          continue;
        }
        window.raw = raw;
        open.push(window);
        windows[one.name].push(window);
        measured(summarise([RAW, ...cases], windows));
      }
      measured(summarise([RAW, ...cases], windows));
    }
  }

  function measure(one, round) {
    const server = running[one.server];
    if (one.server === 'log' || one.server === 'receipts')
      return childWindow(server, one.name, {
        seconds: options.seconds,
        postgres: () => (one.server === 'log' ? postgresPids(join(folder, 'log')) : []),
      });
    if (one.rows) {
      const pids = { server: server.pid, postgres: running.assent.postgres };
      return workWindow(() => importFile(server, join(folder, 'import.csv'), one.rows), pids);
    }
    const { url: roleUrl, pid } = one.role ? server.roles[one.role] : server;
    return httpWindow({
      url: roleUrl ?? `http://127.0.0.1:${server.ready.port}/live`,
      requestsOf: one.requests ? requests[one.requests] : () => [{}],
      connections: one.connections,
      statuses: one.statuses,
      pids: { server: pid, postgres: () => (one.requests ? running.assent.postgres() : []) },
      warmUpS: round === 1 && one.requests ? FIRST_WARM_UP_S : WARM_UP_S,
      seconds: options.seconds,
    });
  }
}

/** Where the log of the four roles is: under a prefix of its own on the server that ESDB_URL names; null: in Postgres. */
const logOfRoles = () =>
  process.env.ESDB_URL
    ? { ESDB_URL: process.env.ESDB_URL, ASSENT_LOG_PREFIX: `bench_${randomBytes(6).toString('hex')}` }
    : null;

const inside = (name, ...args) => startChild(new URL(`../servers/${name}.mjs`, import.meta.url).pathname, args);

/** What `assent import` records of a file of that many new people. Its own processor time is not the service's. */
async function importFile({ url, keys }, file, rows) {
  writeImport(file, rows);
  const env = { PATH: process.env.PATH, ASSENT_OPERATOR_TOKEN: keys.operator };
  const args = ['import', file, '--map', 'csv', '--site', 'bench', '--url', url];
  const command = ours(spawn(process.execPath, [COMMAND, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] }));
  const code = await new Promise((resolve) => command.once('exit', resolve));
  rmSync(file);
  if (code !== 0) throw new Error(`assent import ended with ${code}`);
  return rows;
}

/** Raw first, last, and after every few. */
const withRaw = (cases) => [RAW, ...cases.flatMap((one, i) => ((i + 1) % RAW_EVERY === 0 ? [one, RAW] : [one])), RAW];

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;

const processorUs = (window) => (window ? window.cpuUs + window.postgresCpuUs : NaN);

/** Of each case the median window by its ratio: a load beside us comes and goes within a run. */
function summarise(cases, windows) {
  return cases
    .filter(({ name }) => windows[name].length > 0)
    .map(({ name, title, floor, unit, each = 1, against, compares, server }) => {
      const all = windows[name].map((window, round) => {
        const other = against === undefined ? null : windows[against][round];
        if (other === null) return { ...window, ratio: window.perSecond / window.raw };
        if (compares === 'processor time') return { ...window, ratio: processorUs(window) / processorUs(other) };
        return { ...window, ratio: (window.perSecond * each) / other?.perSecond };
      });
      const ratios = all.map(({ ratio }) => ratio).filter(Number.isFinite);
      const value = median(ratios);
      const least = windows[name].toSorted((a, b) => processorUs(a) - processorUs(b))[0];
      const middle = all.find(({ ratio }) => ratio === value) ?? all[0];
      return {
        name,
        title,
        value,
        unit: against === undefined ? 'of raw' : `of ${against}`,
        ...(floor && { floor }),
        perSecond: middle.perSecond * each,
        ...(unit && { each: unit }),
        p50Ms: middle.p50Ms,
        p99Ms: middle.p99Ms,
        cpuUs: middle.cpuUs,
        ...((server === 'assent' || server === 'log') && { postgresCpuUs: middle.postgresCpuUs }),
        least: { cpuUs: least.cpuUs, postgresCpuUs: least.postgresCpuUs },
        rssMb: Math.max(...all.map(({ rssMb }) => rssMb)),
        spread: value === null ? null : (Math.max(...ratios) - Math.min(...ratios)) / value,
      };
    });
}
