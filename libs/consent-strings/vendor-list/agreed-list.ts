import type { AdoptedVendorList } from '../../catalogue/index.js';
import type { Instant } from '../../kernel/index.js';
import type { GlobalVendorList } from './gvl.js';

/** A purpose that somebody granted. */
export interface GrantedPurpose {
  key: string;
  givenAt: Instant;
}

/**
 * The list that somebody's strings are made with, of those that the site has adopted, oldest first, until a moment; null:
 * the newest. It is an older one as long as one of the grants was given before a vendor asked for more that belongs to it:
 * the newest list would then say that the new was granted too. That ends with the renewal of the grant, or its withdrawal.
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

/** An older list, in which whoever was deleted since is deleted too: new strings must not name them. */
export function withDeletionsOf(newest: GlobalVendorList, older: GlobalVendorList): GlobalVendorList {
  const vendors = Object.fromEntries(
    Object.entries(older.vendors).map(([id, vendor]) => {
      // Lists keep whoever left them. Should one not, it was left when that list was made.
      const deletedDate = newest.vendors[id] ? newest.vendors[id].deletedDate : newest.lastUpdated;
      return [id, deletedDate === undefined ? vendor : { ...vendor, deletedDate }];
    }),
  );
  return { ...older, vendors };
}
