// What `npm test` and `npm run faults` run. Plain JavaScript without dependencies: it has to work on a fresh clone.
// Arguments go on to jest; `--campaigns` alone stands for what `npm run faults` is.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, closeSync, constants, existsSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare } from '../../apps/standalone/prepare.mjs';
import { clearEarlierRuns, closeRunFolder, guardRunFolder, openRunFolder, programsOf } from './leftovers.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGES = join(ROOT, 'node_modules');
/**
 * So long jest may take to end after its last report, in seconds: the worlds that specs shared are stopped in it, and all
 * databases removed, which took more than 180 on a disk beside a load.
 */
const LINGERS_S = 600;
const JEST = join(PACKAGES, 'jest/bin/jest.js');
/** Of the interface on four roles, what takes processes that agree: on what was written, and on keys. */
const FEW_ON_FOUR_ROLES = ['consent-recording', 'keys-and-guard'];
/** What the short campaigns add there: changes of several subjects at once, each of which another process may write to. */
const SOME_ON_FOUR_ROLES = ['subjects-merge'];
/** The rest of what the interface promises whatever runs behind it. The other specs are about one process, what it stores, or what is refused before anything is asked. */
const OTHERS_ON_FOUR_ROLES = [
  'consent-reading',
  'idempotency',
  'preferences',
  'double-opt-in',
  'consent-batch',
  'consent-history',
  'subjects',
  'subjects-erasure',
  'purposes',
  'openapi',
  'start-page',
  'presentation',
  'own-policies',
  'client',
  ...['data-requests', 'portal-intake', 'portal-tokens'],
];
/**
 * Of the interface on one process, what tries everything that there is, takes an installation apart and puts it together
 * again, or looks at pages in a real browser: a third of the time of all specs. The campaigns run these, the short ones
 * too.
 */
const AT_LENGTH = [
  'access-table',
  'odd-paths',
  'audit-bundle',
  'backup',
  'client-in-browsers',
  'client-package',
  'code-samples',
  'contributing',
  'demo-history',
  'docs',
  'erasure-unreadable',
  'image',
  'master-key',
  'operator',
  'receipts-anew',
  'release',
  'scan',
  'sdk',
  'try-it',
  ...['audit-page', 'banner-page', 'pages', 'portal'],
  ...['elements-examples', 'elements-package', 'elements-rules'],
];
/** A name that is no spec's any more would go unnoticed: jest runs what there is. */
const spec = (path) => {
  if (!existsSync(join(ROOT, path))) throw new Error(`${path} is to be run, and is not there`);
  return path;
};
const acceptance = (name) => spec(`test/acceptance/${name}.spec.ts`);
/** Looks for what an erasure leaves in every table, file and log of an installation, after each of many erasures. */
const FORGETTING = spec('test/laws/forgetting.spec.ts');
/** What the campaigns run instead of `npm test`. */
const ONLY_CAMPAIGNS = [FORGETTING, spec('test/laws/subjects-cut-short.spec.ts'), ...AT_LENGTH.map(acceptance)];
/** Where all of the interface runs on four roles. The short campaigns look there for what an erasure leaves, and nowhere else. */
const isAtLength = process.env.FOUR_ROLES_ALL === '1';
const UNITS = ['libs', 'apps', 'test/laws', 'test/load', 'test/history', 'test/rules', 'test/support'];
const ONE_PROCESS = {
  what: 'units, laws and rules, then the interface on one process',
  args: [...UNITS, 'test/acceptance', ...ONLY_CAMPAIGNS.map((path) => `--testPathIgnorePatterns=/${path}$`)],
};
const onFourRoles = (what, names) => ({
  what,
  args: ['--runInBand', ...names],
  topology: { ASSENT_TEST_TOPOLOGY: 'four-roles' },
});
/** Laws that `npm test` tries too, here with more runs. */
const withLongLaws = process.env.LAWS_ALL === '1';
const LONG_LAWS = withLongLaws ? ['test/laws/subjects-together', 'test/laws/subjects-model'] : [];
/** A thousand requests whose times must not differ, of which `npm test` sends sixty. */
const PORTAL_TIMING = spec('test/faults/portal-timing.spec.ts');
/** Most of a campaign is waiting for what was killed to be back. */
const CAMPAIGNS = {
  what: 'what happens while things are killed and cut off, laws at length, pages, and what takes an installation apart',
  args: [
    ...['--maxWorkers=3', 'test/faults', ...LONG_LAWS],
    ...ONLY_CAMPAIGNS.filter((path) => isAtLength || path !== FORGETTING),
    ...(withLongLaws ? [] : [`--testPathIgnorePatterns=/${PORTAL_TIMING}$`]),
  ],
};
/**
 * What is tested where no tests are named, and in campaigns. Two run at the same time: four roles wait for each other so
 * much that they leave a third of two cores to the others, and so does whoever waits for a process to end.
 */
