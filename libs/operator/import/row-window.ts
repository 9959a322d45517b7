import type { FileRow } from './reading/file-rows.js';

/** A row on its way. */
export interface PendingRow {
  /** Place among all rows of all files, from 0. */
  place: number;
  file: string;
  row: FileRow;
  /** Records of it that are not settled. */
  open: number;
  /** Bytes that it and its records hold, nearly: one row may become many records. */
  size: number;
  /** Why it is rejected, by each of its records that is. */
  faults: { code: string; message: string }[];
}

/**
 * Rows on their way, at most so many, so that memory does not grow with the file. They leave in the order of the file: all
 * rows before `passed` are done, which is what an import can go on from.
 */
export class RowWindow {
  /** Rows that are done, counted from the beginning of the files. */
  passed: number;
  private rows: PendingRow[] = [];
  private head = 0;
  private size = 0;
  private wake: (() => void) | null = null;
  /** Set once no row leaves any more. */
  failure: Error | null = null;

  constructor(
    private readonly most: { rows: number; bytes: number },
    private readonly leave: (row: PendingRow) => void,
    passed = 0,
  ) {
    this.passed = passed;
  }

  get isFull(): boolean {
    return this.rows.length - this.head >= this.most.rows || this.size >= this.most.bytes;
  }

  add(row: PendingRow): void {
    this.rows.push(row);
    this.size += row.size;
  }

  /** To be called when a row that was added holds more. */
  grow(row: PendingRow, bytes: number): void {
    row.size += bytes;
    this.size += bytes;
  }

  /** To be called when records of a row were settled. */
  advance(): void {
    for (; this.head < this.rows.length && this.rows[this.head]!.open === 0; this.head++) {
      const row = this.rows[this.head]!;
      this.size -= row.size;
      this.leave(row);
      this.passed = row.place + 1;
    }
    if (this.head > 1_000) {
      this.rows = this.rows.slice(this.head);
      this.head = 0;
    }
    this.wake?.();
  }

  stop(failure: Error): void {
    this.failure ??= failure;
    this.wake?.();
  }

  /** Resolves when a row can be added; rejects with the failure after which no row leaves. */
  async room(): Promise<void> {
    while (this.isFull && !this.failure) await new Promise<void>((resolve) => (this.wake = resolve));
    if (this.failure) throw this.failure;
  }
}
