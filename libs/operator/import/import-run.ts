import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import type { ItemOutcome, SendRecords } from './batch-sender.js';
import type { FileRow } from './reading/file-rows.js';
import { rowsOf, type FileFormat } from './reading/import-files.js';
import { Lanes } from './lanes.js';
import type { RejectsFile } from './rejects-file.js';
import type { ResumeFile } from './resume-file.js';
import { RowFault } from './mapping/row-fault.js';
import type { ImportRecord } from './mapping/import-record.js';
import type { RecordMaker } from './mapping/row-records.js';
import { RowWindow, type PendingRow } from './row-window.js';
import { Tally } from './tally.js';

export interface ImportJob {
  files: readonly string[];
  format: FileFormat;
  maker: RecordMaker;
  send: SendRecords;
  /** Batches under way at the same time. */
  concurrency: number;
  rejects: RejectsFile | null;
  resume: ResumeFile | null;
  /** Rows that an earlier call did. */
  done: number;
  /** `share`: of all rows that are done, as far as the bytes that were read can tell, from 0 to 1. `rows`: done by this call. */
  onProgress: (share: number, rows: number) => void;
  /** Hears the first records, as they are sent. */
  onRecord?: (record: ImportRecord) => void;
}

/** Rows on their way for each lane: enough that no lane waits, as long as subjects are many. */
const ROWS_PER_LANE = 2_000;
const BYTES_MAX = 33_554_432;

/**
 * Reads the files once, row by row, and sends what the map makes of them. Memory does not grow with the files. Throws
 * where the service does not take it; what was settled until then is noted for a later call.
 */
export async function runImport(job: ImportJob): Promise<Tally> {
  const tally = new Tally();
  const leave = (pending: PendingRow): void => {
    if (pending.faults.length > 0) rejected(job, tally, pending);
  };
  const most = { rows: ROWS_PER_LANE * job.concurrency, bytes: BYTES_MAX };
  const window = new RowWindow(most, leave, job.done);
  const note = (isLast = false): void => job.resume?.save(window.passed, job.rejects?.length ?? 0, isLast);
  const send: SendRecords = async (kind, records) => {
    if (window.failure) throw window.failure;
    try {
      return await job.send(kind, records);
    } catch (error) {
      window.stop(error as Error);
      throw error;
    }
  };
  const lanes = new Lanes(job.concurrency, send);
  const total = job.files.reduce((sum, file) => sum + statSync(file).size, 0);
  let place = 0;
  let read = 0;
  const progress = (): void => {
    const seen = total === 0 ? 1 : read / total;
    job.onProgress((seen * window.passed) / Math.max(place, 1), window.passed - job.done);
  };
  const take = (pending: PendingRow): void => {
    for (const record of recordsIn(pending, job.maker, tally)) {
      pending.open++;
      window.grow(pending, record.bytes);
      job.onRecord?.(record);
      const digest = digestOf(record.subject);
      tally.subjects.add(digest);
      lanes.add(record, digest, (outcome, isRepeated) => {
        settle(pending, record, outcome, isRepeated, tally);
        window.advance();
        note();
        progress();
      });
    }
    // Held until all its records are with a lane, so that it cannot leave before.
    pending.open--;
  };

  const readAll = async (): Promise<void> => {
    for (const file of job.files)
      for await (const row of rowsOf(file, job.format, (bytes) => (read += bytes))) {
        if (place++ < job.done) continue;
        if (window.isFull) {
          // Some lane may hold the oldest row in a batch that is not full.
          lanes.flush();
          await window.room();
        }
        tally.rows++;
        const pending: PendingRow = { place: place - 1, file, row, open: 1, size: row.raw.length, faults: [] };
        window.add(pending);
        take(pending);
        window.advance();
        progress();
      }
  };
  try {
    await readAll().catch((error: unknown) => window.stop(error as Error));
    // Also where it failed: no request is under way when this ends.
    await lanes.settled();
    if (window.failure) throw window.failure;
  } finally {
    window.advance();
    note(true);
    job.rejects?.close();
  }
  return tally;
}

/** None where the row is rejected or left out. */
function recordsIn(pending: PendingRow, maker: RecordMaker, tally: Tally): ImportRecord[] {
  const { content, fault } = pending.row;
  if (content === null) {
    pending.faults.push({ code: 'row_unreadable', message: fault! });
    return [];
  }
  try {
    const records = maker.recordsOf(content);
    if (records.length === 0) tally.skippedRows++;
    return records;
  } catch (error) {
    if (!(error instanceof RowFault)) throw error;
    pending.faults.push({ code: error.code, message: error.message });
    return [];
  }
}

function settle(
  pending: PendingRow,
  record: ImportRecord,
  outcome: ItemOutcome,
  isRepeated: boolean,
  tally: Tally,
): void {
  pending.open--;
  if (isRepeated) tally.repeated++;
  else tally.record(record, outcome);
  const { error } = outcome;
  if (error) pending.faults.push({ code: error.code, message: reasonOf(error) });
}

/** `[3].purpose` of the batch is `purpose` of the record. */
function reasonOf({ message, hint, issues }: NonNullable<ItemOutcome['error']>): string {
  const places = issues.map(({ path, message: what }) => `${path.replace(/^records\[\d+\]\.?/, '')} ${what}`.trim());
  return places.length > 0 ? places.join('; ') : `${message} ${hint}`;
}

function rejected({ files, rejects }: ImportJob, tally: Tally, { row, file, faults }: PendingRow): void {
  const line = files.length === 1 ? String(row.line) : `${file}:${row.line}`;
  tally.rejectedRow(faults, line);
  const messages = new Set(faults.map(({ code, message }) => `${code}: ${message}`));
  rejects?.write(row satisfies FileRow, line, [...messages].join(' | '));
}

/** 48 bits of a digest of a text: spreads subjects over lanes and counts them. */
const digestOf = (text: string): number => createHash('sha256').update(text).digest().readUIntBE(0, 6);
