import { codeAllowedAt, digitsOf } from './code.js';

const minutes = (count: number): string => new Date(Date.UTC(2026, 10, 21, 12) + count * 60_000).toISOString();

describe('one more code for an address', () => {
  it.each([
    ['is sent where none was asked for', [], 0, null],
    ['is sent twice within an hour', [0, 10], 20, null],
    ['waits for the first of three within an hour', [0, 10, 20], 30, 60],
    ['is sent again when that hour is over', [0, 10, 20], 60, null],
    ['waits for the first of ten within a day', [0, 61, 122, 183, 244, 305, 366, 427, 488, 549], 700, 1440],
    [
      'is not held up by what is older than a day',
      [-1500, -1499, -1498, -1497, -1496, -1495, -1494, -1493, -1492, -1491],
      0,
      null,
    ],
  ] as const)('%s', (_, asked, at, allowed) => {
    // In whatever order they are known.
    expect(codeAllowedAt([...asked].reverse().map(minutes), minutes(at))).toBe(
      allowed === null ? null : minutes(allowed),
    );
  });
});

it('is typed with blanks and hyphens, and never with anything else', () => {
  expect(['042137', ' 042 137 ', '042-137', '04213', '0421377', '04213a', '', '٠٤٢١٣٧'].map(digitsOf)).toEqual([
    '042137',
    '042137',
    '042137',
    null,
    null,
    null,
    null,
    null,
  ]);
});
