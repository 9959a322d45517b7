import { describe, expect, it } from '@jest/globals';
import { GppModel } from '@iabgpp/cmpapi';
import fc from 'fast-check';
import {
  sectionsFor,
  SENSITIVE_KINDS,
  UNSETTLED_SECTIONS,
  US_NATIONAL_ID,
  type UsCategory,
} from '../../catalogue/index.js';
import { encodeUsSection, gppString } from './encode.js';
import { US_NATIONAL, US_SECTIONS, type UsSection } from './us-sections.js';
import { usValues, type UsFacts, type UsPurpose, type UsValue, type UsValues } from './us-values.js';

const all = [...US_SECTIONS.values()];
const value = fc.integer({ min: 0, max: 2 });

const fill = (model: GppModel, name: string, values: UsValues): void =>
  Object.entries(values).forEach(([field, each]) => model.setFieldValue(name, field, each));

const list = (length: number) => fc.array(value, { minLength: length, maxLength: length });

/** Any values that a section can hold. */
function valuesOf({ core, behind, sensitive, version }: UsSection): fc.Arbitrary<UsValues> {
  const fields: Record<string, fc.Arbitrary<UsValue>> = {};
  for (const { name, count, bits } of core) {
    const one = name === 'MspaCoveredTransaction' ? fc.constantFrom(1, 2) : value;
    fields[name] = count !== null ? list(count) : bits === 6 ? fc.constant(version) : one;
  }
  if (behind === 'GPC') fields['Gpc'] = fc.boolean();
  if (behind === 'SENSITIVE') fields['SensitiveDataProcessing'] = list(sensitive.length);
  return fc.record(fields);
}

describe('a US section of IAB GPP', () => {
  it.each(all.map((section) => [section.name, section] as const))(
    '%s has the fields, the order and the bytes that the library of the field gives it',
    (name, section) => {
      fc.assert(
        fc.property(valuesOf(section), (values) => {
          const model = new GppModel();
          fill(model, name, values);
          expect(gppString([{ id: section.id, text: encodeUsSection(section, values) }])).toBe(model.encode());
        }),
        { numRuns: 20 },
      );
    },
  );

  it('stands among others in the order of their ids, under the header of the library', () => {
    fc.assert(
      fc.property(fc.subarray(all, { minLength: 0 }), (sections) => {
        const model = new GppModel();
        const encoded = sections.map((section) => {
          const values = usValues(section, { purposes: [], gpc: false, mspa: { covered: false, mode: null } });
          fill(model, section.name, values);
          return { id: section.id, text: encodeUsSection(section, values) };
        });
        expect(gppString(encoded.toReversed())).toBe(model.encode());
      }),
      { numRuns: 40 },
    );
  });

  it('has a place for each kind of sensitive data at most once', () => {
    for (const { sensitive } of all) {
      const kinds = sensitive.flat();
      expect(new Set(kinds).size).toBe(kinds.length);
    }
    expect(US_NATIONAL.sensitive.flat()).toEqual([...SENSITIVE_KINDS]);
  });
});

const purpose = (categories: UsCategory[], more: Partial<UsPurpose> = {}): UsPurpose => ({
  categories,
  isNoticed: true,
  isAllowed: true,
  isConsented: false,
  ...more,
});
const facts = (purposes: UsPurpose[], more: Partial<UsFacts> = {}): UsFacts => ({
  purposes,
  gpc: false,
  mspa: { covered: false, mode: null },
  ...more,
});
const of = (id: number, given: UsFacts): UsValues => usValues(US_SECTIONS.get(id)!, given);
const CA = 8;
const VA = 9;
const TX = 16;

