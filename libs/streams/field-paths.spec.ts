import { FieldPaths } from './field-paths.js';

/** Where a replacement was asked for. */
function visited(paths: string[], value: unknown): [string, unknown][] {
  const places: [string, unknown][] = [];
  new FieldPaths(paths).replaced(value, (found, field) => {
    places.push([field, found]);
    return found;
  });
  return places;
}

describe('places in a value', () => {
  it('are found by their paths, through members and lists', () => {
    const value = { a: { b: 1, c: 2 }, list: [{ d: 3 }, { e: 4 }, { d: null }], rows: [[5, 6], [7]], plain: ['x'] };
    expect(visited(['a.b', 'list[].d', 'rows[][]', 'plain[]'], value)).toEqual([
      ['a.b', 1],
      ['list[0].d', 3],
      ['list[2].d', null],
      ['rows[0][0]', 5],
      ['rows[0][1]', 6],
      ['rows[1][0]', 7],
      ['plain[0]', 'x'],
    ]);
  });

  it('that are not there, or are of another shape, are passed', () => {
    expect(visited(['a.b', 'c[].d', 'constructor', 'e'], { a: 7, c: { d: 1 }, e: undefined })).toEqual([]);
    expect(visited(['a.b', 'c[]'], { a: null, c: 'text' })).toEqual([]);
    expect(visited(['a'], [{ a: 1 }])).toEqual([]);
    expect(visited(['a'], null)).toEqual([]);
    expect(visited(['list[]'], { list: [undefined, 1] })).toEqual([['list[1]', 1]]);
  });

  it('are replaced in a copy, and only where something changed', () => {
    const value = { a: { b: 1 }, other: { c: 2 } };
    const paths = new FieldPaths(['a.b', 'other.c']);
    const replaced = paths.replaced(value, (found) => (found === 1 ? 'one' : found)) as typeof value;
    expect(replaced).toEqual({ a: { b: 'one' }, other: { c: 2 } });
    expect(value).toEqual({ a: { b: 1 }, other: { c: 2 } });
    expect(replaced.other).toBe(value.other);
    expect(paths.replaced(value, (found) => found)).toBe(value);
  });

  it('are replaced in the value itself where nobody else has it', () => {
    const value = { a: { b: 1 }, list: [{ c: 1 }, { c: 2 }] };
    const replaced = new FieldPaths(['a.b', 'list[].c']).replacedWithin(value, (found) =>
      found === 1 ? 'one' : found,
    );
    expect(replaced).toBe(value);
    expect(replaced).toEqual({ a: { b: 'one' }, list: [{ c: 'one' }, { c: 2 }] });
  });

  it('that lie in one another are replaced from the outside in', () =>
    expect(visited(['a.b', 'a'], { a: { b: 1 } })).toEqual([
      ['a', { b: 1 }],
      ['a.b', 1],
    ]));

  it('are none where no path is named', () => {
    expect([new FieldPaths([]).isEmpty, new FieldPaths(['a']).isEmpty]).toEqual([true, false]);
    expect(visited([], { a: 1 })).toEqual([]);
  });

  it.each(['', 'a..b', '.a', 'a[', 'a]', '[]', 'a[0]', 'a[]b', '[]a'])('are not named by %j', (path) =>
    expect(() => new FieldPaths([path])).toThrow(new TypeError(`not a path of a field: ${path}`)),
  );
});
