import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { configHelp } from '../../libs/engines/config/settings.js';
import { bundledPostgresUrl } from '../../libs/engines/database/bundled-url.js';
import { startWorld, type World } from '../support/world.js';

/*
 * The documentation is tried. All pages run one after another against one service, as a reader may follow them.
 * - `sh` blocks run in order, one shell per page, in a folder that looks like a checkout beside a running service. They
 *   may leave nothing in it: what they write goes into a scratch folder.
 * - `js` blocks are one module per page, run after the shell. One that says nothing but "In JavaScript:" in front does
 *   what the `sh` block before it does.
 * - A `json` block is what the block in front of it prints (of such a pair: what both print), whole. Where the text in
 *   front of it says "abridged" it is an excerpt. "…" stands for anything.
 * - An answer with an error status is allowed where the text in front of the block, or the block itself, names its code.
 * - `sql` blocks run against the database. What must not run is fenced as `text`.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGES = ['README.md', 'CHANGELOG.md', ...markdownIn('docs')];

function markdownIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory()
        ? markdownIn(`${folder}/${entry.name}`)
        : entry.name.endsWith('.md')
          ? [`${folder}/${entry.name}`]
          : [],
    )
    .sort();
}

const text = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

interface Shown {
  json: unknown;
  isAbridged: boolean;
}

interface Block {
  language: 'sh' | 'js';
  /** The text since the block before. */
  before: string;
  code: string;
  /** What is documented as its output. */
  shows?: Shown;
  line: number;
}

function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let end = 0;
  for (const fence of text(page).matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)) {
    const before = text(page).slice(end, fence.index);
    const [, language, code] = fence as unknown as [string, string, string];
    end = fence.index + fence[0].length;
    const line = text(page).slice(0, fence.index).split('\n').length;
    // What needs the package is run where it is installed: elements-package.spec.
    if (language === 'js' && code.includes("'@assent/elements")) continue;
    if (language === 'sh' || language === 'js') blocks.push({ language, before, code, line });
    if (language !== 'json') continue;
    const last = blocks.at(-1);
    if (!last || last.shows)
      throw new Error(`${page}, line ${line}: a json block shows the output of the block in front of it`);
    last.shows = { json: JSON.parse(code), isAbridged: /abridged/i.test(before) };
    if (isTwin(last)) blocks.at(-2)!.shows ??= last.shows;
  }
  return blocks;
}

/** Does the same as the shell block before it. */
const isTwin = ({ language, before }: Block): boolean => language === 'js' && before.trim() === 'In JavaScript:';

const inLanguage = (page: string, language: Block['language']): Block[] =>
  blocksOf(page).filter((block) => block.language === language);

/**
 * Runs the real curl, hands on what it printed, and notes status and error code. Hundreds of calls: each starts as few
 * other programs as it can.
 */
const CURL = `#!/bin/bash
out=$TMPDIR/curl.$$
status=$("$REAL_CURL" --output "$out" --write-out '%{http_code}' "$@") || { code=$?; echo "curl failed: $*" >&2; exit $code; }
code=- named='"code":"([a-z_]*)"'
if [ -s "$out" ]; then
  cat "$out"
  echo
  if [ "$status" -ge 400 ] && [[ $(<"$out") =~ $named ]]; then code=\${BASH_REMATCH[1]}; fi
fi
echo "$status $code" >> "$NOTES"
`;

/**
 * The first `npx assent` of all pages is the real one, which shows that this call works in a checkout; it takes two
 * seconds of processor. The others go to a process where the command is loaded already.
 */
const NPX = `#!/bin/bash
[ "\${1-}" = assent ] || { echo "unexpected: npx $*" >&2; exit 70; }
if [ ! -e "$SPAWNED" ]; then
  touch "$SPAWNED"
  exec "$REAL_NPX" --offline "$@"
fi
shift
answer=$TMPDIR/assent.$$
mkdir "$answer"
code=$({ printf '%s\\0' "$answer" "$PWD" "$#" "$@"; env -0; } | "$REAL_CURL" --silent --show-error --fail-with-body --data-binary @- "$COMMANDER") || { echo "$code" >&2; exit 70; }
if [ -s "$answer/out" ]; then cat "$answer/out"; fi
if [ -s "$answer/err" ]; then cat "$answer/err" >&2; fi
exit "$code"
`;

