import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { keep } from '../support/keeper.mjs';
import { freePort } from '../support/free-port.js';
import { ready } from '../support/ready.js';
import { buildScratchRelease, SERVICE_BEFORE } from '../support/scratch-release.js';
import { startWriteDatabase, type WriteDatabase } from '../support/write-database.js';
import { NODE_OPTIONS } from '../support/node-options.mjs';

/*
 * The worked example of docs/contributing.md is tried: its files are put into a copy of the source, which is compiled,
 * started and called.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const GUIDE = readFileSync(join(ROOT, 'docs/contributing.md'), 'utf8');
const PROJECTED_WITHIN_MS = 120_000;

/** The files of the guide: a path in backquotes on a line of its own, and the block after it. */
const FILES = [...GUIDE.matchAll(/^`(libs\/notes\/[\w/.-]+)`\n\n```ts\n([\s\S]*?)^```$/gm)].map(
  ([, path, content]) => [path!, content!] as const,
);
/** What it adds to the list of contexts. */
const [IMPORT, ENTRY] = /^```diff\n\+(.*)\n\+(.*)\n```$/m.exec(GUIDE)!.slice(1) as [string, string];

let folder: string;
let database: WriteDatabase;
let keeper: ReturnType<typeof keep>;
let end: () => Promise<void>;
let url: string;
let keys: { publicKey: string; secretKey: string };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assent-contributing-'));
  keeper = keep(folder);
  await buildScratchRelease(folder, { files: FILES, contextImport: IMPORT, contextEntry: ENTRY });
  // The image has only the programs: they need nothing of what the compiler wrote.
  rmSync(join(folder, 'dist/libs'), { recursive: true });
  database = await startWriteDatabase();
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [...NODE_OPTIONS, 'dist/apps/standalone/main.js'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      ASSENT_DATA: join(folder, 'data'),
      ASSENT_DEMO: 'empty',
      DATABASE_URL: database.url,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  keeper.watch(child.pid ?? null);
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => said.push(text));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  end = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  await ready(child, url, () => said.join(''));
  keys = JSON.parse(readFileSync(join(folder, 'data/demo.json'), 'utf8')) as typeof keys;
}, 240_000);

afterAll(async () => {
  await end?.();
  await database?.stop();
  await keeper?.clean();
});

const add = async (key: string, body: unknown): Promise<{ status: number; json: Record<string, unknown> }> => {
  const answer = await fetch(`${url}/v1/notes`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
};

it('the guide shows a whole context', () =>
  expect(FILES.map(([path]) => path)).toEqual([
    'libs/notes/events.ts',
    'libs/notes/state.ts',
    'libs/notes/decide.ts',
    'libs/notes/dto.ts',
    'libs/notes/operations.ts',
    'libs/notes/write/add-note.handler.ts',
    'libs/notes/write/controller.ts',
    'libs/notes/write/module.ts',
    'libs/notes/read/projection.ts',
    'libs/notes/context.ts',
  ]));

it('its operation is served, guarded, validated and documented', async () => {
  const first = await add(keys.secretKey, { text: 'Banner replaced.' });
  expect(first).toEqual({ status: 201, json: { number: 1, text: 'Banner replaced.', addedAt: expect.any(String) } });
  expect(await add(keys.secretKey, { text: 'Banner replaced.' })).toEqual(first);
  expect((await add(keys.secretKey, { text: 'Banner is back.' })).json['number']).toBe(2);
  expect((await add(keys.publicKey, { text: 'No.' })).json['code']).toBe('secret_key_required');
  expect((await add(keys.secretKey, { note: 'No.' })).json['code']).toBe('validation_failed');
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Record<string, object> };
  expect(document.paths['/v1/notes']).toHaveProperty('post.operationId', 'addNote');
});

it('its read model follows the log', async () => {
  for (const deadline = Date.now() + PROJECTED_WITHIN_MS; ; await pause(20)) {
    const [row] = await database.database.run<{ scope: string; notes: bigint; last: { text: string } }>(
      'select scope, notes, last from read.notes',
    );
    if (row?.notes === 2n) return expect([row.scope, row.last.text]).toEqual(['demo.test', 'Banner is back.']);
    if (Date.now() > deadline) throw new Error(`the row did not come: ${JSON.stringify(row?.last)}`);
  }
});

it('the build put its programs in the place of others, which whoever was reading them still has whole', () => {
  const read = (path: string) => readFileSync(path, 'utf8');
  expect(read(join(folder, SERVICE_BEFORE))).toBe(read(join(ROOT, 'dist/apps/service.js')));
  expect(read(join(folder, 'dist/apps/service.js'))).toContain('class NotesController');
});
