import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GRANTED, purposeStanding, standing, vendorNamed } from '../../../test/support/standings.js';
import type { Standing } from '../standing/standing.js';
import { SYNTHETIC_LISTS } from '../vendor-list/synthetic-list.js';
import { additionalConsent, providerChoices } from './additional-consent.js';

/** Google's list has these; of the vendor list 8 is in force, and 333 was deleted on 1 June 2026. */
const PROVIDERS = { providers: new Map([7, 35, 89, 1301].map((id) => [id, {} as never])) };
const LIST = SYNTHETIC_LISTS[0]!;
const provider = (google: number, ...purposeKeys: string[]) => vendorNamed(`g${google}`, { google, purposeKeys });
const stats = purposeStanding('stats', GRANTED);
const ads = purposeStanding('ads', { state: 'DENIED' });
const string = (more: Partial<Standing>): string =>
  additionalConsent(providerChoices(standing({ purposes: [stats, ads], ...more }), LIST, PROVIDERS));

describe('additional consent', () => {
  it.each<[string, Standing['vendors'], string]>([
    ['no provider', [], '2~~dv.'],
    ['one who serves what was granted', [provider(35, 'stats')], '2~35~dv.'],
    ['one who serves what was refused', [provider(35, 'ads')], '2~~dv.35'],
    ['one who serves both', [provider(35, 'stats', 'ads')], '2~~dv.35'],
    ['one who serves nothing', [provider(35)], '2~~dv.35'],
    ['one who serves what there is not', [provider(35, 'stats', 'gone')], '2~~dv.35'],
    [
      'several, by number and not by text',
      [1301, 89, 7, 35].map((id) => provider(id, id === 89 || id === 7 ? 'stats' : 'ads')),
      '2~7.89~dv.35.1301',
    ],
    ['one whom Google’s list has not', [provider(36, 'stats')], '2~~dv.'],
    ['one without an id at Google', [vendorNamed('none', { purposeKeys: ['stats'] })], '2~~dv.'],
    [
      'one who is on the vendor list, and so in the TC string',
      [vendorNamed('both', { tcf: 8, google: 35, purposeKeys: ['stats'] })],
      '2~~dv.',
    ],
    [
      'one who was on the vendor list',
      [vendorNamed('left', { tcf: 333, google: 35, purposeKeys: ['stats'] })],
      '2~35~dv.',
    ],
    [
      'one whom the vendor list never had',
      [vendorNamed('other', { tcf: 9, google: 35, purposeKeys: ['stats'] })],
      '2~35~dv.',
    ],
  ])('of %s', (_, vendors, expected) => expect(string({ vendors })).toBe(expected));

  it('of a person who never chose anything names no provider', () =>
    expect(string({ vendors: [provider(35, 'stats'), provider(7, 'ads')], hasChosen: false })).toBe('2~~dv.'));

  it('takes a decision about the provider itself before what was granted', () => {
    const vendors = [provider(7, 'stats'), provider(35, 'stats'), provider(89, 'ads')];
    const said = (TCF: [number, 'GRANTED' | 'DENIED'][], GOOGLE: [number, 'GRANTED' | 'DENIED'][]) =>
      string({ vendors, decided: { TCF: new Map(TCF), GOOGLE: new Map(GOOGLE) } });
    expect(
      said(
        [],
        [
          [7, 'GRANTED'],
          [35, 'DENIED'],
          [89, 'GRANTED'],
        ],
      ),
    ).toBe('2~7~dv.35.89');
    // The vendor list has numbers of its own.
    expect(said([[35, 'DENIED']], [])).toBe('2~7.35~dv.89');
  });

  it('never gives a blocked grant, nor names a provider twice', () => {
    const blocked = { ...stats, effective: 'BLOCKED' as const, reason: 'RENEWAL_REQUIRED' as const };
    expect(string({ vendors: [provider(35, 'stats')], purposes: [blocked] })).toBe('2~~dv.35');
    const vendors = fc.uniqueArray(
      fc.record({
        google: fc.constantFrom(7, 35, 36, 89, 1301),
        tcf: fc.constantFrom(null, null, 8, 333),
        purposeKeys: fc.subarray(['stats', 'ads']),
      }),
      { selector: ({ google }) => google },
    );
    fc.assert(
      fc.property(vendors, (drawn) => {
        const made = string({ vendors: drawn.map((each) => vendorNamed(`g${each.google}`, each)) });
        const [, consented, disclosed] = /^2~([\d.]*)~dv\.([\d.]*)$/.exec(made)!;
        const ids = [consented!, disclosed!].map((part) => (part === '' ? [] : part.split('.').map(Number)));
        for (const part of ids) expect(part).toEqual([...new Set(part)].sort((a, b) => a - b));
        const wanted = drawn.filter(({ google, tcf }) => google !== 36 && tcf !== 8).map(({ google }) => google);
        expect(ids.flat().sort((a, b) => a - b)).toEqual(wanted.sort((a, b) => a - b));
      }),
    );
  });
});