/** Writes what each block logs into a file of its own: objects as JSON. */
const CAPTURE = `import { appendFileSync, writeFileSync } from 'node:fs';
let file;
globalThis.startBlock = (output) => writeFileSync((file = output), '');
console.log = (...values) =>
  appendFileSync(file, values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' ') + '\\n');
`;

let commander: ChildProcess;
let commanderUrl: string;
let world: World;
/** There from the first call of `npx assent` on. */
let spawned: string;
beforeAll(async () => {
  spawned = join(mkdtempSync(join(tmpdir(), 'assent-docs-')), 'spawned');
  commander = spawn(process.execPath, [join(ROOT, 'test/support/commander.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(commander.stdout!, 'data')) as [Buffer];
  commanderUrl = line.toString().trim();
  // With a Postgres of its own, as a reader has it who has just started.
  world = await startWorld({ bundled: true });
});
afterAll(async () => {
  commander?.stdin!.end();
  const wasReal = existsSync(spawned);
  rmSync(dirname(spawned), { recursive: true, force: true });
  await world?.stop();
  expect(wasReal).toBe(true);
});

interface Ran {
  output: string;
  answers: { status: number; code: string }[];
}

const onPath = (name: string): string =>
  (process.env['PATH'] ?? '')
    .split(':')
    .map((path) => join(path, name))
    .find((path) => existsSync(path)) ?? name;

/** Runs a page in a folder of its own; answers what each block printed. Rejects at the first command that fails. */
async function run(page: string): Promise<Ran[]> {
  const blocks = blocksOf(page);
  const folder = mkdtempSync(join(tmpdir(), 'assent-docs-'));
  const checkout = join(folder, 'checkout');
  for (const name of ['checkout', 'bin', 'home', 'tmp', 'said']) mkdirSync(join(folder, name));
  for (const name of ['apps', 'docs', 'dist', 'node_modules', 'package.json'])
    symlinkSync(join(ROOT, name), join(checkout, name));
  symlinkSync(world.dataFolder, join(checkout, 'data'));
  // Modules look for packages beside themselves.
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const looksLike = readdirSync(checkout);
  for (const [name, program] of Object.entries({ curl: CURL, npx: NPX })) {
    writeFileSync(join(folder, 'bin', name), program);
    chmodSync(join(folder, 'bin', name), 0o755);
  }
  const said = join(folder, 'said');
  const commands = blocks.flatMap(({ language, code }, index) =>
    language === 'sh'
      ? [`export NOTES=${said}/notes.${index}; : > "$NOTES"; exec > ${said}/output.${index}`, code]
      : [],
  );
  writeFileSync(join(folder, 'script'), ['set -euo pipefail', ...commands].join('\n'));
  const modules = blocks.flatMap(({ language, code }, index) =>
    language === 'js' ? [`startBlock('${said}/output.${index}');`, code] : [],
  );
  writeFileSync(join(folder, 'capture.mjs'), CAPTURE);
  writeFileSync(join(folder, 'samples.mjs'), modules.join('\n'));
  const env = {
    PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
    HOME: join(folder, 'home'),
    TMPDIR: join(folder, 'tmp'),
    ASSENT_DATA: './data',
    REAL_CURL: onPath('curl'),
    REAL_NPX: onPath('npx'),
    SPAWNED: spawned,
    COMMANDER: commanderUrl,
  };
  const read = (name: string): string => (existsSync(join(said, name)) ? readFileSync(join(said, name), 'utf8') : '');
  try {
    const samples = [process.execPath, '--import', join(folder, 'capture.mjs'), join(folder, 'samples.mjs')];
    for (const [program, ...args] of [['bash', join(folder, 'script')], ...(modules.length > 0 ? [samples] : [])]) {
      const { code, errors } = await ended(spawn(program!, args, { cwd: checkout, env }));
      if (code === 0) continue;
      const reached = readdirSync(said)
        .map((name) => Number(/^output\.(\d+)$/.exec(name)?.[1] ?? -1))
        .reduce((a, b) => Math.max(a, b), 0);
      throw new Error(
        `${page}, block in line ${blocks[reached]?.line}: exit code ${code}\n${errors}\n${read(`output.${reached}`)}`,
      );
    }
    expect({ page, left: readdirSync(checkout).filter((name) => !looksLike.includes(name)) }).toEqual({
      page,
      left: [],
    });
    return blocks.map((_, index) => ({
      output: read(`output.${index}`),
      answers: read(`notes.${index}`)
        .split('\n')
        .filter(Boolean)
        .map((line) => ({ status: Number(line.split(' ')[0]), code: line.split(' ')[1]! })),
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function ended(child: ChildProcess): Promise<{ code: number | null; errors: string }> {
  let errors = '';
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
  return new Promise((done, fail) => child.on('error', fail).on('close', (code) => done({ code, errors })));
}

const ID = /^([a-z]{3})_[0-9A-Za-z]{12,26}$/;
const kindOf = (value: string): string =>
  ID.exec(value)?.[1] ??
  (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)
    ? 'time'
    : /^sha256:[0-9a-f]{64}$/.test(value)
      ? 'hash'
      : /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value)
        ? 'uuid'
        : value.replace(/^https?:\/\/[^/]+/, 'url'));

/**
 * What is shown must be there, and be the same but for ids, times and hashes. What is there must be shown, unless the
 * sample is abridged.
 */
function differences(shown: unknown, printed: unknown, isAbridged: boolean, path = ''): string[] {
  if (shown === '…') return [];
  if (typeof shown === 'string')
    return typeof printed === 'string' && kindOf(shown) === kindOf(printed)
      ? []
      : [`${path}: shown ${shown}, printed ${JSON.stringify(printed)}`];
  if (typeof shown !== 'object' || shown === null)
    return shown === printed ? [] : [`${path}: shown ${JSON.stringify(shown)}, printed ${JSON.stringify(printed)}`];
  if (typeof printed !== 'object' || printed === null)
    return [`${path}: shown ${JSON.stringify(shown)}, printed ${JSON.stringify(printed)}`];
  const concealed = isAbridged ? [] : Object.entries(printed).filter(([key]) => !Object.hasOwn(shown, key));
  return [
    ...concealed.map(([key, value]) => `${path}.${key}: printed ${JSON.stringify(value)}, not shown`),
    ...Object.entries(shown).flatMap(([key, value]) =>
      differences(value, (printed as Record<string, unknown>)[key], isAbridged, `${path}.${key}`),
    ),
  ];
}

it('notices what a sample says wrongly, and what it leaves out without saying so', () => {
  const printed = { state: 'GRANTED', id: 'rec_01M81BJW1YDKWTQ7X5X8AKNMTD', list: [{ n: 1 }, { n: 2 }] };
  const found = (shown: unknown, isAbridged: boolean): number => differences(shown, printed, isAbridged).length;
  expect(found({ ...printed, id: 'rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S' }, false)).toBe(0);
  expect(found({ state: 'GRANTED', list: [{ n: 1 }] }, true)).toBe(0);
  expect(found({ state: 'GRANTED', list: [{ n: 1 }] }, false)).toBe(2);
  for (const lie of [
    { state: 'DENIED' },
    { id: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S' },
    { list: [{ n: 2 }] },
    { more: null },
  ])
    expect(found({ ...printed, ...lie }, true)).toBe(1);
});

const queriesOf = (page: string): string[] =>
  [...text(page).matchAll(/^```sql\n([\s\S]*?)^```$/gm)].map(([, query]) => query!);

describe.each(PAGES.filter((page) => blocksOf(page).length > 0))('%s', (page) => {
  it('does what it says', async () => {
    const ran = await run(page);
    const found: string[] = [];
    for (const [index, { before, code: commands, shows, line }] of blocksOf(page).entries()) {
      const { output, answers } = ran[index]!;
      for (const { status, code } of answers)
        if (status >= 400 && !`${before}${commands}`.includes(code))
          throw new Error(`${page}, block in line ${line}: answered ${status} ${code}\n${output}`);
      if (shows === undefined) continue;
      const lines = output.trim().split('\n');
      const printed: unknown = JSON.parse(/^[[{]$/.test(lines[0]!) ? output : lines.at(-1)!);
      found.push(...differences(shows.json, printed, shows.isAbridged).map((each) => `block in line ${line}, ${each}`));
    }
    expect(found).toEqual([]);
    await world.caughtUp();
    const database = new pg.Client({ connectionString: bundledPostgresUrl(world.dataFolder) });
    await database.connect();
    try {
      for (const query of queriesOf(page))
        expect({ page, query, rows: (await database.query(query)).rowCount }).not.toMatchObject({ rows: 0 });
    } finally {
      await database.end();
    }
  });
});

describe.each(PAGES.filter((page) => page.startsWith('docs/')))('the commands of %s', (page) => {
  it('show faults of curl and no progress, and call assent by npx', () => {
    const code = inLanguage(page, 'sh').map((block) => block.code);
    const lines = code.join('\n').split('\n');
    expect(lines.filter((line) => /\bcurl (?!-sS)/.test(line))).toEqual([]);
    expect(lines.filter((line) => /(^|[ (|])(?<!npx )assent /.test(line))).toEqual([]);
  });
});

/** People whom the commands of a page name. Controllers of purposes are none of them. */
const peopleOf = (page: string): string[] => {
  const code = [...inLanguage(page, 'sh'), ...inLanguage(page, 'js')].map((block) => block.code).join('\n');
  const named = decodeURIComponent(code.replace(/%(?![0-9A-F]{2})/g, '%25')).toLowerCase();
  return [
    ...new Set(
      (named.match(/[\w.+-]+@[\w-]*\.?example(\.\w+)?|user_id:[\w-]+/g) ?? []).filter(
        (each) => !/^(privacy|dpo)@/.test(each),
      ),
    ),
  ];
};

it('names each person on one page only, so that pages can be followed in any order', () => {
  const pages = new Map<string, string[]>();
  for (const page of PAGES)
    for (const person of peopleOf(page)) pages.set(person, [...(pages.get(person) ?? []), page]);
  expect(pages.size).toBeGreaterThan(5);
  expect([...pages].filter(([, on]) => on.length > 1)).toEqual([]);
});

/** As GitHub makes them. */
const anchorsOf = (page: string): string[] =>
  [
    ...text(page)
      .replace(/^```[\s\S]*?^```$/gm, '')
      .matchAll(/^#+ (.+)$/gm),
  ].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

it('has no link that leads nowhere', () => {
  const broken = PAGES.flatMap((page) =>
    [
      ...text(page)
        .replace(/^```[\s\S]*?^```$/gm, '')
        .matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g),
    ]
      .map(([, link, attribute]) => (link ?? attribute)!)
      .filter((link) => !/^https?:|^mailto:/.test(link))
      .filter((link) => {
        const [path, anchor] = link.split('#') as [string, string | undefined];
        const target = path === '' ? page : relative(ROOT, resolve(ROOT, dirname(page), path));
        if (!existsSync(join(ROOT, target))) return true;
        return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
      })
      .map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

it('leads to every page from the index', () => {
  const index = text('docs/README.md');
  expect(
    PAGES.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md').filter(
      (page) => !index.includes(`](${relative('docs', page)})`),
    ),
  ).toEqual([]);
});

it('lists every setting as the service reads it', () => {
  const rows = [...text('docs/operating/settings.md').matchAll(/^\| `([A-Z_]+)` \| (?:`([^`]*)`)? ?\| (.+) \|$/gm)].map(
    ([, name, value, meaning]) => ({ name, default: value ?? '', meaning }),
  );
  expect(rows).toEqual(configHelp);
});
