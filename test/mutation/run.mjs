// `npm run mutation [-- room or file...]`: changes the pure core in one place at a time and sees whether a test goes red. What was
// tried before is not tried again where neither the code nor the tests that reach it have changed. --force tries all anew.
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import { prepare } from '../../apps/standalone/prepare.mjs';
import { ROOMS } from './rooms.mjs';

/** Per cent of the mutants of a room that its tests have to notice. */
const LEAST = 85;
/** What is known of earlier runs, and a page for the browser about each room. */
const REPORTS = 'reports/mutation';
const NOTICED = ['Killed', 'Timeout'];
const MISSED = ['Survived', 'NoCoverage'];

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
const named = process.argv.slice(2).filter((argument) => argument !== '--force');
const force = process.argv.includes('--force');
const unknown = named.filter((name) => !Object.entries(ROOMS).some((room) => measured(...room, name).length > 0));
if (unknown.length > 0) {
  console.error(`no such room or file: ${unknown.join(', ')}. There are ${Object.keys(ROOMS).join(', ')}.`);
  process.exit(2);
}

/** The files of a room that a name stands for: all of them for the name of the room, one for its own path below libs/. */
function measured(room, { files }, name) {
  return name === room ? files : files.filter((file) => file === name);
}

/** Every mutant of a file, and what became of it. */
function measure(room, file) {
  return new Stryker({
    mutate: [`libs/${file}`],
    ignorePatterns: ['/apps', '/bench', '/data', '/dist', '/docs', '/reports'],
    testRunner: 'jest',
    testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
    jest: { projectType: 'custom', enableFindRelatedTests: false, config: jestConfig(ROOMS[room].specs) },
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    incremental: true,
    force,
    incrementalFile: join(REPORTS, `${room}.incremental.json`),
    htmlReporter: { fileName: join(REPORTS, `${room}.html`) },
    reporters: ['html', process.stdout.isTTY ? 'progress' : 'progress-append-only'],
    logLevel: 'warn',
    concurrency: 1,
    // Modules that were loaded once stay in the memory of the process that runs the tests.
    maxTestRunnerReuse: 150,
    // Loops without an end are found by counting. A test that waits for ever fails by the clock of jest, see below. So this
    // clock only has to catch what neither sees, and must not count a mutant as noticed because the machine was busy.
    timeoutMS: 120_000,
    dryRunTimeoutMinutes: 60,
    cleanTempDir: 'always',
  }).runMutationTest();
}

/** The jest configuration of all tests, on the specs of a room and without what only others need. */
const jestConfig = (specs) => ({
  ...JSON.parse(readFileSync('package.json', 'utf8')).jest,
  globalSetup: null,
  globalTeardown: null,
  roots: [...new Set(specs.map((spec) => `<rootDir>/${dirname(spec)}`))],
  testMatch: specs.map((spec) => `<rootDir>/${spec}`),
  testSequencer: '<rootDir>/test/mutation/shortest-first.mjs',
  setupFiles: ['<rootDir>/test/mutation/same-cases.mjs'],
  // A world of its own for each run, into which modules are loaded anew: those that were changed have to be.
  // Named, because a key that is left out is taken from package.json.
  runtime: 'jest-runtime',
  testEnvironment: './test/mutation/environment.cjs',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest'] },
  sandboxInjectedGlobals: ['Float64Array', 'Uint8Array', 'Math'],
  runner: './test/mutation/runner.cjs',
  testTimeout: 60_000,
  watchman: false,
});

/** One line of the closing table; `name` of a file or a room. */
function figures(name, mutants) {
  const count = (statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const [noticed, missed] = [count(NOTICED), count(MISSED)];
  // Where nothing was tried nothing was shown.
  return { name, noticed, missed, score: noticed + missed === 0 ? 0 : (100 * noticed) / (noticed + missed) };
}
const line = ({ name, noticed, missed, score }) =>
  `${name.padEnd(40)} ${String(noticed + missed).padStart(8)} ${String(noticed).padStart(8)} ${score.toFixed(1).padStart(7)} %`;

/** What no test noticed, and what only ran out of time: where, the text of the source, and what stood there instead. */
function missedIn(file, mutants) {
  const source = readFileSync(`libs/${file}`, 'utf8').split('\n');
  return mutants
    .filter(({ status }) => MISSED.includes(status) || status === 'Timeout')
    .map(({ location: { start, end }, replacement, status }) => {
      const text = source[start.line - 1].slice(start.column - 1, start.line === end.line ? end.column - 1 : undefined);
      const late = status === 'Timeout' ? '  (ran out of time)' : '';
      return `  libs/${file}:${start.line}:${start.column}  ${text}  =>  ${replacement.split('\n')[0]}${late}`;
    });
}

/** Does something while there is a Postgres for the tests that ask one. */
async function withDatabase(act) {
  await prepare({ build: true });
  const [{ default: setUp }, { default: tearDown }] = await Promise.all([
    import('../support/setup.mjs'),
    import('../support/teardown.mjs'),
  ]);
  await setUp();
  try {
    return await act();
  } finally {
    await tearDown();
  }
}

/** One file after the other: what is done is kept where the rest is cut off. */
async function measureFiles(room, files) {
  const all = [];
  for (const file of files) {
    console.error(`\n${room}: ${file}`);
    const mutants = (await measure(room, file)).filter(({ fileName }) => fileName.endsWith(`/libs/${file}`));
    console.log([...missedIn(file, mutants), line(figures(file, mutants))].join('\n'));
    all.push(...mutants);
  }
  return figures(room, all);
}

mkdirSync(REPORTS, { recursive: true });
const rooms = [];
for (const [name, room] of Object.entries(ROOMS)) {
  const files = named.length > 0 ? [...new Set(named.flatMap((each) => measured(name, room, each)))] : room.files;
  if (files.length === 0) continue;
  const measureThem = () => measureFiles(name, files);
  rooms.push(await (room.database ? withDatabase(measureThem) : measureThem()));
}
console.log(`\n${'room'.padEnd(40)}  mutants  noticed   score\n${rooms.map(line).join('\n')}`);
const low = rooms.filter(({ score }) => score < LEAST);
if (low.length > 0) console.error(`below ${LEAST} %: ${low.map(({ name }) => name).join(', ')}`);
process.exitCode = low.length > 0 ? 1 : 0;
