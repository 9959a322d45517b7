import type { Instant } from '../../kernel/index.js';
import { documentInForce, type CatalogueState } from '../state.js';
import type { Vendor } from '../vendors/definition.js';
import { VENDORS } from '../vendors/document.js';
import { BANNER } from './document.js';

/** What framework strings need from the banner in force. */
export interface ShownToPeople {
  /** Vendors that the banner discloses, in the order of vendors.yaml. */
  vendors: readonly Vendor[];
  /** Country whose law the publisher is under, ISO 3166-1; null if no banner names it. */
  publisherCountry: string | null;
  /** How long Google's tags wait for a choice, in ms; null without a banner. */
  waitForUpdateMs: number | null;
}

const disclosedBy = new WeakMap<readonly Vendor[], { keys: readonly string[]; vendors: readonly Vendor[] }>();

/** Returns the same list while vendors and banner are the same, so that callers can cache by it. */
function disclosedOf(vendors: readonly Vendor[], keys: readonly string[] | undefined): readonly Vendor[] {
  if (!keys) return vendors;
  const known = disclosedBy.get(vendors);
  if (known?.keys === keys) return known.vendors;
  const disclosed = new Set(keys);
  const found = { keys, vendors: vendors.filter(({ key }) => disclosed.has(key)) };
  disclosedBy.set(vendors, found);
  return found.vendors;
}

const NO_VENDORS: readonly Vendor[] = [];

export function shownToPeople(state: CatalogueState, at: Instant): ShownToPeople {
  const banner = documentInForce(state, BANNER, at)?.definition;
  const vendors = documentInForce(state, VENDORS, at)?.definition.vendors ?? NO_VENDORS;
  return {
    vendors: disclosedOf(vendors, banner?.tcf.vendors),
    publisherCountry: banner?.tcf.publisherCountry ?? null,
    waitForUpdateMs: banner?.google.waitForUpdateMs ?? null,
  };
}
