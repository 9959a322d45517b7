import { fold, isRefusal } from '../../kernel/index.js';
import { offerList, offerTexts, type OfferedList, type UnfitList } from './decide.js';
import type { VendorListEvent } from './events.js';
import { takenAt, vendorListsFold } from './state.js';

const AT = '2026-11-23T12:00:00.000Z';
const offered = (version: number, digest = `digest of ${version}`): OfferedList => ({
  version,
  digest,
  tcfPolicyVersion: 5,
  lastUpdated: AT,
  vendors: 11,
});
const unfit: UnfitList = { reason: 'NOT_JSON', detail: null, digest: 'of the bytes' };
const taken = (version: number, at = AT): VendorListEvent => ({
  type: 'VendorListTaken',
  data: { ...offered(version), from: 'FILE', takenAt: at },
});
/** What happens of an offer after these events, without when and from where. */
const after = (offer: OfferedList | UnfitList, ...before: VendorListEvent[]): object[] => {
  const decided = offerList(offer, 'UPSTREAM', fold(vendorListsFold, before), AT);
  if (isRefusal(decided)) throw new Error(decided.message);
  return decided.events.map(({ type, data }) => ({ type, ...data }));
};
const REFUSED = { type: 'VendorListRefused', from: 'UPSTREAM', refusedAt: AT };

describe('a list that is offered', () => {
  it('is taken where it is the first, or newer than the one in use', () => {
    const wanted = { type: 'VendorListTaken', ...offered(178), from: 'UPSTREAM', takenAt: AT };
    expect(after(offered(178))).toEqual([wanted]);
    expect(after(offered(178), taken(177))).toEqual([wanted]);
  });

  it('changes nothing where it is the one in use', () => {
    expect(after(offered(178), taken(178))).toEqual([]);
  });

  it('is refused where it is older, or another one under the number in use', () => {
    const detail = 'version 178 is in use';
    expect(after(offered(177), taken(178))).toEqual([
      { ...REFUSED, reason: 'OLDER', detail, version: 177, digest: 'digest of 177' },
    ]);
    expect(after(offered(178, 'other'), taken(178))).toEqual([
      { ...REFUSED, reason: 'CHANGED_WITHOUT_NUMBER', detail, version: 178, digest: 'other' },
    ]);
  });

  it('is refused where it is none, and the list in use stays', () => {
    expect(after(unfit, taken(178))).toEqual([{ ...REFUSED, ...unfit, version: null }]);
    const state = fold(vendorListsFold, [
      taken(178),
      { type: 'VendorListRefused', data: { ...unfit, version: null, from: 'FILE', refusedAt: AT } },
    ]);
    expect([state.taken.at(-1)?.version, state.refused?.reason]).toEqual([178, 'NOT_JSON']);
  });

  it('is refused once, and again where it is refused for something else or another one was taken since', () => {
    const refused: VendorListEvent = {
      type: 'VendorListRefused',
      data: { ...unfit, version: null, from: 'FILE', refusedAt: AT },
    };
    expect(after(unfit, refused)).toEqual([]);
    expect(after({ ...unfit, reason: 'NOT_A_LIST' }, refused)).toHaveLength(1);
    expect(after({ ...unfit, digest: 'others' }, refused)).toHaveLength(1);
    expect(after({ ...unfit, detail: 'elsewhere' }, refused)).toHaveLength(1);
    expect(after(unfit, refused, taken(178))).toHaveLength(1);
  });
});

it('the list that was in use at a time is the newest that was taken by then', () => {
  const [first, second] = ['2026-11-01T00:00:00.000Z', '2026-11-08T00:00:00.000Z'];
  const state = fold(vendorListsFold, [taken(177, first), taken(178, second)]);
  expect(
    ['2026-10-31T23:59:59.999Z', first, '2026-11-07T23:59:59.999Z', second].map((at) => takenAt(state, at)?.version),
  ).toEqual([undefined, 177, 177, 178]);
});

it('texts are taken where they differ from those of their language', () => {
  const event: VendorListEvent = {
    type: 'VendorListTextsTaken',
    data: { locale: 'de', digest: 'a', from: 'FILE', takenAt: AT },
  };
  const state = fold(vendorListsFold, [event]);
  expect(offerTexts('de', 'a', 'FILE', state, AT)).toMatchObject({ events: [] });
  expect(offerTexts('de', 'b', 'FILE', state, AT)).toMatchObject({ events: [{ data: { locale: 'de', digest: 'b' } }] });
  expect(offerTexts('fr', 'a', 'FILE', state, AT)).toMatchObject({ events: [{ data: { locale: 'fr', digest: 'a' } }] });
});
