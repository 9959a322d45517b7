import { NO_FRAMEWORKS } from '../../access/index.js';
import { catalogueFold, type CatalogueEvent, type PurposeDefinition, type Vendor } from '../../catalogue/index.js';
import type { ConsentStanding, PurposeView } from '../../consent/index.js';
import { fold } from '../../kernel/index.js';
import { ruleAt } from '../../policy/index.js';
import { standingOf, type Standing } from './standing.js';

const AT = '2026-11-20T12:00:00.000Z';
const day = (number: number): string => `2026-11-${String(number).padStart(2, '0')}T00:00:00.000Z`;
const published = (key: string, more: Partial<PurposeDefinition> = {}, since = 1, version = 1): CatalogueEvent =>
  ({
    type: 'PurposePublished',
    data: {
      version,
      change: { from: version - 1 || null, kind: 'EDITORIAL', summary: '' },
      effectiveFrom: day(since),
      publishedAt: day(since),
      definition: {
        key,
        legalBasis: 'CONSENT',
        consentModel: 'OPT_IN',
        category: 'MARKETING',
        gpc: false,
        frameworks: { tcf: { purposes: [], specialFeatures: [] }, google: [], us: [] },
        ...more,
      },
    },
  }) as unknown as CatalogueEvent;
const tcf = (...purposes: number[]): Partial<PurposeDefinition> => ({
  frameworks: { tcf: { purposes, specialFeatures: [] }, google: [], us: [] },
});
const vendor = (key: string): Vendor => ({
  key,
  name: key,
  country: null,
  privacyPolicy: null,
  purposeKeys: [],
  frameworks: { tcf: 755, google: null },
});
const vendorsPublished = (...keys: string[]): CatalogueEvent =>
  ({
    type: 'VendorsPublished',
    data: { version: 1, effectiveFrom: day(1), definition: { vendors: keys.map(vendor) } },
  }) as unknown as CatalogueEvent;
const bannerPublished = (banner: { publisherCountry: string | null; vendors?: string[] }): CatalogueEvent =>
  ({
    type: 'BannerPublished',
    data: { version: 1, effectiveFrom: day(1), definition: { tcf: banner, google: { waitForUpdateMs: 250 } } },
  }) as unknown as CatalogueEvent;

const view = (more: Partial<PurposeView> = {}): PurposeView => ({
  state: 'NOT_COLLECTED',
  effective: 'BLOCKED',
  effectiveReason: 'NEVER_ASKED',
  purposeVersion: null,
  givenAt: null,
  recordedAt: null,
  expiresAt: null,
  source: null,
  renewal: { required: false, reason: null },
  receiptId: null,
  ...more,
});
const consent = (more: Partial<ConsentStanding> = {}): ConsentStanding => ({
  subjectId: 'sub_1',
  revision: 0,
  at: AT,
  purposes: {},
  vendors: undefined,
  gpc: { active: false, since: null },
  dated: ruleAt({ country: 'DE', region: null }, AT),
  ...more,
});
const standing = (events: CatalogueEvent[], more: Partial<ConsentStanding> = {}): Standing =>
  standingOf(consent(more), fold(catalogueFold, events), { settings: NO_FRAMEWORKS, locale: 'en' });

describe('a purpose', () => {
  it('stands as the state says, with what would hold had the visitor not chosen', () => {
    const ads = view({ state: 'GRANTED', effective: 'BLOCKED', effectiveReason: 'SIGNAL_GPC' });
    const events = [published('ads', { consentModel: 'OPT_OUT' })];
    const [inGermany] = standing(events, { purposes: { ads } }).purposes;
    expect(inGermany).toMatchObject({
      state: 'GRANTED',
      effective: 'BLOCKED',
      reason: 'SIGNAL_GPC',
      byDefault: 'BLOCKED',
    });
    const dated = ruleAt({ country: 'US', region: 'US-CA' }, AT);
    expect(standing(events, { purposes: { ads }, dated }).purposes[0]!.byDefault).toBe('ALLOWED');
  });

  it('that is retired, or in force only later, is not asked for', () => {
    const events = [
      published('ads'),
      published('later', {}, 25),
      published('old'),
      { type: 'PurposeRetired', data: { key: 'old', retiredAt: day(2) } } as CatalogueEvent,
    ];
    const purposes = { ads: view(), later: view(), old: view() };
    expect(standing(events, { purposes }).purposes.map(({ key }) => key)).toEqual(['ads']);
  });

  it('of the site’s own keeps its number, whatever is published later', () => {
    const before = [published('z', {}, 1), published('a', {}, 2), published('tcf', tcf(1), 1)];
    expect(standing(before).ownPurposes).toEqual(['z', 'a']);
    const after = [...before, published('z', tcf(1), 3, 2), published('tcf', {}, 4, 2), published('0', {}, 5)];
    expect(standing(after).ownPurposes).toEqual(['z', 'a', 'tcf', '0']);
  });

  it('of the site’s own has its number from the moment at which it is one, those of one moment by their keys', () => {
    const events = ['b', 'c', 'a'].map((key) => published(key));
    expect(standing(events).ownPurposes).toEqual(['a', 'b', 'c']);
    const becomesOwn = (since: number): CatalogueEvent[] => [published('x', tcf(1)), published('x', {}, since, 2)];
    expect(standing(becomesOwn(25)).ownPurposes).toEqual([]);
    expect(standing(becomesOwn(20), { at: day(20) }).ownPurposes).toEqual(['x']);
  });
});

