// What `npm run bench` runs. Plain JavaScript: it starts what is in dist/, as users do.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { prepare } from '../../apps/standalone/prepare.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const RESULTS = join(HERE, '..', '..', 'bench');
const BASELINE = join(HERE, 'baseline.json');
const WARM_UP_S = 0.7;
const MEMORY_MB_MAX = 250;

const HELP = `npm run bench -- [options]
  --rounds <n>     windows of each case, interleaved (5)
  --seconds <n>    length of a window (2)
  --soak <n>       seconds of mixed load at the end; 0: none (60)
  --only <names>   cases, separated by commas; raw always runs
  --record         keep this run's ratios as the baseline of later ones
  --profile        write a CPU profile of Assent to bench/ (*.cpuprofile)`;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    soak: { type: 'string', default: '60' },
    only: { type: 'string' },
    record: { type: 'boolean' },
    profile: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
if (options.help) {
  console.log(HELP);
  process.exit(0);
}

await prepare({ build: true });
const { startAssent } = await import('./assent.mjs');
const { startRoles } = await import('./roles.mjs');
const { CASES, mixed, prepareRequests } = await import('./cases.mjs');
const { postgresPids, residentMb, startChild } = await import('./processes.mjs');
const { flatness, soakLine, summarise, table } = await import('./report.mjs');
const { childWindow, CONNECTIONS, httpWindow } = await import('./window.mjs');

const only = options.only?.split(',');
const unknown = only?.find((name) => !CASES.some((one) => one.name === name));
if (unknown !== undefined) {
  console.error(`There is no case "${unknown}"; use ${CASES.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}
const cases = CASES.filter(({ name }) => name === 'raw' || !only || only.includes(name));
const soakSeconds = Number(options.soak);
const seconds = Number(options.seconds);
const rounds = Number(options.rounds);
const wants = (server) =>
  cases.some((one) => one.server === server) || (server === 'assent' && (soakSeconds > 0 || wants('roles')));

mkdirSync(RESULTS, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'assent-bench-'));
const running = {};
let failed = false;
process.once('SIGINT', () => void end().then(() => process.exit(130)));
try {
  const { results, soak } = await bench();
  report(results, soak);
  failed = results.some(({ met }) => met === false) || (soak !== null && soak.most > MEMORY_MB_MAX);
} finally {
  await end();
}
process.exit(failed ? 1 : 0);

async function end() {
  // The roles first: their database is the other's.
  await running.roles?.stop();
  await Promise.all(Object.values(running).map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
}

async function bench() {
  console.error('starting...');
  const inside = (name, ...args) => startChild(join(HERE, 'servers', `${name}.mjs`), args);
  running.raw = await inside('raw');
  if (wants('nest')) running.nest = await inside('nest', 'plain');
  if (wants('nest-fast')) running['nest-fast'] = await inside('nest', 'fast');
  let requests = {};
  if (wants('assent')) {
    running.assent = await startAssent(
      join(folder, 'assent'),
      options.profile ? ['--cpu-prof', `--cpu-prof-dir=${RESULTS}`] : [],
    );
    console.error(`Assent answered ${Math.round(running.assent.startMs)} ms after its start, on an empty folder`);
    requests = await prepareRequests(running.assent);
  }
  if (wants('log')) {
    mkdirSync(join(folder, 'log'));
    running.log = await inside('log', join(folder, 'log'));
    console.error(`${running.log.ready.events} events stored to be replayed`);
  }
  const windows = {};
  const interleaved = async (some) => {
    for (let round = 1; round <= rounds; round++) {
      for (const one of some) {
        const measured = await measure(one, requests);
        (windows[one.name] ??= []).push(measured);
        console.error(
          `round ${round}/${rounds}  ${one.title.padEnd(36)} ${Math.round(measured.perSecond).toLocaleString('en').padStart(9)}/s`,
        );
      }
    }
  };
  const onRoles = cases.filter(({ server }) => server === 'roles');
  await interleaved(cases.filter((one) => !onRoles.includes(one)));
  if (onRoles.length > 0) {
    // Afterwards, and with raw once more: what runs beside a case is part of what it measures.
    running.roles = await startRoles(join(folder, 'assent'));
    await interleaved([cases.find(({ name }) => name === 'raw'), ...onRoles]);
    await running.roles.stop();
    delete running.roles;
  }
  return { results: summarise(cases, windows), soak: soakSeconds > 0 ? await soaking(requests) : null };
}

function measure(one, requests) {
  const server = running[one.server];
  if (one.server === 'log')
    return childWindow(server, one.name, { seconds, postgres: () => postgresPids(join(folder, 'log')) });
  const { url: roleUrl, pid: rolePid } = one.role ? server.roles[one.role] : server;
  const url = roleUrl ?? `http://127.0.0.1:${server.ready.port}/live`;
  const requestsOf = one.requests ? requests[one.requests] : () => [{}];
  const pids = { server: rolePid, postgres: () => (one.requests ? running.assent.postgres() : []) };
  return httpWindow({ url, requestsOf, statuses: one.statuses, pids, warmUpS: WARM_UP_S, seconds });
}

async function soaking(requests) {
  const { assent } = running;
  console.error(`${soakSeconds} s of mixed load...`);
  const rssMb = [];
  const measured = await httpWindow({
    url: assent.url,
    requestsOf: mixed(requests),
    statuses: [200, 201, 304],
    pids: { server: assent.pid, postgres: assent.postgres },
    warmUpS: WARM_UP_S,
    seconds: soakSeconds,
    during: () => rssMb.push(residentMb(assent.pid)),
  });
  return {
    ...measured,
    ...flatness(rssMb),
    seconds: soakSeconds,
    limitMb: MEMORY_MB_MAX,
    rssEachSecondMb: rssMb.map(Math.round),
  };
}

function readBaseline() {
  try {
    return JSON.parse(readFileSync(BASELINE, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

function report(results, soak) {
  const baseline = readBaseline();
  const text = [
    '# Bench',
    '',
    `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} processors shared by load, server and Postgres (fsync on). ${CONNECTIONS} keep-alive connections, the best of ${rounds} interleaved windows of ${seconds} s each. Only the ratios compare between machines. CPU: processor time of the server per request or event, and of Postgres beside it. Spread: how far the worst window lay below the best.`,
    '',
    table(results, baseline),
    '',
    ...(soak ? [soakLine(soak), ''] : []),
  ].join('\n');
  console.log(text);
  if (only) return;
  writeFileSync(join(RESULTS, 'results.md'), text);
  writeFileSync(
    join(RESULTS, 'results.json'),
    `${JSON.stringify({ node: process.versions.node, rounds, seconds, results, soak }, null, 2)}\n`,
  );
  if (!options.record) return;
  const ratios = Object.fromEntries(results.map(({ name, ratio }) => [name, Number(ratio.toPrecision(4))]));
  writeFileSync(BASELINE, `${JSON.stringify({ node: process.versions.node, ratios }, null, 2)}\n`);
  console.log(`These ratios are the baseline from now on: ${BASELINE}`);
}
