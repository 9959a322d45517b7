import { describe, expect, it } from '@jest/globals';
import { differences } from './differences.js';

const places = (before: object | undefined, after: object | undefined): unknown[] =>
  differences(before, after).map(({ path, change, before: was, after: is }) => [path, change, was, is]);

describe('what differs between two files', () => {
  it('is said by place, with what stood there before and after', () =>
    expect(places({ a: 1, b: { c: 'x' }, gone: true }, { a: 2, b: { c: 'x' }, come: ['p', 'q'] })).toEqual([
      ['a', 'CHANGED', 1, 2],
      ['come', 'ADDED', null, ['p', 'q']],
      ['gone', 'REMOVED', true, null],
    ]));

  it('items of lists are told apart by name, so that an insertion moves nothing', () =>
    expect(
      places(
        {
          cookies: [
            { name: 'a', days: 1 },
            { name: 'b', days: 1 },
          ],
        },
        {
          cookies: [
            { name: 'new', days: 3 },
            { name: 'a', days: 1 },
            { name: 'b', days: 2 },
          ],
        },
      ),
    ).toEqual([
      ['cookies[b].days', 'CHANGED', 1, 2],
      ['cookies[new].days', 'ADDED', null, 3],
      ['cookies[new].name', 'ADDED', null, 'new'],
    ]));

  it('another order of the same items is a move', () =>
    expect(places({ s: [{ key: 'a' }, { key: 'b' }] }, { s: [{ key: 'b' }, { key: 'a' }] })).toEqual([
      ['s', 'MOVED', ['a', 'b'], ['b', 'a']],
    ]));

  it('items of one name are numbered, and items without a name too', () => {
    expect(
      places(
        { s: [{ key: 'a', v: 1 }] },
        {
          s: [
            { key: 'a', v: 1 },
            { key: 'a', v: 2 },
          ],
        },
      ),
    ).toEqual([
      ['s[a 2].key', 'ADDED', null, 'a'],
      ['s[a 2].v', 'ADDED', null, 2],
    ]);
    expect(places({ s: [{ v: 1 }] }, { s: [{ v: 2 }] })).toEqual([['s[0].v', 'CHANGED', 1, 2]]);
  });

  it('is everything where there was no file, and nothing where both are the same', () => {
    expect(places(undefined, { a: 1 })).toEqual([['a', 'ADDED', null, 1]]);
    expect(places({ a: 1 }, undefined)).toEqual([['a', 'REMOVED', 1, null]]);
    expect(places({ a: [{ key: 'x' }] }, { a: [{ key: 'x' }] })).toEqual([]);
  });
});