const TESTS = [ONE_PROCESS, onFourRoles('a part of the interface on four roles', FEW_ON_FOUR_ROLES.map(acceptance))];
const LONG_ONES = [
  CAMPAIGNS,
  onFourRoles('erasure and other parts of the interface on four roles', [
    FORGETTING,
    ...[...SOME_ON_FOUR_ROLES, ...(isAtLength ? OTHERS_ON_FOUR_ROLES : [])].map(acceptance),
  ]),
];
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

const children = new Set();
let stoppedBy = null;
for (const signal of Object.keys(SIGNALS)) {
  process.on(signal, () => {
    stoppedBy ??= signal;
    for (const child of children) child.kill(signal);
  });
}

/** Where what was compiled for one run can serve the next; never in a folder that other users can write to. */
function isWritable(place) {
  try {
    accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs a program to its end; its exit code, 1 where a signal ended it. What it prints goes to the file `output`, if named.
 * Where it has written the file `last` it is over, and is ended if it does not end by itself.
 */
async function run(command, args, { env = process.env, output, last } = {}) {
  const file = output ? openSync(output, 'a') : null;
  const child = spawn(command, args, { cwd: ROOT, env, stdio: file === null ? 'inherit' : ['ignore', file, file] });
  if (file !== null) closeSync(file);
  children.add(child);
  let looks = 0;
  const ending = setInterval(() => {
    if (last === undefined || !existsSync(last) || ++looks < LINGERS_S) return;
    console.error('something keeps jest from ending, which was ended now; still running:');
    console.error(programsOf(env.TMPDIR).join('\n'));
    child.kill('SIGKILL');
  }, 1000);
  try {
    const [code] = await once(child, 'exit');
    return code ?? 1;
  } finally {
    clearInterval(ending);
    children.delete(child);
  }
}

async function main(folder) {
  await prepare({ build: true });
  if (!existsSync(JEST)) {
    console.error('the packages that the tests need are missing; installing them (npm ci, about half a minute)...');
    if ((await run('npm', ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'])) !== 0)
      throw new Error('npm ci failed; the reason stands above.');
  }
  if (stoppedBy) return { code: 1, counts: { passed: 0, failed: 0 } };
  // Whoever names tests means those.
  const named = process.argv.slice(2);
  const isLong = named[0] === '--campaigns' && named.length === 1;
  if (named.length > 0 && !isLong) return jest(folder, { args: named });
  const [first, second] = isLong ? LONG_ONES : TESTS;
  for (const { what } of [first, second]) console.error(`testing ${what}...`);
  // Shown when both are done, so that two reports do not get mixed up.
  const output = join(folder, 'second.output');
  const results = await Promise.all([jest(folder, first), jest(folder, { ...second, output })]);
  console.error(`\nand ${second.what}:\n${readFileSync(output, 'utf8')}`);
  const sum = (which) => results.reduce((total, { counts }) => total + counts[which], 0);
  return {
    code: results.find(({ code }) => code !== 0)?.code ?? 0,
    counts: { passed: sum('passed'), failed: sum('failed') },
  };
}

async function jest(folder, { args, topology = {}, output }) {
  const counts = join(mkdtempSync(join(folder, 'counts-')), 'counts.json');
  const env = { ...process.env, ...topology, TZ: 'UTC', TMPDIR: folder, ASSENT_TEST_COUNTS: counts };
  const cache = isWritable(PACKAGES) ? join(PACKAGES, '.cache/jest') : folder;
  const reporters = ['default', fileURLToPath(new URL('closing-line.mjs', import.meta.url))].map(
    (name) => `--reporters=${name}`,
  );
  const code = await run(process.execPath, [JEST, ...reporters, `--cacheDirectory=${cache}`, ...args], {
    env,
    output,
    last: counts,
  });
  return {
    code,
    counts: existsSync(counts) ? JSON.parse(readFileSync(counts, 'utf8')) : { passed: 0, failed: code === 0 ? 0 : 1 },
  };
}

const earlier = await clearEarlierRuns();
if (earlier > 0) console.error(`removed what ${earlier} earlier run${earlier > 1 ? 's' : ''} left behind`);
const folder = openRunFolder();
const guard = guardRunFolder(folder);
let result = { code: 1, counts: { passed: 0, failed: 1 } };
try {
  result = await main(folder);
} catch (error) {
  console.error(error.name === 'StartRefused' ? error.message : error);
}
const left = await closeRunFolder(folder);
guard.dismiss();
if (left.length > 0)
  console.error(`the tests left ${left.length} process${left.length > 1 ? 'es' : ''} running, which had to be ended`);
console.log(`${result.counts.passed} passed, ${result.counts.failed} failed`);
process.exitCode = stoppedBy ? 128 + SIGNALS[stoppedBy] : result.code || (result.counts.failed > 0 ? 1 : 0);
