// What `npm run bench` runs. Plain JavaScript: it starts what is in dist/, as users do. docs/speed.md and docs/operating/bench.md say how to read it.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare } from '../../apps/standalone/prepare.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const RESULTS = join(HERE, '..', '..', 'bench');
const BASELINE = join(HERE, 'baseline.json');

await prepare({ build: true });
const { RATES } = await import('./cases.mjs');
const { COSTS, costsTable } = await import('./costs.mjs');
const { readOptions } = await import('./options.mjs');
const { endAll } = await import('./processes.mjs');
const { Progress } = await import('./progress.mjs');
const { published } = await import('./published.mjs');
const { extraTable, isMet, markdownTable, terminalTable } = await import('./report.mjs');
const { ELEMENTS, measureElements } = await import('./parts/elements.mjs');
const { EVENTSTOREDB, measureEventStoreDb } = await import('./parts/eventstoredb.mjs');
const { FRAMEWORKS, measureFrameworks } = await import('./parts/frameworks.mjs');
const { IDLE, measureIdle } = await import('./parts/idle.mjs');
const { measureGrowth } = await import('./parts/growth.mjs');
const { measureLedger } = await import('./parts/ledger.mjs');
const { measureLongStreams } = await import('./parts/long-streams.mjs');
const { measureMemory } = await import('./parts/memory.mjs');
const { measureNeighbour } = await import('./parts/neighbour.mjs');
const { measureRates } = await import('./parts/rates.mjs');
const { measureScale } = await import('./parts/scale.mjs');
const { measureStart } = await import('./parts/start.mjs');
const { measureWebhooks, WEBHOOKS } = await import('./parts/webhooks.mjs');

/** In this order: a part is on its own, with processes and data that nobody else uses. */
const PARTS = [
  { name: 'rates', cases: RATES.slice(1), measure: measureRates },
  { name: 'eventstoredb', cases: EVENTSTOREDB, measure: measureEventStoreDb },
  { name: 'long-streams', title: 'operations on streams of different lengths', measure: measureLongStreams },
  { name: 'start', title: 'start to first answer with a long log', measure: measureStart },
  { name: 'neighbour', title: 'one visitor who does all that is allowed', measure: measureNeighbour },
  { name: 'ledger', title: 'leaves, proofs and size of the ledger', measure: measureLedger },
  { name: 'frameworks', cases: FRAMEWORKS, measure: measureFrameworks },
  { name: 'webhooks', cases: WEBHOOKS, measure: measureWebhooks },
  { name: 'elements', cases: ELEMENTS, measure: measureElements },
  { name: 'memory', title: 'resident memory under mixed load', measure: measureMemory },
  { name: 'idle', cases: IDLE, measure: measureIdle },
  { name: 'growth', title: 'bytes per subject, decision and idempotency key', measure: measureGrowth },
  { ...COSTS, measure: (_folders, _options, _progress, measured) => measured([], [costsTable(results)]) },
  { name: 'scale', title: 'what must not cost more with size; only by its name', measure: measureScale, isApart: true },
];
const names = PARTS.flatMap((part) => part.cases ?? [part]);
const options = readOptions(names);
const progress = new Progress();
const results = new Map();
const tables = new Map();
const startedAt = new Date();
let current = null;
/** The part that is being measured. */
let running = null;
let isCutOff = false;

mkdirSync(RESULTS, { recursive: true });
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
])
  process.once(signal, async () => {
    console.error('cut off; this was measured so far:');
    report(false);
    isCutOff = true;
    // What is being measured fails when its servers end, here and there.
    process.on('unhandledRejection', () => undefined);
    // Ends are waited for although nothing else is left to be done.
    setInterval(() => undefined, 1000);
    await endAll();
    if (current) rmSync(current, { recursive: true, force: true, maxRetries: 20 });
    process.exit(code);
  });

let failure = null;
for (const part of PARTS) {
  if (!(part.cases ?? [part]).some(({ name }) => options.wants(name))) continue;
  progress.begin(part.name);
  running = part.name;
  current = mkdtempSync(join(tmpdir(), `assent-bench-${part.name}-`));
  try {
    await part.measure({ folder: current, results: RESULTS }, options, progress, keep);
  } catch (error) {
    // It failed because what it measured was ended. The program ends when all of that has.
    if (isCutOff) await new Promise(() => undefined);
    // What the other parts find out is worth having.
    failure = error;
    console.error(error);
  } finally {
    rmSync(current, { recursive: true, force: true });
    current = null;
  }
}
report(failure === null);
const missed = [...results.values()].filter((result) => isMet(result) === false);
if (missed.length > 0) console.log(`missed: ${missed.map(({ name }) => name).join(', ')}`);
process.exit(failure !== null || (options.check && missed.length > 0) ? 1 : 0);

/** Takes results as soon as there are some, and leaves them where a run that is cut off can be read. */
function keep(some, extra = []) {
  const measured = { part: running, measuredOn: startedAt.toISOString().slice(0, 10) };
  for (const result of some) results.set(result.name, { ...result, ...measured });
  for (const table of extra) tables.set(table.title, { ...table, ...measured });
  write('last-run', measuredSoFar(), false);
}

function measuredSoFar() {
  return { results: [...results.values()], tables: [...tables.values()] };
}

function report(finished) {
  const run = measuredSoFar();
  if (run.results.length + run.tables.length === 0) return;
  if (run.results.length > 0) console.log(terminalTable(run.results, readBaseline()));
  for (const table of run.tables) console.log(`\n${extraTable(table, true)}`);
  write('last-run', run, finished);
  if (!finished || !(options.complete || options.record)) return;
  const isWhole = (part) => (part.cases ?? [part]).every(({ name }) => options.wants(name));
  const parts = PARTS.map((part) => ({ name: part.name, isWhole: isWhole(part) }));
  const all = published(read(join(RESULTS, 'results.json')) ?? {}, run, parts);
  write('results', all, finished);
  if (!options.record) return;
  const values = { ...readBaseline() };
  for (const { name, value } of run.results) values[name] = Number(value.toPrecision(4));
  const names = new Set(all.results.map(({ name }) => name));
  const kept = Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
  writeFileSync(BASELINE, `${JSON.stringify({ node: process.versions.node, values: kept }, null, 2)}\n`);
  console.log(`These numbers are the baseline from now on: ${BASELINE}`);
}

function write(name, { results, tables }, finished) {
  const text = [
    '# Bench',
    '',
    `${startedAt.toISOString()}, Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} processors shared by load, server and Postgres (fsync on). ${finished ? '' : '**Not finished.** '}${options.rounds} rounds, windows of ${options.seconds} s; rows of other days are of runs of their own. How to read it: docs/operating/bench.md.`,
    '',
    markdownTable(results, readBaseline()),
    '',
    ...tables.flatMap((table) => [extraTable(table, false), '']),
  ].join('\n');
  writeFileSync(join(RESULTS, `${name}.md`), text);
  const { rounds, seconds } = options;
  writeFileSync(
    join(RESULTS, `${name}.json`),
    `${JSON.stringify({ startedAt, node: process.versions.node, finished, rounds, seconds, results, tables }, null, 2)}\n`,
  );
}

function readBaseline() {
  return read(BASELINE)?.values ?? null;
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}
