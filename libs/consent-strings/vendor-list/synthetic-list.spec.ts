import { createHash } from 'node:crypto';
import { canonicalJson } from '../../kernel/index.js';
import { isLiveVendor } from './gvl.js';
import { SYNTHETIC_LISTS } from './synthetic-list.js';

/** SHA-256 of each version that a release ever brought. Never edited: strings are explained by these. */
const DIGESTS: Record<number, string> = { 1: 'd6ac937bcc5d76d9d81ca567a0664a3e10a45a10f6c82bc8b3e476d216cfffd2' };

const newest = SYNTHETIC_LISTS.at(-1)!;
const vendors = Object.values(newest.vendors);

describe('the synthetic vendor list', () => {
  it('stays as it was handed out, version by version', () => {
    const digests = SYNTHETIC_LISTS.map((list): [number, string] => [
      list.vendorListVersion,
      createHash('sha256').update(canonicalJson(list)).digest('hex'),
    ]);
    expect(Object.fromEntries(digests)).toEqual(DIGESTS);
  });

  it('says in itself and of every vendor that it is synthetic', () => {
    expect(newest).toMatchObject({ synthetic: true, gvlSpecificationVersion: 3, tcfPolicyVersion: 5 });
    for (const { name } of vendors) expect(name).toMatch(/ \(synthetic\)$/);
  });

  it('has vendors of every kind of declaration', () => {
    const has = (is: (vendor: (typeof vendors)[number]) => boolean) => expect(vendors.some(is)).toBe(true);
    has(({ purposes, legIntPurposes }) => purposes.length === 0 && legIntPurposes.length > 0);
    has(
      ({ purposes, legIntPurposes, specialPurposes }) =>
        purposes.length + legIntPurposes.length === 0 && specialPurposes.length > 0,
    );
    has(({ purposes, flexiblePurposes }) => flexiblePurposes.some((id) => purposes.includes(id)));
    has(({ legIntPurposes, flexiblePurposes }) => flexiblePurposes.some((id) => legIntPurposes.includes(id)));
    has(({ specialFeatures }) => specialFeatures.length > 0);
    has((vendor) => !isLiveVendor(vendor, '2026-11-23T00:00:00.000Z'));
  });

  it('names nothing that it does not have, and no legitimate interest in purposes 1 and 3 to 6', () => {
    for (const vendor of vendors) {
      expect(newest.vendors[vendor.id]).toBe(vendor);
      for (const [ids, of] of [
        [[...vendor.purposes, ...vendor.legIntPurposes], newest.purposes],
        [vendor.specialPurposes, newest.specialPurposes],
        [vendor.features, newest.features],
        [vendor.specialFeatures, newest.specialFeatures],
      ] as const)
        for (const id of ids) expect(of).toHaveProperty(String(id));
      expect(vendor.legIntPurposes.filter((id) => [1, 3, 4, 5, 6].includes(id))).toEqual([]);
      expect(vendor.purposes.filter((id) => vendor.legIntPurposes.includes(id))).toEqual([]);
      const declared = [...vendor.purposes, ...vendor.legIntPurposes];
      expect(vendor.flexiblePurposes.filter((id) => !declared.includes(id))).toEqual([]);
    }
  });
});
