import type { Instant } from '../../kernel/index.js';
import { documentInForce, type CatalogueState } from '../state.js';
import type { Vendor } from '../vendors/definition.js';
import { VENDORS } from '../vendors/document.js';
import { BANNER } from './document.js';

/** What strings of frameworks need to know of the banner that is in force. */
export interface ShownToPeople {
  /** Vendors that people are told of, in the order of vendors.yaml. */
  vendors: readonly Vendor[];
  /** Country whose law the publisher is under, ISO 3166-1; null where no banner says so. */
  publisherCountry: string | null;
  /** How long Google's tags wait for a choice, in milliseconds; null where there is no banner. */
  waitForUpdateMs: number | null;
}

const filtered = new WeakMap<readonly Vendor[], { told: readonly string[]; vendors: readonly Vendor[] }>();

/** The same list as long as vendors and banner are the same, so that whoever makes something of it makes it once. */
function toldOf(vendors: readonly Vendor[], told: readonly string[] | undefined): readonly Vendor[] {
  if (!told) return vendors;
  const known = filtered.get(vendors);
  if (known?.told === told) return known.vendors;
  const keys = new Set(told);
  const found = { told, vendors: vendors.filter(({ key }) => keys.has(key)) };
  filtered.set(vendors, found);
  return found.vendors;
}

const NOBODY: readonly Vendor[] = [];

export function shownToPeople(state: CatalogueState, at: Instant): ShownToPeople {
  const banner = documentInForce(state, BANNER, at)?.definition;
  const vendors = documentInForce(state, VENDORS, at)?.definition.vendors ?? NOBODY;
  return {
    vendors: toldOf(vendors, banner?.tcf.vendors),
    publisherCountry: banner?.tcf.publisherCountry ?? null,
    waitForUpdateMs: banner?.google.waitForUpdateMs ?? null,
  };
}
