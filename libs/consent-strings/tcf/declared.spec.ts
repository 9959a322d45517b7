import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { STANDS_AT, vendorNamed } from '../../../test/support/standings.js';
import { RESTRICTION_TYPES, type VendorRestriction } from '../../catalogue/vendors/definition.js';
import type { GlobalVendorList, GvlVendor } from '../vendor-list/gvl.js';
import { SYNTHETIC_LISTS } from '../vendor-list/synthetic-list.js';
import { declaredOf, deletedBy, knownDeclared, maskOf, order, type DeclaredVendor } from './declared.js';

const entry = (id: number, more: Partial<GvlVendor> = {}): GvlVendor => ({
  ...{ id, name: `Vendor ${id}`, purposes: [], legIntPurposes: [], flexiblePurposes: [], specialPurposes: [] },
  ...{ features: [], specialFeatures: [], ...more },
});
const listOf = (...entries: GvlVendor[]): GlobalVendorList => ({
  ...SYNTHETIC_LISTS[0]!,
  vendors: Object.fromEntries(entries.map((each) => [each.id, each])),
});
const vendorOf = (id: number, ...restrictions: VendorRestriction[]) =>
  vendorNamed(`vendor_${id}`, { tcf: id, ...(restrictions.length > 0 && { restrictions }) });
const restriction = (purpose: number, type: VendorRestriction['type']): VendorRestriction => ({ purpose, type });
/** What one vendor does under restrictions. */
function under(declaration: Partial<GvlVendor>, ...restrictions: VendorRestriction[]): DeclaredVendor {
  return declaredOf([vendorOf(8, ...restrictions)], listOf(entry(8, declaration)), STANDS_AT).vendors[0]!;
}

it('purposes are bits: the first is the lowest', () => {
  expect([maskOf([]), maskOf([1]), maskOf([2, 11]), maskOf([24])]).toEqual([0, 1, 0b100_0000_0010, 1 << 23]);
});

describe('the vendors that a string can name', () => {
  it('are those that the banner discloses and that the list has, by id', () => {
    const list = listOf(entry(8), entry(77), entry(1100));
    const { vendors } = declaredOf(
      [vendorOf(1100), vendorOf(8), vendorOf(9), vendorNamed('none', {})],
      list,
      STANDS_AT,
    );
    expect(vendors.map(({ id }) => id)).toEqual([8, 1100]);
  });

  it('are none whose id is no more than a name that every object has', () => {
    const named = vendorNamed('odd', { tcf: 'constructor' as unknown as number });
    expect(declaredOf([named], listOf(entry(8)), STANDS_AT).vendors).toEqual([]);
  });

  it('are none that is deleted, from the very moment on', () => {
    const list = listOf(entry(8, { deletedDate: STANDS_AT }), entry(9, { deletedDate: '2026-11-20T12:00:00.001Z' }));
    expect(declaredOf([vendorOf(8), vendorOf(9)], list, STANDS_AT).vendors.map(({ id }) => id)).toEqual([9]);
  });
});

