import { readable, ROW_LENGTH_MAX, TOO_LONG, type FileRow, type RowReader } from './file-rows.js';

const DELIMITERS = [',', ';', '\t', '|'] as const;
/** Excel writes it above the header. */
const SEP = /^sep=(.)$/i;

const QUOTE_OPEN = 'a quotation mark is opened and never closed: close it, or double it where it belongs to the text';
const QUOTE_INSIDE = 'text stands behind a closing quotation mark: double the marks that belong to the text';

/** A record from `start` on; null: it goes on behind the text that is there. */
type Scanned = { end: number; next: number; cells: string[] } | { fault: string } | null;

export interface CsvOptions {
  /** Left out: found in the header line, one of comma, semicolon, tab, bar. */
  delimiter?: string | undefined;
  /** Names of the columns of a file that has no header line. */
  header?: readonly string[] | undefined;
}

/**
 * Rows of a CSV by RFC 4180, with line breaks inside quotation marks. A row that cannot be read costs its own first line
 * and no more: the next line is a row again. A library that is known for CSV was tried; a quotation mark that is never
 * closed made it drop all rows behind, without a way to go on.
 */
export class CsvRows implements RowReader {
  header: readonly string[] | null;
  delimiter: string | null;
  private text = '';
  private line = 1;
  private ended = false;

  constructor({ delimiter, header }: CsvOptions = {}) {
    this.delimiter = delimiter ?? null;
    this.header = header ?? null;
  }

  rows(part: string): FileRow[] {
    this.text += part;
    const found: FileRow[] = [];
    let at = 0;
    for (let taken = this.take(at); taken !== null; taken = this.take(at)) {
      at = taken.next;
      if (taken.row) found.push(taken.row);
    }
    this.text = this.text.slice(at);
    return found;
  }

  rest(): FileRow[] {
    this.ended = true;
    return this.rows('');
  }

  /** The row at a place, or null where more text is needed. Of a header and of an empty line there is no row. */
  private take(start: number): { row?: FileRow; next: number } | null {
    if (start >= this.text.length) return null;
    const lineEnd = this.text.indexOf('\n', start);
    const line = this.line;
    if (lineEnd === -1 && !this.ended && this.text.length - start < ROW_LENGTH_MAX) return null;
    const first = this.upTo(start, lineEnd);
    if (first.raw === '') return this.passed(first.next, 1);
    if (first.raw.length > ROW_LENGTH_MAX)
      return { row: this.bad(line, first.raw.slice(0, ROW_LENGTH_MAX), TOO_LONG), ...this.passed(first.next, 1) };
    if (this.delimiter === null) {
      const said = SEP.exec(first.raw);
      this.delimiter = said?.[1] ?? delimiterOf(first.raw);
      if (said) return this.passed(first.next, 1);
    }
    const scanned = this.scan(start, this.delimiter);
    if (scanned === null) return null;
    const fault = 'fault' in scanned ? scanned.fault : this.miscounted(scanned.cells);
    if (fault !== null || 'fault' in scanned)
      return { row: this.bad(line, first.raw, fault!), ...this.passed(first.next, 1) };
    const raw = this.text.slice(start, scanned.end);
    const passed = this.passed(scanned.next, 1 + linesIn(raw));
    if (this.header === null) {
      this.header = scanned.cells.map((name) => name.trim());
      return passed;
    }
    return { row: readable({ line, raw, content: scanned.cells }), ...passed };
  }

  private passed(next: number, lines: number): { next: number } {
    this.line += lines;
    return { next };
  }

  private bad = (line: number, raw: string, fault: string): FileRow => ({ line, raw, content: null, fault });

  /** The text up to a line end, without it; and where the next line begins. */
  private upTo(start: number, lineEnd: number): { raw: string; end: number; next: number } {
    const end = lineEnd === -1 ? this.text.length : lineEnd;
    const bare = end > start && this.text[end - 1] === '\r' ? end - 1 : end;
    return { raw: this.text.slice(start, bare), end: bare, next: lineEnd === -1 ? end : lineEnd + 1 };
  }

  private scan(start: number, delimiter: string): Scanned {
    const { text } = this;
    const cells: string[] = [];
    for (let at = start; ;) {
      if (text[at] !== '"') {
        const lineEnd = text.indexOf('\n', at);
        if (lineEnd === -1 && !this.ended) return null;
        const line = this.upTo(at, lineEnd);
        const cut = text.indexOf(delimiter, at);
        if (cut === -1 || cut >= line.end) return { end: line.end, next: line.next, cells: [...cells, line.raw] };
        cells.push(text.slice(at, cut));
        at = cut + 1;
        continue;
      }
      const close = this.closing(at + 1);
      if (close === -1) {
        if (this.ended || text.length - start > ROW_LENGTH_MAX) return { fault: QUOTE_OPEN };
        return null;
      }
      cells.push(text.slice(at + 1, close).replaceAll('""', '"'));
      if (text[close + 1] === delimiter) {
        at = close + 2;
        continue;
      }
      const { raw, next } = this.upTo(close + 1, text.indexOf('\n', close + 1));
      return raw === '' ? { end: close + 1, next, cells } : { fault: QUOTE_INSIDE };
    }
  }

  /** The place of the closing mark; -1: it is not there, or what follows it is not there yet. */
  private closing(from: number): number {
    const { text } = this;
    for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2)) {
      if (text[at + 1] === '"') continue;
      const isKnown = this.ended || (text[at + 1] === '\r' ? at + 2 : at + 1) < text.length;
      return isKnown ? at : -1;
    }
    return -1;
  }

  /** Cells behind the last column count where something stands in them. */
  private miscounted(cells: string[]): string | null {
    const columns = this.header?.length;
    if (columns === undefined || cells.length === columns) return null;
    if (cells.length > columns && cells.slice(columns).every((cell) => cell === '')) return null;
    return `has ${cells.length} cells, and the header ${columns}: put cells with a delimiter or a line break into quotation marks`;
  }
}

const linesIn = (text: string): number => {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
};

/** The one that stands most often in the header line, outside of quotation marks. */
function delimiterOf(header: string): string {
  const bare = header.replace(/"[^"]*"/g, '');
  const often = (each: string): number => bare.split(each).length;
  return DELIMITERS.reduce((best, each) => (often(each) > often(best) ? each : best));
}

/** A row as CSV with these delimiters. */
export const csvRow = (cells: readonly string[], delimiter: string): string =>
  cells
    .map((cell) => (/["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(delimiter);
