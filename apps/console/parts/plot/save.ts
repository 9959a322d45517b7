import { isShown, type Figure, type PlotTable } from './figures.js';

/**
 * The table as CSV (RFC 4180): plain numbers, shares from 0 to 1, `hidden` where a count is hidden, and nothing where there
 * is none. Rows are named by `key`, such as a date that programs read.
 */
export function csvOf({ rowsAre, columns, rows }: PlotTable, remarks: string): string {
  const hasRemarks = rows.some(({ remark }) => remark !== undefined);
  const lines = [
    [rowsAre, ...columns.map(({ title }) => title), ...(hasRemarks ? [remarks] : [])],
    ...rows.map(({ key, figures, remark = '' }) => [key, ...figures.map(written), ...(hasRemarks ? [remark] : [])]),
  ];
  return lines.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');
}

const written = (figure: Figure): string => (isShown(figure) ? String(figure) : figure === 'hidden' ? 'hidden' : '');

/** A text that a spreadsheet would run as a formula begins with an apostrophe. */
function cellOf(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Saves a text as a file. Spreadsheets read UTF-8 by the mark at its start. */
export function saveCsv(name: string, csv: string): void {
  const url = URL.createObjectURL(new Blob([`\uFEFF${csv}`], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name}.csv`;
  link.click();
  // The browser has taken the content when the press is over.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
