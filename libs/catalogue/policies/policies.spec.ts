import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fold, isRefusal } from '../../kernel/index.js';
import { compile } from '../../http/contract/fields.js';
import type { PolicyOverride } from '../../policy/index.js';
import { applyCatalogue } from '../decide.js';
import { catalogueFold } from '../state.js';
import { PoliciesFileDto } from './dto.js';
import { POLICIES_FILE } from './file.js';
import { ownRulesOf } from './rules.js';

const AT = '2026-11-22T12:00:00.000Z';
const own = (country: string, more: Partial<PolicyOverride> = {}): PolicyOverride => ({
  country,
  changes: { consentValidityDays: 180 },
  who: 'DPO',
  why: 'Advice of the authority.',
  ...more,
});
const applied = (...policies: PolicyOverride[]) =>
  applyCatalogue({ purposes: [], policies: { definition: { policies } } }, catalogueFold.initial(), AT);

describe('a list of own policies', () => {
  it('is published in versions, and holds from then on', () => {
    const decided = applied(own('DE'), own('US', { region: 'US-CA', changes: { model: 'OPT_IN' } }));
    if (isRefusal(decided)) throw new Error(JSON.stringify(decided.issues));
    expect(decided.events).toMatchObject([{ type: 'PoliciesPublished', data: { version: 1 } }]);
    const state = fold(catalogueFold, decided.events);
    expect(ownRulesOf(state)).toMatchObject([
      { effectiveFrom: AT, definition: { policies: [{ country: 'DE' }, { country: 'US' }] } },
    ]);
    const second = applyCatalogue({ purposes: [], policies: { definition: { policies: [own('DE')] } } }, state, AT);
    expect(second).toMatchObject({ events: [{ data: { version: 2 } }], diff: [{ changed: ['policies.US-CA'] }] });
  });

  it.each<[string, PolicyOverride[], string, string]>([
    ['a region elsewhere', [own('DE', { region: 'US-CA' })], 'policies[0].region', 'is no region of DE'],
    ['nothing changed', [own('DE', { changes: {} })], 'policies[0].changes', 'must change something'],
    [
      'a field changed twice at once',
      [own('DE'), own('FR'), own('DE')],
      'policies[2].changes.consentValidityDays',
      'is changed by an entry above already, for the same place and time',
    ],
  ])('with %s is refused', (_, policies, path, message) =>
    expect(applied(...policies)).toMatchObject({
      code: 'validation_failed',
      issues: [{ path: `policies.${path}`, message }],
    }),
  );

  it('names a country by any of its codes, and no place that is none', () => {
    const british = own('UK', { region: 'UK-SCT' }) as never;
    expect(compile(PoliciesFileDto)({ policies: [british] })).toEqual([]);
    expect(POLICIES_FILE.definitionOf({ policies: [british] })).toMatchObject({
      policies: [{ country: 'GB', region: 'GB-SCT' }],
    });
    expect(compile(PoliciesFileDto)({ policies: [own('ZZ'), own('EU')] })).toMatchObject([
      { path: 'policies[0].country', message: expect.stringContaining('is no assigned code of ISO 3166-1') },
      { path: 'policies[1].country', message: expect.stringContaining('send the member state') },
    ]);
  });

  it('may change one field twice, at two times or places', () =>
    expect(
      applied(own('DE'), own('DE', { effectiveFrom: '2027-01-01T00:00:00.000Z' }), own('DE', { region: 'DE-BY' })),
    ).toMatchObject({ events: [{ type: 'PoliciesPublished' }] }));

  it('written as a file and read again is the same', () => {
    const policy: fc.Arbitrary<PolicyOverride> = fc
      .record({
        region: fc.option(fc.constant('US-CA')),
        effectiveFrom: fc.option(fc.constant('2027-01-01T00:00:00.000Z')),
        changes: fc.record(
          {
            model: fc.constantFrom('OPT_IN' as const, 'NONE' as const),
            categories: fc.record(
              { MARKETING: fc.constantFrom('GRANTED' as const, 'DENIED' as const) },
              { requiredKeys: [] },
            ),
            bannerRequired: fc.boolean(),
            rejectRequired: fc.boolean(),
            consentValidityDays: fc.option(fc.integer({ min: 1, max: 3650 })),
            refusalCooldownDays: fc.option(fc.integer({ min: 1, max: 3650 })),
            signals: fc.record({ gpc: fc.constantFrom('BINDING' as const, 'IGNORED' as const) }),
            doubleOptIn: fc.constantFrom('REQUIRED' as const, 'NONE' as const),
            ageOfDigitalConsent: fc.option(fc.integer({ min: 1, max: 21 })),
          },
          { requiredKeys: [] },
        ),
      })
      .map(({ region, effectiveFrom, changes }) => ({
        ...own('US', { changes }),
        ...(region !== null && { region }),
        ...(effectiveFrom !== null && { effectiveFrom }),
      }));
    fc.assert(
      fc.property(fc.array(policy, { maxLength: 3 }), (policies) => {
        const file = POLICIES_FILE.fileOf({ policies });
        expect(compile(PoliciesFileDto)(file)).toEqual([]);
        expect(POLICIES_FILE.definitionOf(file)).toEqual({ policies });
      }),
    );
  });
});
