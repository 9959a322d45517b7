import type { Vendor } from '../../catalogue/index.js';
import type { Standing } from '../standing/standing.js';
import { isGranted } from '../tcf/purposes.js';
import { isLiveVendor, type GlobalVendorList } from '../vendor-list/gvl.js';
import type { ProviderList } from '../vendor-list/providers.js';

/** Ids of Google's ad technology providers, in ascending order. No id is in both lists. */
export interface ProviderChoices {
  consented: readonly number[];
  disclosed: readonly number[];
}

/**
 * Choices about disclosed providers that are no vendors of IAB TCF (vendors are in the TC string). A provider has
 * consent if each purpose that it serves is granted; a decision against the provider itself takes it away. A provider
 * that serves no purpose has none.
 */
export function providerChoices(
  standing: Standing,
  list: Pick<GlobalVendorList, 'vendors'>,
  { providers }: Pick<ProviderList, 'providers'>,
): ProviderChoices {
  const granted = new Set(standing.purposes.filter(isGranted).map(({ key }) => key));
  const [consented, disclosed]: [number[], number[]] = [[], []];
  for (const vendor of standing.hasChosen ? standing.vendors : []) {
    const id = vendor.frameworks.google;
    if (id === null || !providers.has(id) || isOnList(vendor, list, standing.at)) continue;
    const { purposeKeys } = vendor;
    const decided = standing.decided.GOOGLE.get(id);
    const isOpen = decided === undefined || decided === 'GRANTED';
    const isConsented = isOpen && purposeKeys.length > 0 && purposeKeys.every((key) => granted.has(key));
    (isConsented ? consented : disclosed).push(id);
  }
  const byId = (a: number, b: number): number => a - b;
  return { consented: consented.sort(byId), disclosed: disclosed.sort(byId) };
}

function isOnList({ frameworks }: Vendor, { vendors }: Pick<GlobalVendorList, 'vendors'>, at: string): boolean {
  const id = frameworks.tcf;
  return id !== null && Object.hasOwn(vendors, id) && isLiveVendor(vendors[id]!, at);
}

/** Google's additional consent, version 2: `2~consented~dv.disclosed`. */
export const additionalConsent = ({ consented, disclosed }: ProviderChoices): string =>
  `2~${consented.join('.')}~dv.${disclosed.join('.')}`;
