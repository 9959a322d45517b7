import type { GlobalVendorList, GvlVendor } from './gvl.js';
import { LIST_BYTES_MAX, readList } from './read-list.js';
import { readTexts, translated } from './read-texts.js';
import { SYNTHETIC_LISTS } from './synthetic-list.js';
import { SYNTHETIC_TEXTS_DE } from './synthetic-texts.de.js';

const LIST = SYNTHETIC_LISTS.at(-1)!;
const bytes = (value: unknown): Buffer => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- what is read may be anything
type Anything = Record<string, any>;
const changed = (change: (list: Anything) => void): Buffer => {
  const list = structuredClone(LIST) as unknown as Anything;
  change(list);
  return bytes(list);
};
const ofVendor = (change: Partial<Record<keyof GvlVendor, unknown>>): Buffer =>
  changed(({ vendors }) => Object.assign(vendors[8], change));

describe('a vendor list', () => {
  it('is read as it is, with what it has besides', () => {
    const with178 = changed((list) => Object.assign(list, { vendorListVersion: 178, more: { of: 'something' } }));
    const read = readList(with178) as { content: GlobalVendorList; offered: object };
    expect(read.offered).toEqual({
      version: 178,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      tcfPolicyVersion: 5,
      lastUpdated: '2026-11-19T16:00:00.000Z',
      vendors: Object.keys(LIST.vendors).length,
    });
    expect(read.content).toEqual(JSON.parse(with178.toString()));
  });

  it('is the same one in whatever order its members come', () => {
    const turned = Object.fromEntries(Object.entries(LIST).reverse());
    const [one, other] = [readList(bytes(LIST)), readList(bytes(turned))] as { offered: { digest: string } }[];
    expect(one!.offered.digest).toBe(other!.offered.digest);
  });

  it.each<[what: string, bytes: () => Buffer, reason: string, detail: RegExp | null]>([
    ['too large', () => Buffer.alloc(LIST_BYTES_MAX + 1, ' '), 'TOO_LARGE', /bytes$/],
    ['broken', () => bytes(LIST).subarray(0, 1_000), 'NOT_JSON', null],
    ['a page', () => bytes('<html>'), 'NOT_JSON', null],
    ['no text', () => Buffer.from([0x22, 0xff, 0x22]), 'NOT_JSON', null],
    ['empty', () => Buffer.alloc(0), 'NOT_JSON', null],
    ['a list of things', () => bytes([LIST]), 'NOT_A_LIST', /no object/],
    ['null', () => bytes('null'), 'NOT_A_LIST', /no object/],
    ['of TCF 2.0', () => changed((list) => (list.gvlSpecificationVersion = 2)), 'OTHER_SPECIFICATION', /is 2, not 3/],
    ['without a number', () => changed((list) => delete list.vendorListVersion), 'NOT_A_LIST', /^vendorListVersion/],
    ['beyond 12 bits', () => changed((list) => (list.vendorListVersion = 4096)), 'NOT_A_LIST', /^vendorListVersion/],
    ['of no policy', () => changed((list) => (list.tcfPolicyVersion = 64)), 'NOT_A_LIST', /^tcfPolicyVersion/],
    ['of no time', () => changed((list) => (list.lastUpdated = 'today')), 'NOT_A_LIST', /^lastUpdated/],
    ['without features', () => changed((list) => delete list.features), 'NOT_A_LIST', /^features is no object/],
    ['of one purpose named twice', () => changed(({ purposes }) => (purposes[2].id = 1)), 'NOT_A_LIST', /^purposes\.2/],
    ['without a text', () => changed(({ stacks }) => delete stacks[1].description), 'NOT_A_LIST', /^stacks\.1/],
    ['without vendors', () => changed((list) => (list.vendors = {})), 'NOT_A_LIST', /^vendors has 0/],
    ['of vendors in a list', () => changed((list) => (list.vendors = [])), 'NOT_A_LIST', /^vendors is no object/],
    [
      'of a vendor that is null',
      () => changed(({ vendors }) => (vendors[8] = null)),
      'NOT_A_LIST',
      /^vendors\.8: it is/,
    ],
    ['of a vendor elsewhere', () => ofVendor({ id: 9 }), 'NOT_A_LIST', /^vendors\.8: its id/],
    [
      'of an id beyond 16 bits',
      () => changed(({ vendors }) => (vendors[70_000] = { ...vendors[8], id: 70_000 })),
      'NOT_A_LIST',
      /^vendors\.70000: its id/,
    ],
    ['of a vendor without a name', () => ofVendor({ name: '' }), 'NOT_A_LIST', /^vendors\.8: it has no name/],
    ['of a vendor deleted some day', () => ofVendor({ deletedDate: 'soon' }), 'NOT_A_LIST', /deletedDate/],
    ['of a purpose that it lacks', () => ofVendor({ purposes: [12] }), 'NOT_A_LIST', /^vendors\.8: purposes names/],
    ['of a purpose in words', () => ofVendor({ purposes: ['1'] }), 'NOT_A_LIST', /^vendors\.8: purposes names/],
    ['of purposes in words', () => ofVendor({ legIntPurposes: '12' }), 'NOT_A_LIST', /legIntPurposes names/],
    ['of a feature that it lacks', () => ofVendor({ specialFeatures: [3] }), 'NOT_A_LIST', /specialFeatures names/],
    ['of a purpose twice', () => ofVendor({ purposes: [1, 1] }), 'NOT_A_LIST', /purposes names something twice/],
    ['of a purpose on two bases', () => ofVendor({ legIntPurposes: [1] }), 'NOT_A_LIST', /two legal bases/],
  ])('is none that is %s', (_, given, reason, detail) => {
    const unfit = readList(given());
    expect(unfit).toMatchObject({ reason, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
    if (detail === null) expect(unfit).toMatchObject({ detail: null });
    else expect((unfit as { detail: string }).detail).toMatch(detail);
  });

  it('of 1,100 vendors is read in less than its time to come', () => {
    const large = changed(({ vendors }) => {
      for (let id = 2_000; id < 3_100; id++) vendors[id] = { ...vendors[77], id };
    });
    expect(readList(large)).toMatchObject({ offered: { vendors: Object.keys(LIST.vendors).length + 1_100 } });
  });
});

describe('texts in another language', () => {
  it('take the place of those of the list, and of nothing else', () => {
    const texts = readTexts(bytes({ ...SYNTHETIC_TEXTS_DE, vendorListVersion: 9, vendors: {} }))!;
    expect(texts).toEqual(JSON.parse(JSON.stringify(SYNTHETIC_TEXTS_DE)));
    const german = translated(LIST, texts);
    expect(german.purposes[7]).toEqual({ ...SYNTHETIC_TEXTS_DE.purposes[7], id: 7 });
    expect([german.vendors, german.vendorListVersion]).toEqual([LIST.vendors, LIST.vendorListVersion]);
    // What stands behind a word is said by the list alone.
    const forged = structuredClone(SYNTHETIC_TEXTS_DE);
    forged.stacks[2]!.purposes = [1, 2, 3];
    expect(translated(LIST, forged).stacks[2]!.purposes).toEqual(LIST.stacks[2]!.purposes);
  });

  it('leave in the words of the list what they lack', () => {
    const { 11: _, ...purposes } = SYNTHETIC_TEXTS_DE.purposes;
    // Texts of TCF 2.4 that a layer shows as they are: a list may lack them, and so may a translation.
    const standardTexts = { features: 'So dürfen Partner Daten verarbeiten.' };
    const told = readTexts(bytes({ ...SYNTHETIC_TEXTS_DE, standardTexts }))!;
    expect(translated({ ...LIST, standardTexts: { features: 'Partners may.' } }, told).standardTexts).toEqual(
      standardTexts,
    );
    expect(readTexts(bytes({ ...SYNTHETIC_TEXTS_DE, standardTexts: { features: 1 } }))).not.toHaveProperty(
      'standardTexts',
    );
    const part = translated(LIST, { ...SYNTHETIC_TEXTS_DE, purposes });
    expect(part.purposes[11]).toEqual(LIST.purposes[11]);
  });

  it.each([
    ['broken', '{'],
    ['null', 'null'],
    ['a list of something else', '{"purposes":{}}'],
    ['too many', JSON.stringify({ ...SYNTHETIC_TEXTS_DE, more: ' '.repeat(1_048_576) })],
  ])('are none that are %s', (_, text) => {
    expect(readTexts(bytes(text))).toBeNull();
  });
});
