import type { Vendor, VendorRestriction } from '../../catalogue/index.js';
import type { Instant } from '../../kernel/index.js';
import { isLiveVendor, type GlobalVendorList, type GvlVendor } from '../vendor-list/gvl.js';
import { CONSENT_ONLY } from './purposes.js';

/** Purposes as bits: purpose n is bit n - 1. */
export type PurposeMask = number;
export const maskOf = (purposes: readonly number[]): PurposeMask =>
  purposes.reduce((mask, purpose) => mask | (1 << (purpose - 1)), 0);

/** A disclosed vendor that the list has, with what it does under the publisher's restrictions. */
export interface DeclaredVendor {
  id: number;
  /** Purposes that it asks consent for. */
  consent: PurposeMask;
  /** Purposes that it bases on legitimate interest. */
  legitimateInterest: PurposeMask;
}

/** A restriction that applies to a vendor, as TC strings write it. */
export interface DeclaredRestriction extends VendorRestriction {
  vendorId: number;
}

export interface Declared {
  /** By id. */
  vendors: readonly DeclaredVendor[];
  /** By purpose, type and vendor. */
  restrictions: readonly DeclaredRestriction[];
}

/** Disclosed vendors that the list has and has not deleted at that time. */
export function declaredOf(
  disclosed: readonly Vendor[],
  list: Pick<GlobalVendorList, 'vendors'>,
  at: Instant,
): Declared {
  const declared: { vendor: DeclaredVendor; restrictions: DeclaredRestriction[] }[] = [];
  for (const { frameworks, restrictions = [] } of disclosed) {
    const id = frameworks.tcf;
    const entry = id !== null && Object.hasOwn(list.vendors, id) ? list.vendors[id]! : null;
    if (!entry || !isLiveVendor(entry, at)) continue;
    const holding = restrictions.filter((restriction) => holdsOf(entry, restriction));
    declared.push({
      vendor: restricted(entry, holding),
      restrictions: holding.map((restriction) => ({ ...restriction, vendorId: entry.id })),
    });
  }
  return {
    vendors: declared.map(({ vendor }) => vendor).sort((a, b) => a.id - b.id),
    restrictions: declared
      .flatMap(({ restrictions }) => restrictions)
      .sort((a, b) => a.purpose - b.purpose || order(a) - order(b) || a.vendorId - b.vendorId),
  };
}

const TYPES = ['NOT_ALLOWED', 'REQUIRE_CONSENT', 'REQUIRE_LEGITIMATE_INTEREST'] as const;
/** The number of a type of restriction in TC strings. */
export const order = ({ type }: Pick<VendorRestriction, 'type'>): number => TYPES.indexOf(type);

/** A restriction can only forbid a declared purpose, and only move a purpose that is declared as flexible. */
function holdsOf(vendor: GvlVendor, { purpose, type }: VendorRestriction): boolean {
  const { purposes, legIntPurposes, flexiblePurposes } = vendor;
  switch (type) {
    case 'NOT_ALLOWED':
      return purposes.includes(purpose) || legIntPurposes.includes(purpose);
    case 'REQUIRE_CONSENT':
      return flexiblePurposes.includes(purpose) && legIntPurposes.includes(purpose);
    case 'REQUIRE_LEGITIMATE_INTEREST':
      return !CONSENT_ONLY.includes(purpose) && flexiblePurposes.includes(purpose) && purposes.includes(purpose);
  }
}

function restricted(vendor: GvlVendor, restrictions: readonly VendorRestriction[]): DeclaredVendor {
  const of = (type: VendorRestriction['type']): PurposeMask =>
    maskOf(restrictions.filter((restriction) => restriction.type === type).map(({ purpose }) => purpose));
  const [forbidden, toConsent, toInterest] = [
    of('NOT_ALLOWED'),
    of('REQUIRE_CONSENT'),
    of('REQUIRE_LEGITIMATE_INTEREST'),
  ];
  return {
    id: vendor.id,
    consent: (maskOf(vendor.purposes) | toConsent) & ~toInterest & ~forbidden,
    legitimateInterest: (maskOf(vendor.legIntPurposes) | toInterest) & ~toConsent & ~forbidden,
  };
}

interface Kept {
  list: Pick<GlobalVendorList, 'vendors'>;
  deleted: number;
  declared: Declared;
}
const kept = new WeakMap<readonly Vendor[], Kept>();

/** The same, cached until the vendors, the list or its deleted vendors change. */
export function knownDeclared(disclosed: readonly Vendor[], list: GlobalVendorList, at: Instant): Declared {
  const deleted = deletedBy(list, at);
  const known = kept.get(disclosed);
  if (known?.list === list && known.deleted === deleted) return known.declared;
  const declared = declaredOf(disclosed, list, at);
  kept.set(disclosed, { list, deleted, declared });
  return declared;
}

const deletions = new WeakMap<GlobalVendorList, readonly number[]>();

/** How many vendors of the list are deleted at a moment: the clock alone changes it, and with it the strings. */
export function deletedBy(list: GlobalVendorList, at: Instant): number {
  let moments = deletions.get(list);
  if (!moments) {
    moments = Object.values(list.vendors)
      .flatMap(({ deletedDate }) => (deletedDate === undefined ? [] : Date.parse(deletedDate)))
      .sort((a, b) => a - b);
    deletions.set(list, moments);
  }
  const now = Date.parse(at);
  let deleted = 0;
  while (deleted < moments.length && moments[deleted]! <= now) deleted++;
  return deleted;
}
