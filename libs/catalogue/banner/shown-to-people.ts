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

export function shownToPeople(state: CatalogueState, at: Instant): ShownToPeople {
  const banner = documentInForce(state, BANNER, at)?.definition;
  const vendors = documentInForce(state, VENDORS, at)?.definition.vendors ?? [];
  const told = banner?.tcf.vendors;
  return {
    vendors: told ? vendors.filter(({ key }) => told.includes(key)) : vendors,
    publisherCountry: banner?.tcf.publisherCountry ?? null,
    waitForUpdateMs: banner?.google.waitForUpdateMs ?? null,
  };
}
