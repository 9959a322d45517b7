import { describe, expect, it } from '@jest/globals';
import { COMPOSITION } from '../../composition/contexts.js';
import { issuesOfPatterns, namesType } from './type-patterns.js';

const KNOWN = COMPOSITION.webhooks.names;
const wrong = (...patterns: string[]): [string, string][] =>
  issuesOfPatterns(patterns, KNOWN, 'types').map(({ path, message }) => [path, message]);

describe('patterns of types', () => {
  it('name every type, all of a group, or one', () => {
    expect(namesType(['*'], 'consent.granted')).toBe(true);
    expect(namesType(['consent.*'], 'consent.granted')).toBe(true);
    expect(namesType(['receipt.issued', 'consent.granted'], 'consent.granted')).toBe(true);
    expect(namesType(['consent.denied', 'receipt.*'], 'consent.granted')).toBe(false);
    expect(namesType([], 'consent.granted')).toBe(false);
    // A group is what stands before the first dot, whole.
    expect(namesType(['sub.*'], 'subject.created')).toBe(false);
  });

  it('can name whatever the catalogue has, what is still to come included', () => {
    expect(wrong('*', 'data_request.*', 'webhook.*', ...KNOWN)).toEqual([]);
    expect(KNOWN.every((type) => namesType([`${type.split('.')[0]!}.*`], type))).toBe(true);
  });

  it('are refused where they name nothing, or stand twice', () => {
    expect(wrong('consent.grantd', 'receipt.issued')).toEqual([
      ['types[0]', 'is no type of event; did you mean "consent.granted"?'],
    ]);
    expect(wrong('*.granted', 'consent.', '', 'consent*', '**').map(([path]) => path)).toEqual(
      [0, 1, 2, 3, 4].map((i) => `types[${i}]`),
    );
    expect(wrong('consent.*', '*', 'consent.*')).toEqual([['types[2]', 'stands twice']]);
  });
});
