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
import { configHelp } from '../../libs/platform/config/settings.js';
import { startWorld, type World } from '../support/world.js';

/*
 * The documentation is tried. Blocks fenced as `sh` run in order, one shell per file, in a folder that looks like a
 * checkout beside a running service. A `json` block right after one is an excerpt of what it printed; "…" stands for
 * anything. An answer with an error status is allowed where the text in front of the block, or the block itself, names its code.
 * `sql` blocks run against its database. What must not run is fenced as `text`.
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

interface Block {
  /** The text since the block before. */
  before: string;
  commands: string;
  /** What is documented as its output. */
  shows: unknown;
  line: number;
}

function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let end = 0;
  for (const fence of text(page).matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)) {
    const before = text(page).slice(end, fence.index);
    end = fence.index + fence[0].length;
    if (fence[1] === 'sh')
      blocks.push({
        before,
        commands: fence[2]!,
        shows: undefined,
        line: text(page).slice(0, fence.index).split('\n').length,
      });
    if (fence[1] === 'json') {
      const last = blocks.at(-1);
      if (!last || last.shows !== undefined)
        throw new Error(`${page}: a json block shows the output of the sh block in front of it`);
      last.shows = JSON.parse(fence[2]!);
    }
  }
  return blocks;
}

/** Runs the real curl, hands on what it printed, and notes status and error code. */
const CURL = `#!/bin/sh
out=$(mktemp)
status=$("$REAL_CURL" --silent --show-error --output "$out.body" --write-out '%{http_code}' "$@") || { code=$?; echo "curl failed: $*" >&2; exit $code; }
[ -s "$out.body" ] && cat "$out.body" && echo
code=$(sed -n 's/.*"code":"\\([a-z_]*\\)".*/\\1/p' "$out.body" 2>/dev/null | head -1)
echo "$status \${code:--}" >> "$NOTES"
rm -f "$out" "$out.body"
`;

/**
 * Runs the real node; calls of the \`assent\` command go to a process where it is loaded already, but for the first of
 * each page, which shows that the way the page calls it works.
 */
const NODE = `#!/bin/bash
case "\${1-}" in */assent.mjs|*/.bin/assent) if [ -e "$NOTES_OF/spawned" ]; then
  shift
  answer=$(mktemp -d)
  code=$({ printf '%s\\0' "$answer" "$PWD" "$#" "$@"; env -0; } | "$REAL_CURL" --silent --show-error --fail-with-body --data-binary @- "$COMMANDER") || { echo "$code" >&2; exit 70; }
  cat "$answer/out"
  cat "$answer/err" >&2
  rm -r "$answer"
  exit "$code"
fi
touch "$NOTES_OF/spawned" ;;
esac
exec "$REAL_NODE" "$@"
`;

