import { closeSync, existsSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { WrongUsage } from '../cli/failure.js';
import { csvRow } from './reading/csv-rows.js';
import { REJECT_COLUMNS, type FileRow } from './reading/file-rows.js';
import type { InspectedFile } from './reading/import-files.js';

/**
 * Rows that were rejected, as they came, each with its line and why. The file can be mended and imported like the one
 * that the rows are from: an import leaves the two columns out.
 */
export class RejectsFile {
  private file: number | null = null;
  /** Bytes of complete rows. */
  length = 0;

  /** `from`: bytes that stay of an earlier call; null: a new file, which must not be there yet. */
  constructor(
    private readonly path: string,
    private readonly csv: InspectedFile['csv'],
    from: number | null,
  ) {
    if (from === null) {
      if (existsSync(path))
        throw new WrongUsage(
          `${path} exists already; rejected rows never replace another file.`,
          'Name a new file with --rejects, or go on with --resume.',
        );
      return;
    }
    if (from === 0 && !existsSync(path)) return;
    this.file = openSync(path, 'r+', 0o600);
    ftruncateSync(this.file, from);
    this.length = from;
  }

  write({ raw, content }: FileRow, line: string, why: string): void {
    if (this.file === null) this.file = openSync(this.path, 'wx', 0o600);
    if (this.length === 0 && this.csv)
      this.append(csvRow([...this.own(this.csv.header), ...REJECT_COLUMNS], this.csv.delimiter));
    this.append(this.csv ? this.csvLine(raw, content, [line, why]) : jsonLine(raw, content, line, why));
  }

  close(): void {
    if (this.file !== null) closeSync(this.file);
  }

  private append(text: string): void {
    const bytes = Buffer.from(`${text}\n`);
    writeSync(this.file!, bytes, 0, bytes.length, this.length);
    this.length += bytes.length;
  }

  private csvLine(raw: string, content: FileRow['content'], added: readonly string[]): string {
    const { header, delimiter } = this.csv!;
    const cells = content as readonly string[] | null;
    // What cannot be read comes as it is.
    const isWhole = cells === null || this.own(header).length === header.length;
    const row = isWhole ? raw : csvRow(this.own(cells), delimiter);
    return `${row}${delimiter}${csvRow(added, delimiter)}`;
  }

  /** Without the two columns, where the file is one of rejected rows itself. */
  private own(cells: readonly string[]): readonly string[] {
    const { header } = this.csv!;
    return cells.filter((_, i) => !(REJECT_COLUMNS as readonly string[]).includes(header[i] ?? ''));
  }
}

/** What is no object comes as a text under `import_raw`. */
function jsonLine(raw: string, content: FileRow['content'], line: string, why: string): string {
  const [ofLine, ofError] = REJECT_COLUMNS;
  return JSON.stringify({ ...(content ?? { import_raw: raw }), [ofLine]: line, [ofError]: why });
}
