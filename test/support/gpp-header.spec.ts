import { describe, expect, it } from '@jest/globals';
import { BitReader, fibonacci, readGppHeader } from './bit-reader.js';

/* The reader of the tests is held to what the GPP specification shows. */
describe('the header of a GPP string', () => {
  it.each([
    ['DBABM', [2]],
    ['DBACNY', [2, 6]],
    ['DBABjw', [5, 6]],
  ])('%s is read as the specification explains it', (header, sections) => {
    expect(readGppHeader(header)).toEqual(sections);
  });

  it.each([
    ['11', 1],
    ['011', 2],
    ['0011', 3],
    ['1011', 4],
    ['00011', 5],
    ['10011', 6],
    ['01011', 7],
  ])('has numbers such as %s, which is %d', (code, number) => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    expect(fibonacci(new BitReader(alphabet[parseInt(code.padEnd(6, '0'), 2)]!))).toBe(number);
  });
});