it('vendors are those that the banner tells people of, else all', () => {
  const all = [vendorsPublished('a', 'b')];
  expect(standing(all)).toMatchObject({
    vendors: [{ key: 'a' }, { key: 'b' }],
    publisherCountry: null,
    waitForUpdateMs: null,
  });
  expect(standing([...all, bannerPublished({ publisherCountry: 'DE' })])).toMatchObject({
    vendors: [{ key: 'a' }, { key: 'b' }],
    publisherCountry: 'DE',
    waitForUpdateMs: 250,
  });
  expect(standing([...all, bannerPublished({ publisherCountry: 'DE', vendors: ['b'] })]).vendors).toEqual([
    vendor('b'),
  ]);
});

it('Global Privacy Control binds where it is on and the place says so', () => {
  const gpc = { active: true, since: null };
  const california = ruleAt({ country: 'US', region: 'US-CA' }, AT);
  expect(standing([], { gpc }).gpc).toEqual({ active: true, binds: false });
  expect(standing([], { gpc, dated: california }).gpc).toEqual({ active: true, binds: true });
  expect(standing([], { dated: california }).gpc).toEqual({ active: false, binds: false });
});

describe('what was said last', () => {
  const choice = { recordId: 'rec_1', source: 'API', granted: { TCF: [8] }, denied: {} } as const;
  it.each<[string, Partial<ConsentStanding>, string | null]>([
    ['is a decision', { purposes: { a: view({ givenAt: day(3) }), b: view({ givenAt: day(2) }) } }, day(3)],
    [
      'is the end of a grant',
      { purposes: { a: view({ state: 'EXPIRED', givenAt: day(3), expiresAt: day(9) }) } },
      day(9),
    ],
    [
      'is not the end of a grant that is yet to come',
      { purposes: { a: view({ state: 'GRANTED', givenAt: day(3), expiresAt: day(28) }) } },
      day(3),
    ],
    [
      'is a decision about a vendor',
      { purposes: { a: view({ givenAt: day(3) }) }, vendors: [{ ...choice, givenAt: day(4), expiresAt: null }] },
      day(4),
    ],
    ['is the end of a grant to a vendor', { vendors: [{ ...choice, givenAt: day(4), expiresAt: day(6) }] }, day(6)],
    [
      'is not the end of a grant to a vendor that is yet to come',
      { vendors: [{ ...choice, givenAt: day(4), expiresAt: day(28) }] },
      day(4),
    ],
    [
      'is the end of a grant that ends at this moment',
      { vendors: [{ ...choice, givenAt: day(4), expiresAt: AT }] },
      AT,
    ],
    [
      'is not the end of what was taken back before',
      { purposes: { a: view({ state: 'WITHDRAWN', givenAt: day(3), expiresAt: day(9) }) } },
      day(3),
    ],
    ['is a signal', { gpc: { active: true, since: day(5) } }, day(5)],
    ['is what was published, where the subject said nothing', {}, day(1)],
  ])('%s', (_, more, at) => {
    const { lastChangedAt, hasChosen } = standing([published('a')], more);
    expect([lastChangedAt, hasChosen]).toEqual([at, at !== day(1)]);
  });

  it('is nothing where there is nothing to say', () => expect(standing([]).lastChangedAt).toBeNull());
});

it('each framework has its own ids of vendors', () => {
  const vendors = [
    {
      recordId: 'rec_1',
      source: 'API' as const,
      givenAt: day(2),
      expiresAt: null,
      granted: { TCF: [8] },
      denied: { GOOGLE: [8] },
    },
  ];
  const { decided } = standing([], { vendors });
  expect([decided.TCF.get(8), decided.GOOGLE.get(8)]).toEqual(['GRANTED', 'DENIED']);
});
