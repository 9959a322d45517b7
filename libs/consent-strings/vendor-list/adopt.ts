import {
  documentInForce,
  purposesInForce,
  VENDORS,
  versionInForce,
  type CatalogueState,
  type ExtendedVendor,
  type VendorListAdopted,
} from '../../catalogue/index.js';
import { happened, parseInstant, type Decision, type Instant } from '../../kernel/index.js';
import type { GvlVendor } from './gvl.js';
import type { VendorList } from './vendor-lists.js';

/** Whether a site names vendors of IAB TCF. Other sites need no list. */
export const namesVendors = (catalogue: CatalogueState, at: Instant): boolean => namedIn(catalogue, at).length > 0;

/**
 * Makes the site use another list. The synthetic list is never adopted: sites without a list use it anyway. If a vendor
 * of the site asks for more by the new list than by the one before, people who agreed earlier did not know of that, so
 * the purposes for the addition need renewal. Until then a subject's strings are made with the list that was in use at
 * the subject's decision, and never claim that the addition was agreed to.
 *
 * More means: a purpose that was not declared, or on another legal basis, and a special feature, since people choose
 * these. Special purposes and features do not count. A new version of the policies of IAB TCF alone does not count
 * either: IAB Europe says each time whether people must be asked again, and the operator then publishes a MATERIAL
 * change.
 */
export function adoptList(
  next: VendorList,
  before: VendorList | null,
  catalogue: CatalogueState,
  at: Instant,
): Decision<VendorListAdopted> {
  const adopted = catalogue.vendorLists?.at(-1);
  if (next.isSynthetic || adopted?.digest === next.digest || !namesVendors(catalogue, at)) return happened();
  const extended = before ? extendedIn(before, next, namedIn(catalogue, at)) : [];
  return happened({
    type: 'VendorListAdopted',
    data: {
      version: next.version,
      digest: next.digest,
      tcfPolicyVersion: next.content.tcfPolicyVersion,
      lastUpdated: parseInstant(next.content.lastUpdated)!,
      previous: before?.version ?? null,
      extended,
      renewals: purposesOf(extended, catalogue, at),
      adoptedAt: at,
    },
  });
}

/** Ids in the list, ascending. */
function namedIn(catalogue: CatalogueState, at: Instant): number[] {
  const vendors = documentInForce(catalogue, VENDORS, at)?.definition.vendors ?? [];
  return vendors.flatMap(({ frameworks }) => frameworks.tcf ?? []).sort((a, b) => a - b);
}

function extendedIn(before: VendorList, next: VendorList, named: readonly number[]): ExtendedVendor[] {
  return named.flatMap((vendor) => {
    const now = next.content.vendors[vendor];
    if (!now) return [];
    const then = before.content.vendors[vendor];
    const purposes = [...added(now, then, 'purposes'), ...added(now, then, 'legIntPurposes')].sort((a, b) => a - b);
    const specialFeatures = added(now, then, 'specialFeatures');
    return purposes.length + specialFeatures.length > 0 ? [{ vendor, purposes, specialFeatures }] : [];
  });
}

/** A purpose that moved from one legal basis to the other is new on that other. */
const added = (
  now: GvlVendor,
  then: GvlVendor | undefined,
  member: 'purposes' | 'legIntPurposes' | 'specialFeatures',
): number[] => now[member].filter((id) => !then?.[member].includes(id));

/** Keys of the site's purposes that any part of the addition maps to. */
function purposesOf(extended: readonly ExtendedVendor[], catalogue: CatalogueState, at: Instant): string[] {
  const purposes = new Set(extended.flatMap((each) => each.purposes));
  const specialFeatures = new Set(extended.flatMap((each) => each.specialFeatures));
  return purposesInForce(catalogue, at)
    .filter((purpose) => {
      const { tcf } = versionInForce(purpose, at)!.definition.frameworks;
      return tcf.purposes.some((id) => purposes.has(id)) || tcf.specialFeatures.some((id) => specialFeatures.has(id));
    })
    .map(({ key }) => key);
}
