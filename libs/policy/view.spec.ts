import { describe, expect, it } from '@jest/globals';
import { PURPOSE_CATEGORIES } from '../kernel/index.js';
import { ruleAt } from './look-up.js';
import { FALLBACK, PLACES } from './places.js';
import { timelineOf, type DatedRule } from './timeline.js';
import { categoriesOf, policyView, silenceUnder } from './view.js';

const NOW = '2026-11-22T12:00:00.000Z';
const seen = (country: string | null, region: string | null = null) =>
  policyView(ruleAt({ country, region }, NOW), country);
const ALL: DatedRule[] = [...PLACES.keys()].flatMap((code) => [
  ...timelineOf(code.slice(0, 2), code.includes('-') ? code : null),
]);

describe('what is demanded at a place', () => {
  it('is a banner and a refusal as easy as agreement where people must be asked, unless the rule says otherwise', () => {
    for (const dated of ALL) {
      const { rule } = dated;
      const { bannerRequired, rejectRequired } = policyView(dated, null);
      expect([dated.id, bannerRequired]).toEqual([dated.id, rule.bannerRequired ?? rule.model === 'OPT_IN']);
      expect([dated.id, rejectRequired]).toEqual([dated.id, rule.rejectRequired ?? rule.model === 'OPT_IN']);
    }
    const strictest = policyView({ ...ruleAt({ country: 'DE', region: null }, NOW), rule: FALLBACK }, null);
    expect([strictest.bannerRequired, strictest.rejectRequired]).toEqual([true, true]);
    const looser = { ...FALLBACK, bannerRequired: false, rejectRequired: false };
    const changed = policyView({ ...ruleAt({ country: 'DE', region: null }, NOW), rule: looser }, null);
    expect([changed.bannerRequired, changed.rejectRequired]).toEqual([false, false]);
  });

  it('names the country that was asked about, else that of the rule, and the region of a rule of its own alone', () => {
    expect(seen('ZW')).toMatchObject({ country: 'ZW', region: null, matchedBy: 'FALLBACK' });
    expect(seen(null)).toMatchObject({ country: null, region: null });
    expect(seen(null, 'US-CA')).toMatchObject({ country: 'US', region: 'US-CA', matchedBy: 'REGION' });
    expect(seen('CA', 'CA-ON')).toMatchObject({ country: 'CA', region: null, matchedBy: 'COUNTRY' });
    expect(seen(null, 'CA-ON')).toMatchObject({ country: 'CA', region: null, matchedBy: 'COUNTRY' });
  });

  it('is to be looked at again where something is in doubt, and by the first of its acts', () => {
    for (const dated of ALL) {
      const { review, doubts, regulation, regulations, notLegalAdvice } = policyView(dated, null);
      expect(notLegalAdvice).toBe(true);
      expect([dated.id, review]).toEqual([dated.id, doubts.length > 0]);
      expect([dated.id, regulation]).toEqual([dated.id, regulations[0]?.key ?? null]);
    }
    expect(new Set(ALL.map((dated) => policyView(dated, null).review))).toEqual(new Set([true, false]));
  });
});

describe('what silence means under a rule', () => {
  it('is a refusal where people must be asked and for what is sensitive, else agreement, unless the rule names a category', () => {
    for (const { id, rule } of ALL) {
      const silence = silenceUnder(rule);
      expect(Object.keys(silence).sort()).toEqual([...PURPOSE_CATEGORIES].sort());
      for (const { category, default: said, locked } of categoriesOf(rule)) {
        expect([id, category, silence[category], locked]).toEqual([id, category, said, category === 'NECESSARY']);
        if (category === 'NECESSARY') expect(said).toBe('GRANTED');
        else if (rule.defaults[category] !== undefined) expect(said).toBe(rule.defaults[category]);
        else
          expect([id, category, said]).toEqual([
            id,
            category,
            rule.model === 'OPT_IN' || category === 'SENSITIVE' ? 'DENIED' : 'GRANTED',
          ]);
      }
      // Made once.
      expect(silenceUnder(rule)).toBe(silence);
    }
  });
});