describe('what a US section says', () => {
  it('of a kind of use that the site has not: not applicable', () => {
    expect(of(CA, facts([]))).toEqual({
      Version: 1,
      SaleOptOutNotice: 0,
      SharingOptOutNotice: 0,
      SensitiveDataLimitUseNotice: 0,
      SaleOptOut: 0,
      SharingOptOut: 0,
      SensitiveDataProcessing: [0, 0, 0, 0, 0, 0, 0, 0, 0],
      KnownChildSensitiveDataConsents: [0, 0],
      PersonalDataConsents: 0,
      MspaCoveredTransaction: 2,
      MspaOptOutOptionMode: 0,
      MspaServiceProviderMode: 0,
      Gpc: false,
    });
  });

  it('of an opt-out: one as soon as one purpose of that kind is blocked, and only after notice', () => {
    const [allowed, blocked] = [purpose(['SALE']), purpose(['SALE'], { isAllowed: false })];
    expect(of(CA, facts([allowed]))).toMatchObject({ SaleOptOutNotice: 1, SaleOptOut: 2 });
    expect(of(CA, facts([allowed, blocked]))).toMatchObject({ SaleOptOutNotice: 1, SaleOptOut: 1 });
    const unnoticed = purpose(['SALE'], { isAllowed: false, isNoticed: false });
    expect(of(CA, facts([unnoticed]))).toMatchObject({ SaleOptOutNotice: 2, SaleOptOut: 0 });
  });

  it('of targeted advertising stands under sharing where the state knows that only, and the other way round', () => {
    const ads = facts([purpose(['TARGETED_ADVERTISING'], { isAllowed: false })]);
    expect(of(CA, ads)).toMatchObject({ SharingOptOut: 1, SaleOptOut: 0 });
    expect(of(VA, facts([purpose(['SHARING'], { isAllowed: false })]))).toMatchObject({ TargetedAdvertisingOptOut: 1 });
    expect(of(7, ads)).toMatchObject({ SharingOptOut: 0, TargetedAdvertisingOptOut: 1 });
  });

  it('of sensitive data: an opt-out in California, a consent elsewhere, which silence never is', () => {
    const health = purpose(['SENSITIVE_HEALTH']);
    const inTexas = (each: UsPurpose) => of(TX, facts([each]))['SensitiveDataProcessing'];
    expect(of(CA, facts([health]))).toMatchObject({ SensitiveDataLimitUseNotice: 1 });
    expect(of(CA, facts([health]))['SensitiveDataProcessing']).toEqual([0, 0, 0, 0, 0, 0, 0, 2, 0]);
    expect(inTexas(health)).toEqual([0, 0, 1, 0, 0, 0, 0, 0]);
    expect(inTexas({ ...health, isConsented: true })).toEqual([0, 0, 2, 0, 0, 0, 0, 0]);
    // Granted once, and blocked since: by a signal, or because the purpose changed.
    expect(inTexas({ ...health, isConsented: true, isAllowed: false })).toEqual([0, 0, 1, 0, 0, 0, 0, 0]);
    const unnoticed = facts([{ ...health, isNoticed: false, isAllowed: false }]);
    expect(of(CA, unnoticed)['SensitiveDataProcessing']).toEqual(Array(9).fill(0));
  });

  it('of one place for three kinds: refused as soon as one is', () => {
    const kinds = facts([purpose(['SENSITIVE_RACE']), purpose(['SENSITIVE_UNION'], { isAllowed: false })]);
    expect((of(CA, kinds)['SensitiveDataProcessing'] as number[])[3]).toBe(1);
  });

  it('of further processing: a consent', () => {
    const further = purpose(['ADDITIONAL_PROCESSING']);
    expect(of(CA, facts([further]))).toMatchObject({ PersonalDataConsents: 1 });
    expect(of(TX, facts([{ ...further, isConsented: true }]))).toMatchObject({ AdditionalDataProcessingConsent: 2 });
  });

  it('of the MSPA: whether the transaction is covered in any case, and the mode only then', () => {
    const under = (mspa: UsFacts['mspa'], id = CA) => of(id, facts([], { mspa }));
    expect(under({ covered: true, mode: 'OPT_OUT' })).toMatchObject({
      MspaCoveredTransaction: 1,
      MspaOptOutOptionMode: 1,
      MspaServiceProviderMode: 2,
    });
    expect(under({ covered: true, mode: 'SERVICE_PROVIDER' })).toMatchObject({
      MspaOptOutOptionMode: 2,
      MspaServiceProviderMode: 1,
    });
    expect(under({ covered: true, mode: null })).toMatchObject({ MspaOptOutOptionMode: 0, MspaServiceProviderMode: 0 });
    expect(under({ covered: false, mode: 'SERVICE_PROVIDER' })).toMatchObject({
      MspaCoveredTransaction: 2,
      MspaServiceProviderMode: 0,
    });
    expect(under({ covered: true, mode: 'OPT_OUT' }, 24)).toMatchObject({ MspaMode: 1, MspaVersion: 1 });
    expect(under({ covered: true, mode: 'SERVICE_PROVIDER' }, 24)).toMatchObject({ MspaMode: 2 });
  });

  it('of the signal stands behind a dot where the state has a place for it', () => {
    expect(of(CA, facts([], { gpc: true }))).toMatchObject({ Gpc: true });
    expect(of(VA, facts([], { gpc: true }))).not.toHaveProperty('Gpc');
  });
});

describe('the sections that apply', () => {
  const state = { approach: 'STATE', unsettledSections: false } as const;

  it('are those that the law of the place names, or the national one where the site wants one for all', () => {
    expect(sectionsFor([8], 'US-CA', state)).toEqual([8]);
    expect(sectionsFor([8], 'US-CA', { ...state, approach: 'NATIONAL' })).toEqual([7]);
    expect(sectionsFor([2], 'DE', { ...state, approach: 'NATIONAL' })).toEqual([2]);
    expect(sectionsFor([16, 8, 2], 'US', { ...state, approach: 'NATIONAL' })).toEqual([2, 7]);
    expect(sectionsFor([], 'US-NV', state)).toEqual([]);
    expect(sectionsFor([5], 'CA', { ...state, approach: 'NATIONAL' })).toEqual([5]);
  });

  it('are of the United States exactly where there is a layout', () => {
    const national = (id: number) => sectionsFor([id], null, { ...state, approach: 'NATIONAL' });
    for (let id = 1; id <= 60; id++) expect(national(id)).toEqual([US_SECTIONS.has(id) ? US_NATIONAL_ID : id]);
    expect(US_NATIONAL.id).toBe(US_NATIONAL_ID);
    for (const [place, id] of Object.entries(UNSETTLED_SECTIONS))
      expect(place.toLowerCase().replace('-', '')).toBe(US_SECTIONS.get(id)!.name);
  });

  it('are unsettled ones only where the site says so', () => {
    expect(sectionsFor([7], 'US-MD', state)).toEqual([7]);
    expect(sectionsFor([7], 'US-MD', { ...state, unsettledSections: true })).toEqual([24]);
    expect(sectionsFor([7], 'US-MD', { approach: 'NATIONAL', unsettledSections: true })).toEqual([7]);
    expect(sectionsFor([7], 'US-OK', { ...state, unsettledSections: true })).toEqual([7]);
    expect(sectionsFor([7], null, { ...state, unsettledSections: true })).toEqual([7]);
  });
});
