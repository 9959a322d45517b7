import type { AdoptedVendorList } from '../../catalogue/index.js';
import { agreedList, withDeletionsOf } from './agreed-list.js';
import { isLiveVendor } from './gvl.js';
import { SYNTHETIC_LISTS } from './synthetic-list.js';

const day = (n: number): string => `2026-11-${String(n).padStart(2, '0')}T12:00:00.000Z`;
const adopted = (n: number, ...renewals: string[]): AdoptedVendorList => ({
  version: 170 + n,
  digest: `digest of ${n}`,
  renewals,
  adoptedAt: day(n),
});
const ALL = [adopted(1), adopted(8, 'ads'), adopted(15), adopted(22, 'ads', 'figures')];
const versionFor = (granted: [key: string, on: number][], at = 30): number | null =>
  agreedList(
    ALL,
    granted.map(([key, on]) => ({ key, givenAt: day(on) })),
    day(at),
  )?.version ?? null;

describe('the list that the strings of a subject are made with', () => {
  it('is the newest where nothing was granted before a vendor asked for more of it', () => {
    expect(versionFor([])).toBeNull();
    expect(versionFor([['other', 1]])).toBeNull();
    expect(versionFor([['ads', 22]])).toBeNull();
    expect(versionFor([['figures', 23]])).toBeNull();
  });

  it('is the last one before the first that asks for more than was granted', () => {
    expect(versionFor([['ads', 2]])).toBe(171);
    expect(versionFor([['ads', 9]])).toBe(185);
    expect(versionFor([['figures', 2]])).toBe(185);
    expect(
      versionFor([
        ['figures', 2],
        ['ads', 2],
      ]),
    ).toBe(171);
    // The one was renewed, the other not.
    expect(
      versionFor([
        ['figures', 2],
        ['ads', 23],
      ]),
    ).toBe(185);
  });

  it('is what it was at that time', () => {
    expect(versionFor([['ads', 9]], 21)).toBeNull();
    expect(versionFor([['ads', 2]], 7)).toBeNull();
    expect(versionFor([['ads', 2]], 8)).toBe(171);
  });
});

it('an older list names no vendor that was deleted since', () => {
  const [older, newest] = [structuredClone(SYNTHETIC_LISTS.at(-1)!), structuredClone(SYNTHETIC_LISTS.at(-1)!)];
  newest.vendors[793]!.deletedDate = day(20);
  delete newest.vendors[8];
  newest.vendors[77]!.purposes = [];
  const { vendors, vendorListVersion } = withDeletionsOf(newest, older);
  const live = Object.values(vendors).filter((vendor) => isLiveVendor(vendor, day(21)));
  expect(live.map(({ id }) => id)).toEqual([28, 42, 77, 131, 202, 404, 755, 1100]);
  expect(
    Object.values(vendors)
      .filter((vendor) => isLiveVendor(vendor, day(18)))
      .map(({ id }) => id),
  ).toContain(793);
  expect([vendors[77], vendorListVersion]).toEqual([older.vendors[77], older.vendorListVersion]);
});