let commander: ChildProcess;
let commanderUrl: string;
beforeAll(async () => {
  commander = spawn(process.execPath, [join(ROOT, 'test/support/commander.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(commander.stdout!, 'data')) as [Buffer];
  commanderUrl = line.toString().trim();
});
afterAll(() => void commander?.stdin!.end());

interface Ran {
  output: string;
  answers: { status: number; code: string }[];
}

/** One shell for the whole page; answers what each block printed. Rejects at the first command that fails. */
function run(page: string, world: World): Promise<Ran[]> {
  const blocks = blocksOf(page);
  const folder = mkdtempSync(join(tmpdir(), 'assent-docs-'));
  for (const name of ['apps', 'docs', 'dist', 'node_modules', 'package.json'])
    symlinkSync(join(ROOT, name), join(folder, name));
  symlinkSync(world.dataFolder, join(folder, 'data'));
  mkdirSync(join(folder, 'bin'));
  for (const [name, program] of Object.entries({ curl: CURL, node: NODE })) {
    writeFileSync(join(folder, 'bin', name), program);
    chmodSync(join(folder, 'bin', name), 0o755);
  }
  const script = [
    'set -euo pipefail',
    ...blocks.flatMap(({ commands }, index) => [
      `export NOTES=$PWD/notes.${index}; : > "$NOTES"; exec > output.${index}`,
      commands,
    ]),
  ].join('\n');
  writeFileSync(join(folder, 'script'), script);
  const real = (process.env['PATH'] ?? '')
    .split(':')
    .map((path) => join(path, 'curl'))
    .find((path) => existsSync(path));
  return new Promise((done, fail) => {
    const env = {
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      HOME: folder,
      TMPDIR: folder,
      ASSENT_DATA: './data',
      ...(world.databaseUrl && { DATABASE_URL: world.databaseUrl }),
      REAL_CURL: real ?? 'curl',
      REAL_NODE: process.execPath,
      NOTES_OF: folder,
      COMMANDER: commanderUrl,
    };
    const child = spawn('bash', ['script'], { cwd: folder, env });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
    child.on('error', fail).on('close', (code) => {
      const reached = readdirSync(folder).filter((name) => name.startsWith('output.')).length;
      const read = (name: string): string =>
        existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
      const ran = blocks.map((_, index) => ({
        output: read(`output.${index}`),
        answers: read(`notes.${index}`)
          .split('\n')
          .filter(Boolean)
          .map((line) => ({ status: Number(line.split(' ')[0]), code: line.split(' ')[1]! })),
      }));
      rmSync(folder, { recursive: true, force: true });
      if (code === 0) done(ran);
      else
        fail(
          new Error(
            `${page}, block in line ${blocks[reached - 1]?.line}: exit code ${code}\n${said}\n${ran[reached - 1]?.output ?? ''}`,
          ),
        );
    });
  });
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

/** Every member that is shown must be there, and be the same but for ids, times and hashes. */
function differences(shown: unknown, printed: unknown, path = ''): string[] {
  if (shown === '…') return [];
  if (typeof shown === 'string')
    return typeof printed === 'string' && kindOf(shown) === kindOf(printed)
      ? []
      : [`${path}: shown ${shown}, printed ${JSON.stringify(printed)}`];
  if (typeof shown !== 'object' || shown === null)
    return shown === printed ? [] : [`${path}: shown ${JSON.stringify(shown)}, printed ${JSON.stringify(printed)}`];
  if (typeof printed !== 'object' || printed === null)
    return [`${path}: shown ${JSON.stringify(shown)}, printed ${JSON.stringify(printed)}`];
  return Object.entries(shown).flatMap(([key, value]) =>
    differences(value, (printed as Record<string, unknown>)[key], `${path}.${key}`),
  );
}

const queriesOf = (page: string): string[] =>
  [...text(page).matchAll(/^```sql\n([\s\S]*?)^```$/gm)].map(([, query]) => query!);

describe.each(PAGES.filter((page) => blocksOf(page).length > 0))('%s', (page) => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ own: true });
  });
  afterAll(() => world?.stop());

  it('does what it says', async () => {
    const ran = await run(page, world);
    for (const [index, { before, commands, shows, line }] of blocksOf(page).entries()) {
      const { output, answers } = ran[index]!;
      for (const { status, code } of answers)
        if (status >= 400 && !`${before}${commands}`.includes(code))
          throw new Error(`${page}, block in line ${line}: answered ${status} ${code}\n${output}`);
      if (shows === undefined) continue;
      const lines = output.trim().split('\n');
      const printed: unknown = JSON.parse(/^[[{]$/.test(lines[0]!) ? output : lines.at(-1)!);
      expect({ page, line, differences: differences(shows, printed) }).toEqual({ page, line, differences: [] });
    }
    await world.caughtUp();
    const database = new pg.Client({ connectionString: world.databaseUrl! });
    await database.connect();
    try {
      for (const query of queriesOf(page))
        expect({ page, query, rows: (await database.query(query)).rowCount }).not.toMatchObject({ rows: 0 });
    } finally {
      await database.end();
    }
  });
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
  const rows = [...text('docs/operating.md').matchAll(/^\| `([A-Z_]+)` \| (?:`([^`]*)`)? ?\| (.+) \|$/gm)].map(
    ([, name, value, meaning]) => ({ name, default: value ?? '', meaning }),
  );
  expect(rows).toEqual(configHelp);
});
