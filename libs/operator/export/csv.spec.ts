import { csvCell, csvLine } from './csv.js';

describe('a cell', () => {
  it.each([
    ['=HYPERLINK("http://evil.example")', `"'=HYPERLINK(""http://evil.example"")"`],
    ['+1', `'+1`],
    ['-1', `'-1`],
    ['@SUM(A1)', `'@SUM(A1)`],
    ['\t=1', `'\t=1`],
    ['\r=1', `"'\r=1"`],
    ['a=b', 'a=b'],
    ['a,b', '"a,b"'],
    ['say "so"', '"say ""so"""'],
    ['two\nlines', '"two\nlines"'],
    ['', ''],
  ])('%j stands as %j', (value, cell) => expect(csvCell(value)).toBe(cell));

  it('is a number, or nothing, as it is', () => expect(csvLine([-1, null, 'x'])).toBe('-1,,x\r\n'));
});
