import { describe, expect, it } from '@jest/globals';
import { ruleAt } from './look-up.js';
import { overridden, type PolicyOverride } from './override.js';
import { policyView } from './view.js';

const NOW = '2026-11-22T12:00:00.000Z';
const by = (over: Partial<PolicyOverride>): PolicyOverride => ({
  country: 'DE',
  changes: { consentValidityDays: 180 },
  who: 'DPO',
  why: 'Advised.',
  ...over,
});
const place = (code: string) => ({ country: code.slice(0, 2), region: code.includes('-') ? code : null });
const given = (code: string, ...overrides: PolicyOverride[]) => ({
  at: (at: string) => overridden(ruleAt(place(code), at), overrides, place(code), at),
});

describe('a rule that a site changed', () => {
  it('is the rule itself where nothing is said of the place', () => {
    const elsewhere = [by({ country: 'FR' }), by({ country: 'DE', region: 'DE-BY' })];
    expect(given('DE', ...elsewhere).at(NOW)).toBe(ruleAt(place('DE'), NOW));
    expect(policyView(given('DE', ...elsewhere).at(NOW), 'DE').overriddenBy).toEqual([]);
  });

  it('differs in the named fields only, and says who changed them and why', () => {
    const changed = policyView(given('DE', by({})).at(NOW), 'DE');
    const law = policyView(ruleAt(place('DE'), NOW), 'DE');
    expect(changed).toEqual({
      ...law,
      consentValidityDays: 180,
      fingerprint: expect.not.stringMatching(law.fingerprint),
      overriddenBy: [
        { place: 'DE', fields: ['consentValidityDays'], who: 'DPO', why: 'Advised.', effectiveFrom: null },
      ],
    });
  });

  it('can differ in every field that a site may change', () => {
    const changes = {
      model: 'OPT_OUT',
      categories: { MARKETING: 'DENIED', SENSITIVE: 'GRANTED' },
      bannerRequired: true,
      rejectRequired: true,
      consentValidityDays: null,
      refusalCooldownDays: 30,
      signals: { gpc: 'BINDING' },
      doubleOptIn: 'NONE',
      ageOfDigitalConsent: 18,
    } as const;
    const { categories, ...rest } = policyView(given('DE', by({ changes })).at(NOW), 'DE');
    const { categories: _, ...fields } = changes;
    expect(rest).toMatchObject({ ...fields, overriddenBy: [{ fields: Object.keys(changes).sort() }] });
    const silence = Object.fromEntries(categories.map((each) => [each.category, each.default]));
    expect(silence).toMatchObject({
      NECESSARY: 'GRANTED',
      ANALYTICS: 'GRANTED',
      MARKETING: 'DENIED',
      SENSITIVE: 'GRANTED',
    });
  });

  it('loses the exceptions of the model that is gone, and keeps them under its own', () => {
    const statistics = (changes: PolicyOverride['changes']) =>
      policyView(given('GB', by({ country: 'GB', changes })).at(NOW), 'GB').categories.find(
        ({ category }) => category === 'ANALYTICS',
      )!.default;
    expect(statistics({ model: 'OPT_IN' })).toBe('GRANTED');
    expect(statistics({ model: 'OPT_IN', categories: { ANALYTICS: 'DENIED' } })).toBe('DENIED');
    expect(statistics({ model: 'NOTICE_ONLY' })).toBe('GRANTED');
  });

  it('holds in the regions of its country, and what is said of a region is stronger', () => {
    const [inCountry, inRegion] = [
      by({ country: 'US', changes: { model: 'OPT_IN', consentValidityDays: 90 } }),
      by({
        country: 'US',
        region: 'US-CA',
        changes: { consentValidityDays: 30 },
        effectiveFrom: '2020-01-01T00:00:00.000Z',
      }),
    ];
    for (const order of [
      [inCountry, inRegion],
      [inRegion, inCountry],
    ]) {
      expect(given('US-CA', ...order).at(NOW)).toMatchObject({
        id: 'US-CA.2023-01-01',
        rule: { model: 'OPT_IN', consentValidityDays: 30, gpc: 'BINDING' },
        overriddenBy: [{ place: 'US' }, { place: 'US-CA' }],
      });
      expect(given('US-NV', ...order).at(NOW).rule).toMatchObject({ model: 'OPT_IN', consentValidityDays: 90 });
      expect(given('US', ...order).at(NOW).rule).toMatchObject({ model: 'OPT_IN', consentValidityDays: 90 });
    }
  });

  it('begins and ends with its overrides, and never reaches beyond the rule', () => {
    const changing = given(
      'CL',
      by({ country: 'CL', changes: { consentValidityDays: 10 }, effectiveFrom: '2026-11-10T00:00:00.000Z' }),
      by({ country: 'CL', changes: { consentValidityDays: 20 }, effectiveFrom: '2026-12-10T00:00:00.000Z' }),
    );
    const told = (at: string) => {
      const { id, rule, from, to, overriddenBy } = changing.at(at);
      return [id, rule.consentValidityDays, from, to, overriddenBy?.length];
    };
    expect(told('2026-11-09T23:59:59.999Z')).toEqual(['fallback', 180, null, '2026-11-10T00:00:00.000Z', 0]);
    expect(told('2026-11-10T00:00:00.000Z')).toEqual([
      'fallback',
      10,
      '2026-11-10T00:00:00.000Z',
      '2026-12-01T03:00:00.000Z',
      1,
    ]);
    expect(told('2026-12-01T03:00:00.000Z')).toEqual([
      'CL.2026-12-01',
      10,
      '2026-12-01T03:00:00.000Z',
      '2026-12-10T00:00:00.000Z',
      1,
    ]);
    expect(told('2026-12-10T00:00:00.000Z')).toEqual(['CL.2026-12-01', 20, '2026-12-10T00:00:00.000Z', null, 2]);
  });
});
