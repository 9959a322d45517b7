import { readFileSync } from 'node:fs';
import type { CatalogueEvent, PurposePublishedData } from '../../catalogue/index.js';
import { catalogueFold, vendorsAskMoreSince } from '../../catalogue/index.js';
import { fold, isRefusal } from '../../kernel/index.js';
import { adoptList } from './adopt.js';
import type { GvlVendor } from './gvl.js';
import { SYNTHETIC } from './synthetic.js';
import type { VendorList } from './vendor-lists.js';

const AT = '2026-11-23T12:00:00.000Z';
const LATER = '2026-11-30T12:00:00.000Z';
const golden = <D>(name: string): D =>
  (JSON.parse(readFileSync(new URL(`../../../test/history/${name}.json`, import.meta.url), 'utf8')) as { data: D })
    .data;
const PURPOSE = golden<PurposePublishedData>('PurposePublished.v1');
const purpose = (key: string, purposes: number[], specialFeatures: number[] = []): CatalogueEvent => ({
  type: 'PurposePublished',
  data: {
    ...PURPOSE,
    effectiveFrom: '2026-01-01T00:00:00.000Z',
    definition: {
      ...PURPOSE.definition,
      key,
      frameworks: { ...PURPOSE.definition.frameworks, tcf: { purposes, specialFeatures } },
    },
  },
});
/** 755 and 793. */
const VENDORS: CatalogueEvent = { type: 'VendorsPublished', data: golden('VendorsPublished.v1') };
const SHOP = [purpose('ads', [2, 3, 4]), purpose('figures', [7, 8]), purpose('place', [], [1]), VENDORS];
const list = (version: number, vendors: Record<number, Partial<GvlVendor>> = {}): VendorList => {
  const content = structuredClone(SYNTHETIC.at(-1)!.content);
  for (const [id, change] of Object.entries(vendors)) Object.assign(content.vendors[id]!, change);
  return { version, digest: `digest of ${version}`, isSynthetic: false, content };
};
const adopted = (next: VendorList, before: VendorList | null, events: readonly CatalogueEvent[], at = LATER) => {
  const decided = adoptList(next, before, fold(catalogueFold, events), at);
  if (isRefusal(decided)) throw new Error(decided.message);
  return decided.events;
};
const OLD = list(177);
const FIRST = adopted(OLD, null, SHOP, AT);

describe('a site that names vendors', () => {
  it('adopts the first list without asking any person again', () => {
    expect(FIRST).toEqual([
      {
        type: 'VendorListAdopted',
        data: {
          version: 177,
          digest: 'digest of 177',
          tcfPolicyVersion: 5,
          lastUpdated: '2026-11-19T16:00:00.000Z',
          previous: null,
          extended: [],
          renewals: [],
          adoptedAt: AT,
        },
      },
    ]);
  });

  it('adopts none twice, and never the synthetic one', () => {
    expect(adopted(OLD, OLD, [...SHOP, ...FIRST])).toEqual([]);
    expect(adopted(SYNTHETIC.at(-1)!, null, SHOP)).toEqual([]);
  });

  it.each<[what: string, change: Partial<GvlVendor>, extended: object, renewals: string[]]>([
    ['another purpose', { purposes: [1, 2, 3, 4, 7, 8] }, { purposes: [8], specialFeatures: [] }, ['figures']],
    [
      'a purpose on another basis',
      { purposes: [1, 3, 4, 7], legIntPurposes: [2, 10] },
      { purposes: [2], specialFeatures: [] },
      ['ads'],
    ],
    ['a special feature', { specialFeatures: [1] }, { purposes: [], specialFeatures: [1] }, ['place']],
    ['what no purpose stands for', { purposes: [1, 2, 3, 4, 6, 7] }, { purposes: [6], specialFeatures: [] }, []],
  ])('asks again where one of them asks for %s', (_, change, extended, renewals) => {
    expect(adopted(list(178, { 793: change }), OLD, [...SHOP, ...FIRST])).toMatchObject([
      { data: { version: 178, previous: 177, extended: [{ vendor: 793, ...extended }], renewals } },
    ]);
  });

  it('asks no person again where a vendor asks for less, for what needs no choice, or is not named', () => {
    const next = list(178, {
      793: { purposes: [1], legIntPurposes: [], specialPurposes: [1, 2, 3], features: [1, 2, 3] },
      8: { purposes: [1, 2, 3, 4, 5, 6, 7] },
    });
    expect(adopted(next, OLD, [...SHOP, ...FIRST])).toMatchObject([{ data: { extended: [], renewals: [] } }]);
  });

  it('asks where a vendor that it names comes onto the list, and not where one leaves it', () => {
    const [with793, without] = [list(177), list(177)];
    delete without.content.vendors[793];
    expect(adopted({ ...with793, version: 178, digest: 'b' }, without, [...SHOP, ...FIRST])).toMatchObject([
      { data: { extended: [{ vendor: 793, purposes: [1, 2, 3, 4, 7, 10] }], renewals: ['ads', 'figures'] } },
    ]);
    expect(adopted({ ...without, version: 178, digest: 'b' }, with793, [...SHOP, ...FIRST])).toMatchObject([
      { data: { extended: [], renewals: [] } },
    ]);
  });
});

it('a site that names none adopts no list', () => {
  expect(adopted(OLD, null, [purpose('ads', [2])])).toEqual([]);
});

it('vendors ask for more since the adoption, of the purposes that it names', () => {
  const second = adopted(list(178, { 793: { purposes: [1, 2, 3, 4, 7, 8] } }), OLD, [...SHOP, ...FIRST]);
  const state = fold(catalogueFold, [...SHOP, ...FIRST, ...second]);
  expect(vendorsAskMoreSince(state, 'figures', LATER)).toBe(LATER);
  expect(vendorsAskMoreSince(state, 'figures', AT)).toBeNull();
  expect(vendorsAskMoreSince(state, 'ads', LATER)).toBeNull();
  const third = adopted(list(179), list(178), [...SHOP, ...FIRST, ...second], '2026-12-07T12:00:00.000Z');
  expect(
    vendorsAskMoreSince(
      fold(catalogueFold, [...SHOP, ...FIRST, ...second, ...third]),
      'figures',
      '2027-01-01T00:00:00.000Z',
    ),
  ).toBe(LATER);
});