describe('what a vendor does', () => {
  const FLEXIBLE = { purposes: [1, 2], legIntPurposes: [7, 9], flexiblePurposes: [2, 7] };

  it('is what it declares, where the publisher restricts nothing', () =>
    expect(under(FLEXIBLE)).toEqual({ id: 8, consent: maskOf([1, 2]), legitimateInterest: maskOf([7, 9]) }));

  it.each<[string, VendorRestriction, number[], number[], boolean]>([
    ['forbidden, on consent', restriction(2, 'NOT_ALLOWED'), [1], [7, 9], true],
    ['forbidden, on legitimate interest', restriction(9, 'NOT_ALLOWED'), [1, 2], [7], true],
    ['forbidden, of what it does not do', restriction(3, 'NOT_ALLOWED'), [1, 2], [7, 9], false],
    ['moved to consent', restriction(7, 'REQUIRE_CONSENT'), [1, 2, 7], [9], true],
    ['moved to consent, though it is not flexible', restriction(9, 'REQUIRE_CONSENT'), [1, 2], [7, 9], false],
    ['moved to consent, where it is already', restriction(2, 'REQUIRE_CONSENT'), [1, 2], [7, 9], false],
    ['moved to legitimate interest', restriction(2, 'REQUIRE_LEGITIMATE_INTEREST'), [1], [2, 7, 9], true],
    ['moved to it where it is already', restriction(7, 'REQUIRE_LEGITIMATE_INTEREST'), [1, 2], [7, 9], false],
    ['moved to it, though it is not flexible', restriction(1, 'REQUIRE_LEGITIMATE_INTEREST'), [1, 2], [7, 9], false],
  ])('is less where the publisher says so: %s', (_, given, consent, interest, holds) => {
    expect(under(FLEXIBLE, given)).toMatchObject({ consent: maskOf(consent), legitimateInterest: maskOf(interest) });
    const { restrictions } = declaredOf([vendorOf(8, given)], listOf(entry(8, FLEXIBLE)), STANDS_AT);
    expect(restrictions).toEqual(holds ? [{ ...given, vendorId: 8 }] : []);
  });

  it('is never on legitimate interest for what TCF wants consent for, even where a list calls it flexible', () => {
    for (const purpose of [1, 3, 4, 5, 6]) {
      const declaration = { purposes: [purpose], flexiblePurposes: [purpose] };
      expect(under(declaration, restriction(purpose, 'REQUIRE_LEGITIMATE_INTEREST'))).toMatchObject({
        consent: maskOf([purpose]),
        legitimateInterest: 0,
      });
    }
    for (const purpose of [2, 7, 8, 9, 10, 11]) {
      const declaration = { purposes: [purpose], flexiblePurposes: [purpose] };
      expect(under(declaration, restriction(purpose, 'REQUIRE_LEGITIMATE_INTEREST')).consent).toBe(0);
    }
  });

  it('is never more than it declares, and never one purpose on two bases, whatever is restricted', () => {
    const ids = (max: number) => fc.subarray([1, 2, 3, 7, 8, 9, 10, 11], { maxLength: max });
    const restrictions = fc.uniqueArray(
      fc.record({ purpose: fc.integer({ min: 1, max: 11 }), type: fc.constantFrom(...RESTRICTION_TYPES) }),
      { maxLength: 5, selector: ({ purpose }) => purpose },
    );
    fc.assert(
      fc.property(ids(5), ids(4), ids(8), restrictions, (purposes, interests, flexiblePurposes, given) => {
        const legIntPurposes = interests.filter((id) => ![...purposes, 1, 3].includes(id));
        const { consent, legitimateInterest } = under({ purposes, legIntPurposes, flexiblePurposes }, ...given);
        expect(consent & legitimateInterest).toBe(0);
        expect((consent | legitimateInterest) & ~maskOf([...purposes, ...legIntPurposes])).toBe(0);
        expect(legitimateInterest & maskOf([1, 3, 4, 5, 6])).toBe(0);
        for (const { purpose, type } of given)
          if (type === 'NOT_ALLOWED') expect((consent | legitimateInterest) & maskOf([purpose])).toBe(0);
      }),
    );
  });
});

it('restrictions are in the order in which strings group them: purpose, type, vendor', () => {
  const every = { purposes: [1, 2, 7], flexiblePurposes: [2, 7] };
  const list = listOf(entry(8, every), entry(9, every), entry(10, every));
  const { restrictions } = declaredOf(
    [
      vendorOf(10, restriction(7, 'NOT_ALLOWED'), restriction(2, 'NOT_ALLOWED')),
      vendorOf(9, restriction(2, 'REQUIRE_LEGITIMATE_INTEREST')),
      vendorOf(8, restriction(2, 'NOT_ALLOWED')),
    ],
    list,
    STANDS_AT,
  );
  expect(restrictions.map((each) => [each.purpose, order(each), each.vendorId])).toEqual([
    [2, 0, 8],
    [2, 0, 10],
    [2, 2, 9],
    [7, 0, 10],
  ]);
  expect(RESTRICTION_TYPES.map((type) => order({ type }))).toEqual([0, 1, 2]);
});

describe('what was made of a list once', () => {
  const list = listOf(
    entry(8),
    entry(9, { deletedDate: '2026-11-21T00:00:00Z' }),
    entry(10, { deletedDate: '2026-11-19T00:00:00Z' }),
    entry(11, { deletedDate: '2026-11-22T00:00:00Z' }),
  );

  it('holds until a vendor is deleted, the list is another, or other vendors are disclosed', () => {
    const vendors = [vendorOf(8), vendorOf(9)];
    const ids = (shown: typeof vendors, of: GlobalVendorList, at: string) =>
      knownDeclared(shown, of, at).vendors.map(({ id }) => id);
    const first = knownDeclared(vendors, list, STANDS_AT);
    expect(knownDeclared(vendors, list, '2026-11-20T23:59:59.999Z')).toBe(first);
    expect(ids(vendors, list, '2026-11-21T00:00:00.000Z')).toEqual([8]);
    // Back in time, as `asOf` asks.
    expect(ids(vendors, list, STANDS_AT)).toEqual([8, 9]);
    expect(ids(vendors, listOf(entry(9)), STANDS_AT)).toEqual([9]);
    expect(ids([vendorOf(8)], list, STANDS_AT)).toEqual([8]);
  });

  it('counts who is deleted at a moment', () => {
    const at = (day: number) => deletedBy(list, `2026-11-${day}T00:00:00.000Z`);
    expect([at(18), at(19), at(20), at(21), at(22), at(30)]).toEqual([0, 1, 1, 2, 3, 3]);
    expect(deletedBy(listOf(entry(8)), STANDS_AT)).toBe(0);
  });
});
