import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { renderedTable, type Cell } from './table.js';

const plain = (_: unknown, text: string): string => text;
const HEAD = ['KEY', 'NAME', 'ORIGINS'];
const ROW: Cell[] = [
  'key_4Zt8nXq2LmPa',
  'the backend of the shop',
  ['https://shop.example', 'https://www.shop.example'],
];

describe('a table', () => {
  it('is as wide as it has to be', () =>
    expect(renderedTable(['A', 'LONG HEAD'], [['x', 1]], 100, plain)).toBe('A  LONG HEAD\nx  1'));

  it('wraps its widest columns between words, and cuts no id', () =>
    expect(renderedTable(HEAD, [ROW], 60, plain)).toBe(
      [
        'KEY               NAME            ORIGINS',
        'key_4Zt8nXq2LmPa  the backend of  https://shop.example',
        '                  the shop        https://www.shop.example',
      ].join('\n'),
    ));

  it('becomes paragraphs where its words are too wide', () =>
    expect(renderedTable(HEAD, [ROW, ['key_2', '', 'none']], 40, plain)).toBe(
      [
        'KEY      key_4Zt8nXq2LmPa',
        'NAME     the backend of the shop',
        'ORIGINS  https://shop.example',
        '         https://www.shop.example',
        '',
        'KEY      key_2',
        'ORIGINS  none',
      ].join('\n'),
    ));

  it('paints each line of a painted cell by itself, so that no colour runs into the next column', () => {
    const marked = (_: unknown, text: string): string => `<${text}>`;
    const cell = { text: 'revoked by somebody', format: 'red' } as const;
    expect(renderedTable(['S', 'B'], [[cell, 'b']], 14, marked)).toBe('<S>           <B>\n<revoked by>  b\n<somebody>');
  });

  it('lets nothing from elsewhere steer the terminal', () =>
    expect(renderedTable(['A'], [['\u001b[31mred\u001b[0m\u0007\n\u009b1m']], 100, plain)).not.toMatch(
      // eslint-disable-next-line no-control-regex -- exactly these are looked for
      /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/,
    ));

  it('never is wider than it may be, and says everything', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 30, max: 160 }),
        fc
          .integer({ min: 1, max: 8 })
          .chain((columns) =>
            fc.array(
              fc.array(fc.stringMatching(/^[a-z]{0,12}( [a-z]{1,40}){0,5}$/), {
                minLength: columns,
                maxLength: columns,
              }),
              { minLength: 1, maxLength: 5 },
            ),
          ),
        (width, rows) => {
          const head = rows[0]!.map((_, column) => `C${column}`);
          const shown = renderedTable(head, rows, width, plain);
          for (const line of shown.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
          const letters = (text: string): string => [...text.replace(/[^a-z]/g, '')].sort().join('');
          expect(letters(shown)).toBe(letters(rows.flat().join('')));
        },
      ),
    ));
});
