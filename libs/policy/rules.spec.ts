import { describe, expect, it } from '@jest/globals';
import { COUNTRY_CODES, plusMs, type Instant } from '../kernel/index.js';
import { compile } from '../http/contract/fields.js';
import { PolicyDto } from './dto.js';
import { ruleAt } from './look-up.js';
import { localDateAt } from './local-date.js';
import { FALLBACK, PLACES } from './places.js';
import { timelineOf } from './timeline.js';
import type { PolicyPlace, Rule } from './rule.js';
import { policyView } from './view.js';

const NOW = '2026-11-22T12:00:00.000Z';
const REGIONS = [...PLACES.keys()].filter((code) => code.includes('-'));
const WHEREABOUTS = [
  { country: null, region: null },
  ...[...COUNTRY_CODES].map((country) => ({ country, region: null })),
  ...REGIONS.map((region) => ({ country: region.slice(0, 2), region })),
];
const spot = (code: string) =>
  code.includes('-') ? { country: code.slice(0, 2), region: code } : { country: code, region: null };
const answered = (code: string, at: Instant = NOW) => policyView(ruleAt(spot(code), at), code.slice(0, 2));
const isValid = compile(PolicyDto);
const gpcBinds = (code: string | null, at: Instant): boolean =>
  ruleAt(code === null ? { country: null, region: null } : spot(code), at).rule.gpc === 'BINDING';

/** Every moment at which something changes somewhere, and the one before it. */
const MOMENTS = [
  ...new Set(
    WHEREABOUTS.flatMap(({ country, region }) => timelineOf(country, region))
      .flatMap(({ from }) => (from === null ? [] : [plusMs(from, -1), from]))
      .concat(NOW, '1970-01-01T00:00:00.000Z', '2100-01-01T00:00:00.000Z'),
  ),
].sort();

/** The expected rule, by the calendar of the place and without any code of the look-up. */
function expected(place: PolicyPlace | undefined, at: Instant): Rule | null {
  if (!place) return null;
  const today = localDateAt(at, place.zone);
  return place.rules.findLast(({ from }) => from === null || from <= today) ?? null;
}

describe('the rule of a place', () => {
  it('is found for every country and region, today and around every day on which something changes', () => {
    expect(MOMENTS.length).toBeGreaterThan(50);
    const wrong = WHEREABOUTS.flatMap(({ country, region }) =>
      MOMENTS.filter((at) => {
        const inRegion = expected(PLACES.get(region ?? ''), at);
        const inCountry = expected(PLACES.get(country ?? ''), at);
        const { rule, matchedBy } = ruleAt({ country, region }, at);
        return (
          rule !== (inRegion ?? inCountry ?? FALLBACK) ||
          matchedBy !== (inRegion ? 'REGION' : inCountry ? 'COUNTRY' : 'FALLBACK')
        );
      }).map((at) => `${country} ${region} ${at}`),
    );
    expect(wrong).toEqual([]);
  });

  it('is never one of two, and never none: each begins when the one before it ends', () => {
    for (const { country, region } of WHEREABOUTS) {
      const timeline = timelineOf(country, region);
      expect(timeline[0]!.from).toBeNull();
      expect(timeline.at(-1)!.to).toBeNull();
      timeline.slice(1).forEach(({ from }, i) => {
        expect(from).toBe(timeline[i]!.to);
        expect([timeline[i]!.id, (timeline[i]!.from ?? '') < from!]).toEqual([timeline[i]!.id, true]);
      });
    }
  });

  it('is answered as it is declared, however it is matched', () => {
    for (const { country, region } of WHEREABOUTS)
      for (const dated of timelineOf(country, region))
        expect([dated.id, isValid(JSON.parse(JSON.stringify(policyView(dated, country))))]).toEqual([dated.id, []]);
  });

  it.each([
    ['Oklahoma begins', 'US-OK', '2027-01-01T06:00:00.000Z', 'NOTICE_ONLY', 'OPT_OUT'],
    ['Alabama begins', 'US-AL', '2027-05-01T05:00:00.000Z', 'NOTICE_ONLY', 'OPT_OUT'],
    ['Vermont begins', 'US-VT', '2028-01-01T05:00:00.000Z', 'NOTICE_ONLY', 'OPT_OUT'],
    ['Virginia began', 'US-VA', '2023-01-01T05:00:00.000Z', 'NOTICE_ONLY', 'OPT_OUT'],
  ])('changes at midnight of the place: %s', (_, code, begins, before, after) => {
    expect(answered(code, plusMs(begins, -1))).toMatchObject({ model: before, effectiveTo: begins });
    expect(answered(code, begins)).toMatchObject({ model: after, effectiveFrom: begins });
  });

  it('is the strictest one before the first law of a country that the data know', () => {
    for (const [code, begins] of [
      ['CL', '2026-12-01T03:00:00.000Z'],
      ['VN', '2025-12-31T17:00:00.000Z'],
      ['DE', '2018-05-24T22:00:00.000Z'],
    ] as const) {
      expect(answered(code, plusMs(begins, -1))).toMatchObject({
        id: 'fallback',
        country: code,
        matchedBy: 'FALLBACK',
        effectiveTo: begins,
      });
      expect(answered(code, begins)).toMatchObject({ matchedBy: 'COUNTRY', effectiveFrom: begins });
    }
  });

  it('is that of the country where the region is not known, or lies elsewhere', () => {
    expect(policyView(ruleAt({ country: 'CA', region: 'CA-ON' }, NOW), 'CA')).toMatchObject({
      id: 'CA.always',
      country: 'CA',
      region: null,
      matchedBy: 'COUNTRY',
    });
    expect(ruleAt({ country: 'DE', region: 'US-CA' }, NOW).id).toBe('DE.2018-05-25');
    expect(ruleAt({ country: null, region: 'US-CA' }, NOW).id).toBe('US-CA.2023-01-01');
  });

  it('frees statistics in the United Kingdom since February 2026', () => {
    const statistics = (at: Instant) => answered('GB', at).categories.find(({ category }) => category === 'ANALYTICS');
    expect(statistics('2026-02-04T23:59:59.999Z')).toMatchObject({ default: 'DENIED' });
    expect(statistics('2026-02-05T00:00:00.000Z')).toMatchObject({ default: 'GRANTED', locked: false });
  });

  it('denies what is sensitive until the person chooses it, and never what is necessary', () => {
    for (const { country, region } of WHEREABOUTS)
      for (const { rule } of timelineOf(country, region)) {
        const { categories } = policyView({ ...ruleAt({ country, region }, NOW), rule }, country);
        expect(categories.find(({ category }) => category === 'SENSITIVE')!.default).toBe('DENIED');
        expect(categories.filter(({ locked }) => locked)).toEqual([
          { category: 'NECESSARY', default: 'GRANTED', locked: true },
        ]);
      }
  });

  it('has a fingerprint of what it demands, wherever and whenever that is', () => {
    expect(answered('DE').fingerprint).toBe(answered('NL').fingerprint);
    expect(answered('DE').fingerprint).not.toBe(answered('BE').fingerprint);
    expect(answered('US-OR', '2025-06-01T00:00:00.000Z').fingerprint).not.toBe(answered('US-OR').fingerprint);
  });
});

