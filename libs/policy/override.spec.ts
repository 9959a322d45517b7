import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ruleAt } from './look-up.js';
import { overridden, overridesOf, type PolicyOverride } from './override.js';
import { siteRuleAt, siteRuleStarts, siteTimeline, type OwnRules } from './site-timeline.js';
import type { DatedRule } from './timeline.js';
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
/** Published before any rule of the law began. */
const list = (...policies: PolicyOverride[]): OwnRules => published('1900-01-01T00:00:00.000Z', ...policies);
const published = (effectiveFrom: string, ...policies: PolicyOverride[]): OwnRules => ({
  effectiveFrom,
  definition: { policies },
});
const given = (code: string, ...overrides: PolicyOverride[]) => within(code, list(...overrides));
const within = (code: string, ...lists: OwnRules[]) => ({ at: (at: string) => siteRuleAt(lists, place(code), at) });

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
    const shown = (at: string) => {
      const { id, rule, from, to, overriddenBy } = changing.at(at);
      return [id, rule.consentValidityDays, from, to, overriddenBy?.length];
    };
    expect(shown('2026-11-09T23:59:59.999Z')).toEqual(['fallback', 180, null, '2026-11-10T00:00:00.000Z', undefined]);
    expect(shown('2026-11-10T00:00:00.000Z')).toEqual([
      'fallback',
      10,
      '2026-11-10T00:00:00.000Z',
      '2026-12-01T03:00:00.000Z',
      1,
    ]);
    expect(shown('2026-12-01T03:00:00.000Z')).toEqual([
      'CL.2026-12-01',
      10,
      '2026-12-01T03:00:00.000Z',
      '2026-12-10T00:00:00.000Z',
      1,
    ]);
    expect(shown('2026-12-10T00:00:00.000Z')).toEqual(['CL.2026-12-01', 20, '2026-12-10T00:00:00.000Z', null, 2]);
  });

  const [MAY, JUNE, JULY] = ['2026-05-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z', '2026-07-01T00:00:00.000Z'];
  const shown = ({ rule, from, to, overriddenBy = [] }: DatedRule) => [
    rule.consentValidityDays,
    from,
    to,
    overriddenBy.length,
  ];

  it('begins and ends with the lists of the site, and a list that changes nothing at the place is no border', () => {
    const lists = [
      published(MAY, by({})),
      published(JUNE, by({}), by({ country: 'FR' })),
      published(JULY, by({ country: 'FR' })),
    ];
    const law = ruleAt(place('DE'), NOW);
    const { at } = within('DE', ...lists);
    expect(shown(at('2026-04-30T23:59:59.999Z'))).toEqual([law.rule.consentValidityDays, law.from, MAY, 0]);
    expect(shown(at(MAY))).toEqual([180, MAY, JULY, 1]);
    expect(shown(at(JUNE))).toEqual([180, MAY, JULY, 1]);
    expect(shown(at(JULY))).toEqual([law.rule.consentValidityDays, JULY, null, 0]);
    expect(within('IT', ...lists).at(JUNE)).toBe(ruleAt(place('IT'), JUNE));
  });

  it('never holds by a list in whose place another one was published before its time came', () => {
    const { at } = within('DE', published(JULY, by({})), published(JUNE, by({ changes: { consentValidityDays: 90 } })));
    expect(shown(at(JUNE))).toEqual([90, JUNE, null, 1]);
    expect(shown(at(JULY))).toEqual([90, JUNE, null, 1]);
  });

  it('is another rule where only its author or reason differs', () => {
    const { at } = within('DE', published(MAY, by({})), published(JUNE, by({ why: 'Advised again.' })));
    expect(shown(at(MAY))).toEqual([180, MAY, JUNE, 1]);
    expect(at(JUNE).overriddenBy).toMatchObject([{ why: 'Advised again.' }]);
  });

  it('holds in a region that the law does not name, and any other region is its country', () => {
    const lists = [published(MAY, by({ country: 'US', region: 'US-ZY' }))];
    expect(within('US-ZY', ...lists).at(NOW).rule.consentValidityDays).toBe(180);
    expect(within('US-ZZ', ...lists).at(NOW)).toBe(ruleAt(place('US'), NOW));
    expect(siteRuleAt(lists, { country: null, region: 'US-ZY' }, NOW)).toEqual(within('US-ZY', ...lists).at(NOW));
  });

  it('is one of a whole timeline, without a gap, that says what is asked at each moment', () => {
    const instant = fc
      .integer({ min: Date.UTC(2015, 0), max: Date.UTC(2032, 0) })
      .map((ms) => new Date(ms).toISOString());
    const override = fc
      .record({
        region: fc.option(fc.constantFrom('US-CA', 'US-ZY')),
        effectiveFrom: fc.option(instant),
        days: fc.constantFrom(10, 20, null),
      })
      .map(({ region, effectiveFrom, days }) => ({
        ...by({ country: 'US', changes: { consentValidityDays: days } }),
        ...(region !== null && { region }),
        ...(effectiveFrom !== null && { effectiveFrom }),
      }));
    const lists = fc.array(
      fc.record({ effectiveFrom: instant, definition: fc.record({ policies: fc.array(override, { maxLength: 4 }) }) }),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(lists, fc.constantFrom('US', 'US-CA', 'US-ZY', 'US-ZZ'), instant, (own, code, at) => {
        const timeline = siteTimeline(own, place(code));
        expect(timeline.map(({ from }) => from)).toEqual([null, ...siteRuleStarts(own, place(code))]);
        expect(timeline.map(({ to }) => to)).toEqual([...siteRuleStarts(own, place(code)), null]);
        const answer = siteRuleAt(own, place(code), at);
        expect(answer.from === null || answer.from <= at).toBe(true);
        expect(answer.to === null || at < answer.to).toBe(true);
        const inForce = own.findLast(({ effectiveFrom }) => effectiveFrom <= at)?.definition.policies ?? [];
        const asked = overridden(ruleAt(place(code), at), overridesOf(inForce, place(code)), at);
        expect([answer.id, answer.rule, answer.overriddenBy ?? []]).toEqual([
          asked.id,
          asked.rule,
          asked.overriddenBy ?? [],
        ]);
      }),
    );
  });
});
