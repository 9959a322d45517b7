import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GRANTED, purposeStanding, standing, STANDS_AT } from '../../../test/support/standings.js';
import { catalogueFold, GOOGLE_CONSENT_TYPES, type GoogleConsent } from '../../catalogue/index.js';
import { placesKnown, ruleAt } from '../../policy/index.js';
import type { PurposeStanding, Standing } from '../standing/standing.js';
import { googleConsentMode, GoogleRegions, type GoogleConsentMode } from './consent-mode.js';

const mode = (purposes: PurposeStanding[], more: Partial<Standing> = {}): GoogleConsentMode =>
  googleConsentMode(standing({ purposes, ...more }), new GoogleRegions(catalogueFold.initial(), purposes, STANDS_AT));
const granted = (consent: GoogleConsent): string[] =>
  GOOGLE_CONSENT_TYPES.filter((type) => consent[type] === 'granted');
const running = purposeStanding('running', {
  consentModel: 'ALWAYS_ON',
  legalBasis: 'CONTRACT',
  category: 'NECESSARY',
  effective: 'ALLOWED',
  byDefault: 'ALLOWED',
});

describe('a type of consent mode', () => {
  it('is granted where every purpose that names it may be used', () => {
    const one = purposeStanding('one', { google: ['ad_storage', 'analytics_storage'], ...GRANTED });
    expect(granted(mode([one]).update)).toEqual(['ad_storage', 'analytics_storage']);
    const other = purposeStanding('other', { google: ['ad_storage'] });
    expect(granted(mode([one, other]).update)).toEqual(['analytics_storage']);
    expect(Object.keys(mode([one]).update)).toEqual([...GOOGLE_CONSENT_TYPES]);
  });

  it.each<[string, number[], string[]]>([
    ['1', [1], ['ad_storage']],
    ['3 and 4', [3, 4], ['ad_personalization']],
    ['3 without 4', [3], []],
    ['4 without 3', [4], []],
    ['7 without 1', [7], []],
    ['1 and 7', [1, 7], ['ad_storage', 'ad_user_data']],
    ['all', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], ['ad_storage', 'ad_user_data', 'ad_personalization']],
    ['what TCF says nothing about', [2, 5, 6, 8, 9, 10, 11], []],
  ])('follows the purposes of TCF where none names it: %s', (_, tcf, expected) =>
    expect(granted(mode([purposeStanding('ads', { tcf, ...GRANTED })]).update).sort()).toEqual([...expected].sort()),
  );

  it('needs each purpose that stands for one of TCF', () => {
    const refused = purposeStanding('more', { tcf: [1], state: 'DENIED' });
    expect(granted(mode([purposeStanding('ads', { tcf: [1, 7], ...GRANTED }), refused]).update)).toEqual([]);
  });

  it('follows what names it, whatever purposes of TCF say', () => {
    const tcf = purposeStanding('ads', { tcf: [1, 3, 4, 7], ...GRANTED });
    const named = purposeStanding('storage', { google: ['ad_storage'], state: 'DENIED' });
    expect(granted(mode([tcf, named]).update).sort()).toEqual(['ad_personalization', 'ad_user_data']);
  });

  it('for functions and security is granted by what is strictly necessary, unless a purpose names it', () => {
    expect(granted(mode([running]).update).sort()).toEqual(['functionality_storage', 'security_storage']);
    const functions = purposeStanding('language', { google: ['functionality_storage'] });
    expect(granted(mode([running, functions]).update)).toEqual(['security_storage']);
    expect(granted(mode([]).update)).toEqual([]);
  });
});

describe('what holds before a choice', () => {
  it('is the default of the place, beside what holds of the subject', () => {
    const ads = purposeStanding('ads', { google: ['ad_storage'], ...GRANTED, byDefault: 'BLOCKED' });
    const sale = purposeStanding('sale', { google: ['ad_user_data'], state: 'DENIED', byDefault: 'ALLOWED' });
    const { default: byDefault, update } = mode([ads, sale]);
    expect([granted(byDefault), granted(update)]).toEqual([['ad_user_data'], ['ad_storage']]);
  });

  it('holds at every place where the same is demanded: countries and regions, and never a union of them', () => {
    const purposes = [
      purposeStanding('sale', { google: ['ad_storage'], consentModel: 'OPT_OUT', category: 'SALE_SHARE' }),
    ];
    const inGermany = mode(purposes).region;
    const dated = ruleAt({ country: 'US', region: 'US-CA' }, STANDS_AT);
    const inCalifornia = mode([{ ...purposes[0]!, byDefault: 'ALLOWED' }], { dated }).region;
    expect(inGermany).toEqual(expect.arrayContaining(['DE', 'FR', 'AT', 'GB']));
    expect(inCalifornia).toEqual(expect.arrayContaining(['US-CA']));
    expect(inGermany.filter((place) => inCalifornia.includes(place))).toEqual([]);
    for (const place of [...inGermany, ...inCalifornia]) expect(place).toMatch(/^[A-Z]{2}(-[A-Z0-9]{1,3})?$/);
    expect([...inGermany, ...inCalifornia]).not.toContain('EU');
  });

  it('leaves out no place of which a rule is known', () =>
    // This site has no purposes, so the same holds everywhere.
    expect(mode([]).region).toEqual([...placesKnown()].map(({ country, region }) => region ?? country)));

  it('names no place where none is known', () =>
    expect(mode([], { dated: ruleAt({ country: null, region: null }, STANDS_AT) }).region).toEqual([]));

  it('is at no place what no rule demands', () => {
    // Nowhere is silence on a purpose that asks first taken for yes.
    const ads = purposeStanding('ads', { google: ['ad_storage'], byDefault: 'ALLOWED' });
    expect(mode([ads]).region).toEqual([]);
  });

  it('waits as long as the banner says, else half a second', () =>
    expect([mode([]).waitForUpdate, mode([], { waitForUpdateMs: 0 }).waitForUpdate]).toEqual([500, 0]));
});

it('nothing that is blocked is ever granted', () => {
  const purpose = fc.record({
    google: fc.subarray([...GOOGLE_CONSENT_TYPES], { maxLength: 3 }),
    tcf: fc.subarray([1, 3, 4, 7]),
    category: fc.constantFrom('NECESSARY' as const, 'MARKETING' as const),
    effective: fc.constantFrom('ALLOWED' as const, 'BLOCKED' as const),
  });
  fc.assert(
    fc.property(fc.array(purpose, { maxLength: 5 }), (drawn) => {
      const purposes = drawn.map((more, n) => purposeStanding(`p${n}`, more));
      const { update } = mode(purposes);
      for (const { effective, frameworks } of purposes)
        if (effective === 'BLOCKED') for (const type of frameworks.google) expect(update[type]).toBe('denied');
      if (purposes.every(({ effective }) => effective === 'BLOCKED')) expect(granted(update)).toEqual([]);
    }),
  );
});
