import { stripVTControlCharacters, type styleText } from 'node:util';
import Table from 'cli-table3';

export type Format = Parameters<typeof styleText>[0];

/** A text with how it is painted, where there are colours. */
export interface Painted {
  text: string;
  format: Format;
}
export type CellLine = string | number | Painted;
/** The lines of a list in a cell. */
export type Cell = CellLine | CellLine[];

/** Columns of text between two columns of a table. */
const GAP = '  ';
/** A word up to this long is never cut while the table still fits some other way: ids are copied from here. */
const WORD_MAX = 32;

const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: GAP,
};

/**
 * Rows below a head, in at most `width` columns of text: the widest columns are wrapped between words. Where the words
 * alone are too wide, as on a narrow terminal, each row becomes a paragraph of its own.
 */
export function renderedTable(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  width: number,
  paint: (format: Format, text: string) => string,
): string {
  const lines = rows.map((row) => row.map(linesOf));
  const widths = widthsWithin(width - GAP.length * (head.length - 1), head, lines);
  return widths === null ? paragraphs(head, lines, width, paint) : columns(head, lines, widths, paint);
}

function columns(
  head: readonly string[],
  rows: readonly Painted[][][],
  widths: readonly number[],
  paint: (format: Format, text: string) => string,
): string {
  const table = new Table({
    chars: NO_LINES,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    head: head.map((text) => paint('bold', text)),
  });
  for (const row of rows)
    table.push(
      row.map((cell, column) =>
        cell
          .flatMap((line) => wrapped(line.text, widths[column]!).map((text) => painted(line, text, paint)))
          .join('\n'),
      ),
    );
  return table.toString().replace(/ +$/gm, '');
}

/** Empty cells are left out. */
function paragraphs(
  head: readonly string[],
  rows: readonly Painted[][][],
  width: number,
  paint: (format: Format, text: string) => string,
): string {
  const name = Math.max(...head.map((text) => text.length));
  const room = Math.max(width - name - GAP.length, 10);
  const ofCell = (cell: readonly Painted[], column: number): string[] =>
    cell
      .flatMap((line) => wrapped(line.text, room).map((text) => painted(line, text, paint)))
      .filter((text) => text !== '')
      .map((text, i) => `${i === 0 ? paint('bold', head[column]!.padEnd(name)) : ' '.repeat(name)}${GAP}${text}`);
  return rows.map((row) => row.flatMap(ofCell).join('\n')).join('\n\n');
}

/** The widths of the columns; null where words would have to be cut. */
function widthsWithin(room: number, head: readonly string[], rows: readonly Painted[][][]): number[] | null {
  const widest = (column: number, of: (text: string) => number): number =>
    rows.reduce(
      (most, row) => (row[column] ?? []).reduce((longest, { text }) => Math.max(longest, of(text)), most),
      head[column]!.length,
    );
  const widths = head.map((_, column) => widest(column, widthOf));
  const least = head.map((_, column) =>
    widest(column, (text) => Math.max(0, ...text.split(' ').map((word) => Math.min(widthOf(word), WORD_MAX)))),
  );
  for (let over = widths.reduce((sum, width) => sum + width, 0) - room; over > 0; over--) {
    let chosen = -1;
    for (const [column, width] of widths.entries())
      if (width > least[column]! && (chosen < 0 || width > widths[chosen]!)) chosen = column;
    if (chosen < 0) return null;
    widths[chosen]!--;
  }
  return widths;
}

/** Between words; a word that is too long is cut. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((each) => pieces(each, width))) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

function pieces(word: string, width: number): string[] {
  if (widthOf(word) <= width) return [word];
  const found = [''];
  for (const character of word) {
    if (widthOf(found.at(-1)! + character) > width) found.push('');
    found[found.length - 1] += character;
  }
  return found;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]/u;
const COMBINING = /\p{M}/u;

/** Columns of text on a terminal: letters of East Asia and pictures take two, accents none. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += COMBINING.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

const linesOf = (cell: Cell): Painted[] =>
  [cell]
    .flat()
    .map((line) =>
      typeof line === 'object'
        ? { ...line, text: printable(line.text) }
        : { text: printable(String(line)), format: [] },
    );

const painted = ({ format }: Painted, text: string, paint: (format: Format, text: string) => string): string =>
  text === '' || (Array.isArray(format) && format.length === 0) ? text : paint(format, text);

/** Replaces control characters: text of others must not steer the terminal. */
export const printable = (text: string): string => stripVTControlCharacters(text).replace(/\p{Cc}/gu, ' ');
