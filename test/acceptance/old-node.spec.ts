import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Linter } from 'eslint';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
/** What `npx assent` and `npm start` run, and what is read with them. */
const ENTRIES = ['apps/cli/assent.mjs', 'apps/standalone/start.mjs', 'apps/standalone/node-version.cjs'];
/** What the first `node` of a script of package.json is given, without the options of V8, which a variable holds. */
const wordsOf = (script: string): string[] =>
  script
    .split(' && ')
    .find((command) => /\bnode /.test(command))!
    .replace(/^.*?\bnode /, '')
    .split(' ')
    .filter((word) => !word.startsWith('$'));

let folder: string;
/** Makes Node.js say that it is another version, before anything is read. */
let pretence: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-old-node-'));
  pretence = join(folder, 'pretence.cjs');
  writeFileSync(
    pretence,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: process.env.PRETENDED } });
if (process.env.SYSTEM) Object.defineProperty(process, 'platform', { value: process.env.SYSTEM });`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (version: string, words: readonly string[]): { status: number | null; said: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-r', pretence, ...words], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], PRETENDED: version, ASSENT_DATA: join(folder, 'data') },
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
};

test.each<[string, readonly string[]]>([
  ['npx assent', ['apps/cli/assent.mjs', '--version']],
  ...['start', 'test', 'faults', 'build', 'bench', 'mutation'].map(
    (name) => [`npm run ${name}`, wordsOf(scripts[name]!)] as [string, readonly string[]],
  ),
])('%s says in one line that Node.js is too old', (_, words) => {
  for (const version of ['12.22.12', '18.20.8', '20.18.3'])
    expect(run(version, words)).toEqual({
      status: 1,
      said: `Assent needs Node.js 20.19 or newer, this is ${version}; install a newer one from https://nodejs.org.\n`,
    });
});

test.each(['start', 'test'])('npm %s says on Windows where it runs, before a shell reads what comes next', (name) => {
  const { status, stderr } = spawnSync(process.execPath, ['-r', pretence, ...wordsOf(scripts[`pre${name}`]!)], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], PRETENDED: process.versions.node, SYSTEM: 'win32' },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^Assent runs on Linux and macOS; on Windows .* WSL 2: .*\n$/),
  ]);
});

test('a Node.js that is new enough goes on', () => {
  for (const version of ['20.19.0', '22.0.0', '26.1.0'])
    expect(run(version, ['apps/cli/assent.mjs', '--version'])).toEqual({
      status: 0,
      said: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
});

test.each(ENTRIES)('%s can be read by Node.js 12', (file) => {
  const sourceType = file.endsWith('.mjs') ? 'module' : 'script';
  const text = readFileSync(join(ROOT, file), 'utf8');
  expect(new Linter().verify(text, { languageOptions: { ecmaVersion: 2020, sourceType } })).toEqual([]);
});
