import { Refused } from '../kernel/index.js';
import { ifNoneMatchHits, weakETag } from './answers/conditional.js';
import { Flag, ListOf } from './contract/fields.js';
import { ListQuery, nextLink, pageOf, readCursor, writeCursor } from './list.js';
import { parsePosition } from './position.js';
import { readQuery } from './contract/query.js';

const issuesOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    return { code: (error as Refused).refusal.code, path: (error as Refused).refusal.issues[0]?.path };
  }
  return null;
};

describe('a list', () => {
  it('ends without a cursor and goes on with one', () => {
    expect(pageOf([1, 2], 2, (last) => [last])).toEqual({ data: [1, 2], nextCursor: null, hasMore: false });
    const page = pageOf([1, 2, 3], 2, (last) => ['a', last]);
    expect(page).toMatchObject({ data: [1, 2], hasMore: true });
    expect(readCursor(page.nextCursor!, ['string', 'number'])).toEqual(['a', 2]);
  });

  it('refuses a cursor that is not one of its own', () => {
    for (const cursor of [
      'x',
      '',
      writeCursor([1]),
      writeCursor(['a', 'b']),
      Buffer.from('[2,"a",1]').toString('base64url'),
      Buffer.from('null').toString('base64url'),
    ]) {
      expect(issuesOf(() => readCursor(cursor, ['string', 'number']))).toEqual({
        code: 'validation_failed',
        path: 'cursor',
      });
    }
  });

  it('links to the next page as the caller addressed this one', () => {
    const page = { nextCursor: 'abc' };
    expect(nextLink('/v1/subjects/email%3Aa%40b.example/consent/history?limit=2&cursor=old', page)).toBe(
      '</v1/subjects/email%3Aa%40b.example/consent/history?limit=2&cursor=abc>; rel="next"',
    );
    expect(nextLink('//evil.example/x', page)).toBe('</evil.example/x?cursor=abc>; rel="next"');
    expect(nextLink('/v1/purposes', { nextCursor: null })).toBeNull();
  });
});

describe('a revalidation', () => {
  it('hits by weak comparison, in lists, and by the asterisk', () => {
    const etag = weakETag('42.7');
    for (const header of ['W/"42.7"', '"42.7"', '"a", W/"42.7" , "b"', '*', ' * ', '"a,b", "42.7"'])
      expect(ifNoneMatchHits(header, etag)).toBe(true);
    for (const header of [undefined, '', '"42"', 'W/"42.8"', '42.7', '"a" x "42.7"', '"42.7'])
      expect(ifNoneMatchHits(header, etag)).toBe(false);
  });
});

describe('a log position', () => {
  it('is decimal and fits 64 bits', () => {
    expect(parsePosition(undefined)).toBeNull();
    expect(parsePosition('9007199254740993')).toBe(9007199254740993n);
    for (const header of ['', '-1', '1.5', '0x1', '01', 'abc', '99999999999999999999', ['1', '2']])
      expect(issuesOf(() => parsePosition(header))).toEqual({ code: 'validation_failed', path: 'X-Log-Position' });
  });
});

describe('a query', () => {
  class StateQuery extends ListQuery {
    @ListOf(() => 'string', { description: 'Purposes.', maxItems: 2, optional: true, of: { maxLength: 9 } })
    purpose?: string[];
    @Flag({ description: 'Fresh.', optional: true })
    fresh?: boolean;
  }

  it('is read by its declaration', () => {
    expect(readQuery(StateQuery, '/x?purpose=a&purpose=b&fresh=true&limit=7')).toEqual({
      purpose: ['a', 'b'],
      fresh: true,
      limit: 7,
    });
    expect(readQuery(StateQuery, '/x?purpose=a&fresh')).toEqual({ purpose: ['a'], fresh: true });
    expect(readQuery(StateQuery, '/x')).toEqual({});
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=x', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['fresh=1', 'fresh'],
    ['purpose=a&purpose=b&purpose=c', 'purpose'],
    ['purpose=', 'purpose[0]'],
    ['purpos=a', 'purpos'],
    ['__proto__=a', '__proto__'],
    ['cursor=%00', 'cursor'],
  ])('refuses %s', (query, path) => {
    expect(issuesOf(() => readQuery(StateQuery, `/x?${query}`))).toEqual({ code: 'validation_failed', path });
  });
});
