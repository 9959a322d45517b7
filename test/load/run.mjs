// What `npm run bench` runs. Plain JavaScript: it starts what is in dist/, as users do. docs/speed.md says how to read it.
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
const { readOptions } = await import('./options.mjs');
const { Progress } = await import('./progress.mjs');
const { extraTable, isMet, markdownTable, terminalTable } = await import('./report.mjs');
const { EVENTSTOREDB, measureEventStoreDb } = await import('./parts/eventstoredb.mjs');
const { FRAMEWORKS, measureFrameworks } = await import('./parts/frameworks.mjs');
const { measureGrowth } = await import('./parts/growth.mjs');
const { measureLedger } = await import('./parts/ledger.mjs');
const { measureLongStreams } = await import('./parts/long-streams.mjs');
const { measureMemory } = await import('./parts/memory.mjs');
const { measureNeighbour } = await import('./parts/neighbour.mjs');
const { measureRates } = await import('./parts/rates.mjs');
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
  { name: 'memory', title: 'resident memory under mixed load', measure: measureMemory },
  { name: 'growth', title: 'bytes per subject, decision and idempotency key', measure: measureGrowth },
];
const names = PARTS.flatMap((part) => part.cases ?? [part]);
const options = readOptions(names);
const progress = new Progress();
const results = new Map();
const tables = new Map();
const startedAt = new Date();
let current = null;

mkdirSync(RESULTS, { recursive: true });
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
])
  process.once(signal, () => {
    console.error('cut off; this was measured so far:');
    report(false);
    // Processes that end by the same signal may still write there.
    if (current) rmSync(current, { recursive: true, force: true, maxRetries: 20 });
    process.exit(code);
  });

let failure = null;
for (const part of PARTS) {
  if (!(part.cases ?? [part]).some(({ name }) => options.wants(name))) continue;
  progress.begin(part.name);
  current = mkdtempSync(join(tmpdir(), `assent-bench-${part.name}-`));
  try {
    await part.measure({ folder: current, results: RESULTS }, options, progress, keep);
  } catch (error) {
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
  for (const result of some) results.set(result.name, result);
  for (const table of extra) tables.set(table.title, table);
  write('last-run', false);
}

function report(finished) {
  const all = [...results.values()];
  if (all.length + tables.size === 0) return;
  if (all.length > 0) console.log(terminalTable(all, readBaseline()));
  for (const table of tables.values()) console.log(`\n${extraTable(table, true)}`);
  write('last-run', finished);
  if (!finished || !options.complete) return;
  write('results', finished);
  if (!options.record) return;
  const values = Object.fromEntries(all.map(({ name, value }) => [name, Number(value.toPrecision(4))]));
  writeFileSync(BASELINE, `${JSON.stringify({ node: process.versions.node, values }, null, 2)}\n`);
  console.log(`These numbers are the baseline from now on: ${BASELINE}`);
}

function write(name, finished) {
  const all = [...results.values()];
  const text = [
    '# Bench',
    '',
    `${startedAt.toISOString()}, Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} processors shared by load, server and Postgres (fsync on). ${finished ? '' : '**Not finished.** '}${options.rounds} rounds, windows of ${options.seconds} s. How to read it: docs/speed.md.`,
    '',
    markdownTable(all, readBaseline()),
    '',
    ...[...tables.values()].flatMap((table) => [extraTable(table, false), '']),
  ].join('\n');
  writeFileSync(join(RESULTS, `${name}.md`), text);
  const { rounds, seconds } = options;
  writeFileSync(
    join(RESULTS, `${name}.json`),
    `${JSON.stringify({ startedAt, node: process.versions.node, finished, rounds, seconds, results: all, tables: [...tables.values()] }, null, 2)}\n`,
  );
}

function readBaseline() {
  try {
    return JSON.parse(readFileSync(BASELINE, 'utf8')).values;
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}
