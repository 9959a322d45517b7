import type { AdoptedVendorList } from '../../catalogue/index.js';
import type { Instant } from '../../kernel/index.js';
import type { GlobalVendorList } from './gvl.js';

/** A purpose that the subject granted. */
export interface GrantedPurpose {
  key: string;
  givenAt: Instant;
}

/**
 * The list that a subject's strings are made with, among those that the site has adopted up to a moment, oldest first;
 * null: the newest. It is an older one while one of the grants was given before a vendor asked for an addition to it:
 * with the newest list the string would claim that the addition was granted too. Renewing or withdrawing the grant ends
 * that.
 */
export function agreedList(
  adopted: readonly AdoptedVendorList[],
  granted: readonly GrantedPurpose[],
  at: Instant,
): AdoptedVendorList | null {
  const first = adopted.findIndex(
    ({ adoptedAt, renewals }) =>
      adoptedAt <= at && granted.some(({ key, givenAt }) => givenAt < adoptedAt && renewals.includes(key)),
  );
  return first > 0 ? adopted[first - 1]! : null;
}

/** An older list in which vendors that were deleted since are deleted too: new strings must not name them. */
export function withDeletionsOf(newest: GlobalVendorList, older: GlobalVendorList): GlobalVendorList {
  const vendors = Object.fromEntries(
    Object.entries(older.vendors).map(([id, vendor]) => {
      // Lists keep deleted vendors. A vendor that the newest list lacks counts as deleted when that list was made.
      const deletedDate = newest.vendors[id] ? newest.vendors[id].deletedDate : newest.lastUpdated;
      return [id, deletedDate === undefined ? vendor : { ...vendor, deletedDate }];
    }),
  );
  return { ...older, vendors };
}
