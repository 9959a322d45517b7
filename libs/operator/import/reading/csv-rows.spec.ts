import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { csvRow, CsvRows } from './csv-rows.js';
import { ROW_LENGTH_MAX, type FileRow } from './file-rows.js';

function read(text: string, size = text.length || 1, reader = new CsvRows()): FileRow[] {
  const rows: FileRow[] = [];
  for (let at = 0; at < text.length; at += size)
    for (const row of reader.rows(text.slice(at, at + size))) rows.push(row);
  for (const row of reader.rest()) rows.push(row);
  return rows;
}
const cells = (text: string): unknown[] => read(text).map(({ content, fault }) => content ?? fault);

describe('rows of a CSV', () => {
  it('are what was written, however the text is cut, with line breaks, delimiters and quotation marks in cells', () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', 'é', '"', ',', ';', '\t', '\n', '\r\n', ' ', '\u{1f600}'),
      maxLength: 6,
    });
    const table = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 8 });
    fc.assert(
      fc.property(
        table,
        fc.constantFrom(',', ';', '\t'),
        fc.constantFrom('\n', '\r\n'),
        fc.integer({ min: 1, max: 9 }),
        (rows, delimiter, end, size) => {
          const header = ['a', 'b', 'c'];
          const text = [header, ...rows].map((row) => csvRow(row, delimiter)).join(end) + end;
          const found = read(text, size);
          expect(found.map(({ content }) => content)).toEqual(rows);
          for (const { raw, line } of found)
            expect(
              text
                .split('\n')
                .slice(line - 1)
                .join('\n')
                .startsWith(raw),
            ).toBe(true);
        },
      ),
    );
  });

  it.each([
    ['a,b\n1,2', ',', [['1', '2']]],
    ['a;b\n1;2\n', ';', [['1', '2']]],
    ['a\tb,c\td\n1\t2\t3\n', '\t', [['1', '2', '3']]],
    ['"a,x";b\n1;2\n', ';', [['1', '2']]],
    ['sep=|\na|b\n1|2\n', '|', [['1', '2']]],
    ['a\n1\n\n2\n', ',', [['1'], ['2']]],
  ])('%j: the delimiter is found in the header', (text, delimiter, expected) => {
    const reader = new CsvRows();
    expect(read(text, 2, reader).map(({ content }) => content)).toEqual(expected);
    expect(reader.delimiter).toBe(delimiter);
  });

  it('cost themselves and no other where they are wrong', () => {
    expect(cells('a,b\n1,"open\n3,c\n4,"x"y\n5,"e"\n6\n7,8,9\n8,9,\n9,"')).toEqual([
      expect.stringContaining('behind a closing') as unknown,
      ['3', 'c'],
      expect.stringContaining('behind a closing'),
      ['5', 'e'],
      expect.stringContaining('has 1 cells, and the header 2'),
      expect.stringContaining('has 3 cells, and the header 2'),
      ['8', '9', ''],
      expect.stringContaining('never closed'),
    ]);
  });

  it('go on behind a quotation mark that is never closed, however long the file is', () => {
    const rows = read(`a,b\n1,"open\n${'2,x\n'.repeat(ROW_LENGTH_MAX / 2)}`, 65_536);
    expect([rows[0]!.fault, rows.length]).toEqual([expect.stringContaining('never closed'), 1 + ROW_LENGTH_MAX / 2]);
    expect(rows.at(-1)).toMatchObject({ line: 2 + ROW_LENGTH_MAX / 2, content: ['2', 'x'] });
  });

  it('say where bytes were not of the encoding', () => {
    expect(read('a\nM\ufffdller\n')[0]!.fault).toContain('--encoding windows-1252');
  });

  it('take names of columns from the map where the file has none', () => {
    const reader = new CsvRows({ header: ['a', 'b'], delimiter: ';' });
    expect(read('1;2\n', 3, reader)).toMatchObject([{ line: 1, content: ['1', '2'] }]);
  });
});
