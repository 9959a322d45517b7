import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Issue } from '../../kernel/index.js';
import type { ItemOutcome, SendRecords } from './batch-sender.js';
import { runImport, type ImportJob } from './import-run.js';
import type { ImportRecord } from './mapping/import-record.js';
import { makerFor } from './mapping/map-source.js';
import type { RecordMaker } from './mapping/row-records.js';
import { RejectsFile } from './rejects-file.js';
import { importDigest, ResumeFile } from './resume-file.js';

let folder: string;
let made = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-import-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HEADER = ['subject', 'purpose', 'decision', 'given_at'];
const CSV = { header: HEADER, delimiter: ',' };
const row = (subject: number, purpose: string, day: number): string =>
  `user_id:${subject},${purpose},GRANTED,2026-01-${String(day).padStart(2, '0')}T00:00:00Z`;
const file = (rows: readonly string[]): string => {
  const path = join(folder, `${made++}.csv`);
  writeFileSync(path, [HEADER.join(','), ...rows, ''].join('\n'));
  return path;
};
const maker = makerFor({ map: null, purposes: new Map(), kind: null, defaults: {} }, HEADER, null) as Exclude<
  ReturnType<typeof makerFor>,
  Issue[]
> satisfies RecordMaker;
const job = (files: string[], send: SendRecords, more: Partial<ImportJob> = {}): ImportJob => ({
  files,
  format: { encoding: null, delimiter: null, header: null },
  maker,
  send,
  concurrency: 3,
  rejects: null,
  resume: null,
  done: 0,
  onProgress: () => undefined,
  ...more,
});
const keyOf = ({ body }: ImportRecord): string => body['idempotencyKey'] as string;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('sends each record once, those of a subject in the order of the file, and no two batches of one at a time', async () => {
  const subjects = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(subjects, async (order) => {
      const rows = order.map((subject, i) => row(subject, `p${i}`, (i % 28) + 1));
      const sent: ImportRecord[] = [];
      const underWay = new Set<string>();
      const send: SendRecords = async (_, records) => {
        const whose = new Set(records.map(({ subject }) => subject));
        for (const subject of whose) expect(underWay.has(subject)).toBe(false);
        for (const subject of whose) underWay.add(subject);
        await turn();
        sent.push(...records);
        for (const subject of whose) underWay.delete(subject);
        return records.map((): ItemOutcome => ({ status: 'RECORDED' }));
      };
      const tally = await runImport(job([file(rows)], send));
      expect([tally.rows, tally.sum('recorded')]).toEqual([rows.length, rows.length]);
      for (const subject of new Set(order)) {
        const own = sent.filter((each) => each.subject === `user_id:${subject}`).map(({ about }) => about);
        expect(own).toEqual(order.flatMap((each, i) => (each === subject ? [`p${i}`] : [])));
      }
    }),
    { numRuns: 30 },
  );
});

it('goes on where it was cut off: every row is settled once, every rejected row written once, in order', async () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => (i % 1_000 === 7 ? `user_id:${i},p` : row(i, 'p', 1)));
  const path = file(rows);
  const rejected = join(folder, 'rejected.csv');
  const id = await importDigest([path], 'options');
  const resume = new ResumeFile(`${rejected}.resume`, id);
  const settled = new Map<string, number>();
  let left = 8;
  const send: SendRecords = async (_, records) => {
    await turn();
    // The connection is lost for good after some batches.
    if (left-- === 0) throw new Error('cut off');
    for (const record of records) settled.set(keyOf(record), (settled.get(keyOf(record)) ?? 0) + 1);
    return records.map((): ItemOutcome => ({ status: 'RECORDED' }));
  };
  let calls = 0;
  for (let done = false; !done && calls < 100; calls++) {
    const from = resume.find();
    expect(from).not.toBe('other');
    const known = from as { rows: number; rejects: number } | null;
    const rejects = new RejectsFile(rejected, CSV, known?.rejects ?? null);
    left = 8;
    done = await runImport(job([path], send, { rejects, resume, done: known?.rows ?? 0 })).then(
      () => true,
      (error: Error) => {
        expect(error.message).toBe('cut off');
        return false;
      },
    );
  }
  expect(calls).toBeGreaterThan(2);
  expect(settled.size).toBe(20_000 - 20);
  const lines = readFileSync(rejected, 'utf8').trim().split('\n');
  expect(lines[0]).toBe(`${HEADER.join(',')},import_line,import_error`);
  expect(lines.slice(1).map((line) => Number(line.split(',')[2]))).toEqual(
    Array.from({ length: 20 }, (_, i) => i * 1_000 + 9),
  );
  expect(readFileSync(resume.path, 'utf8')).not.toContain('user_id');
  resume.remove();
  expect(existsSync(resume.path)).toBe(false);
});

it('does not go on from what another import left', async () => {
  const path = file([row(1, 'p', 1)]);
  const state = join(folder, 'state');
  new ResumeFile(state, await importDigest([path], 'a')).save(3, 0, true);
  expect(new ResumeFile(state, await importDigest([path], 'a')).find()).toMatchObject({ rows: 3 });
  expect(new ResumeFile(state, await importDigest([path], 'b')).find()).toBe('other');
  writeFileSync(path, `${readFileSync(path, 'utf8')}${row(2, 'p', 1)}\n`);
  expect(new ResumeFile(state, await importDigest([path], 'a')).find()).toBe('other');
});

it('counts equal records of a file once, and settles all of their rows', async () => {
  const sent: number[] = [];
  const send: SendRecords = (_, records) => {
    sent.push(records.length);
    return Promise.resolve(
      records.map((): ItemOutcome => ({
        status: 'REJECTED',
        error: { code: 'c', message: 'm', hint: 'h', issues: [] },
      })),
    );
  };
  const tally = await runImport(job([file([row(1, 'p', 1), row(1, 'p', 1)])], send));
  expect([sent, tally.rows, tally.repeated, tally.rejectedRows]).toEqual([[1], 2, 1, 2]);
});
