/** Most characters of one row. Of a longer one only the beginning is kept, in the file of rejected rows too. */
export const ROW_LENGTH_MAX = 1_048_576;

/** Columns that a file of rejected rows has besides; an import leaves them out. */
export const REJECT_COLUMNS = ['import_line', 'import_error'] as const;

/** A row of a file. */
export interface FileRow {
  /** Of its first character, from 1. */
  line: number;
  /** As it came, without the line end. */
  raw: string;
  /** Cells in the order of the header, or an object of JSON Lines; null: it cannot be read. */
  content: readonly string[] | Readonly<Record<string, unknown>> | null;
  /** Why it cannot be read, and what to do. */
  fault?: string;
}

/** Makes rows of a text that comes part by part. */
export interface RowReader {
  /** Names of the columns of a CSV, once they are known; null for JSON Lines. */
  readonly header: readonly string[] | null;
  /** The rows that are complete with this part. */
  rows(part: string): FileRow[];
  /** What is left at the end. */
  rest(): FileRow[];
}

/** What decoders write for bytes that an encoding does not have. */
const UNREADABLE = '\ufffd';

export const TOO_LONG = `is longer than ${ROW_LENGTH_MAX.toLocaleString('en')} characters: look whether a quotation mark is missing before it`;

/** The same row with a fault where bytes of it could not be read. */
export const readable = (row: FileRow): FileRow =>
  row.fault === undefined && row.raw.includes(UNREADABLE)
    ? {
        ...row,
        content: null,
        fault: 'holds bytes that are not of this encoding: name the right one, such as --encoding windows-1252',
      }
    : row;