describe('the strictest rule', () => {
  const strictest = policyView(ruleAt({ country: null, region: null }, NOW), null);

  it('demands at least what any other does of the same kind', () => {
    expect(strictest).toMatchObject({ model: 'OPT_IN', bannerRequired: true, rejectRequired: true, regulation: null });
    for (const { rules } of PLACES.values())
      for (const { consentValidityDays, refusalCooldownDays, ageOfDigitalConsent } of rules) {
        expect(strictest.consentValidityDays!).toBeLessThanOrEqual(consentValidityDays ?? Infinity);
        expect(strictest.refusalCooldownDays!).toBeGreaterThanOrEqual(refusalCooldownDays ?? 0);
        expect(strictest.ageOfDigitalConsent!).toBeGreaterThanOrEqual(ageOfDigitalConsent ?? 0);
      }
  });

  it('is that of every country without a rule, which the answer names', () => {
    expect(answered('ZW')).toEqual({ ...strictest, country: 'ZW' });
  });
});

describe('Global Privacy Control', () => {
  it.each([
    ['US-CA', '2023-01-01T08:00:00.000Z'],
    ['US-CO', '2024-07-01T06:00:00.000Z'],
    ['US-CT', '2025-01-01T05:00:00.000Z'],
    ['US-TX', '2025-01-01T06:00:00.000Z'],
    ['US-MT', '2025-01-01T07:00:00.000Z'],
    ['US-NE', '2025-01-01T06:00:00.000Z'],
    ['US-NH', '2025-01-01T05:00:00.000Z'],
    ['US-NJ', '2025-07-15T04:00:00.000Z'],
    ['US-MN', '2025-07-31T05:00:00.000Z'],
    ['US-MD', '2025-10-01T04:00:00.000Z'],
    ['US-DE', '2026-01-01T05:00:00.000Z'],
    ['US-OR', '2026-01-01T08:00:00.000Z'],
  ])('binds in %s since %s', (region, since) => {
    expect([gpcBinds(region, plusMs(since, -1)), gpcBinds(region, since)]).toEqual([false, true]);
  });

  it('binds in no other state and in no other country with a rule, and where nothing is known', () => {
    const binding = [...PLACES.keys()].filter((code) => gpcBinds(code, NOW));
    // Twelve states; and two countries whose law has not begun, so that the strictest rule holds until then.
    expect(binding.sort()).toEqual(
      [...'CA CO CT TX MT NE NH NJ MN MD DE OR'.split(' ').map((state) => `US-${state}`), 'US', 'CL', 'IN'].sort(),
    );
    expect(gpcBinds(null, NOW)).toBe(true);
    expect(gpcBinds('US', NOW)).toBe(true);
    expect(gpcBinds('ZW', NOW)).toBe(true);
  });
});
