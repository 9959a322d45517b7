import fc from 'fast-check';
import { didYouMean, nearest } from './index.js';

describe('the nearest of some names', () => {
  it.each<[string, string[], string | null]>([
    ['analytics', ['marketing', 'analytics'], 'analytics'],
    ['analitics', ['marketing', 'analytics'], 'analytics'],
    ['anlytics', ['analytics'], 'analytics'],
    ['analyytics', ['analytics'], 'analytics'],
    ['anaylticss', ['analytics'], 'analytics'],
    ['Ad-Storage', ['ad_storage'], 'ad_storage'],
    ['ad storage', ['ad_storage'], 'ad_storage'],
    ['ad.storage', ['ad_storage'], 'ad_storage'],
    ['ad_storage', ['AD STORAGE'], 'AD STORAGE'],
    ['', ['a'], null],
    ['a', [], null],
    // At most a third of the letters of the longer one differ.
    ['abc', ['abd'], 'abd'],
    ['ab', ['ac'], null],
    ['abcdef', ['abcdxy'], 'abcdxy'],
    ['abcdef', ['abcxyz'], null],
    ['abcd', ['abcdef'], 'abcdef'],
    ['abcd', ['abcdefg'], null],
    ['abcdef', ['abcd'], 'abcd'],
    ['abcdefg', ['abcd'], null],
    // The nearest, and of several the first.
    ['abcdef', ['abcdxy', 'abcdex'], 'abcdex'],
    ['abcdef', ['abcdex', 'abcdey'], 'abcdex'],
    // Two that changed places are one step.
    ['abc', ['acb'], 'acb'],
    ['abcdef', ['badcef'], 'badcef'],
    ['abc', ['cab'], null],
    ['abcd', ['badc'], null],
    ['aab', ['bba'], null],
    ['abcab', ['bacba'], null],
  ])('to %j in %j is %j', (name, candidates, found) => expect(nearest(name, candidates)).toBe(found));

  it('is not looked for among names longer than 80 letters', () => {
    expect(nearest(`x${'a'.repeat(79)}`, ['a'.repeat(80)])).toBe('a'.repeat(80));
    expect(nearest('a'.repeat(81), ['a'.repeat(80)])).toBeNull();
    expect(nearest('a'.repeat(80), ['a'.repeat(81)])).toBeNull();
    expect(nearest('a'.repeat(81), ['a'.repeat(81)])).toBeNull();
    expect(nearest(`${'a'.repeat(80)}bb`, ['a'.repeat(80)])).toBeNull();
  });

  it('is found by steps that any way of counting them agrees on', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        const most = Math.floor(Math.max(a.length, b.length) / 3);
        expect(nearest(a, [b])).toBe(steps(a, b) <= most ? b : null);
      }),
      { numRuns: 1000 },
    );
  });

  it('is asked about behind what was wrong', () => {
    expect(didYouMean('analitics', ['analytics'])).toBe('; did you mean "analytics"?');
    expect(didYouMean('analitics', ['marketing'])).toBe('');
  });
});

/** The definition: the last letters are inserted, deleted, replaced, kept, or change places; whichever costs least. */
function steps(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const ends = a.at(-1) === b.at(-1) ? 0 : 1;
  const swapped = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1);
  return Math.min(
    steps(a.slice(0, -1), b) + 1,
    steps(a, b.slice(0, -1)) + 1,
    steps(a.slice(0, -1), b.slice(0, -1)) + ends,
    swapped ? steps(a.slice(0, -2), b.slice(0, -2)) + 1 : Infinity,
  );
}
