/** Beginnings that a spreadsheet reads as a formula or as the end of a cell (OWASP, "CSV injection"). */
const FORMULA = /^[=+\-@\t\r]/;

/** One cell by RFC 4180. An apostrophe in front keeps a spreadsheet from calculating a text. */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`;
