import type { Instant } from '../kernel/index.js';

/** Another version of the TCF vendor list is what the site's strings are made with from now on. */
export interface VendorListAdoptedData {
  version: number;
  /** SHA-256 of its canonical JSON, hex. */
  digest: string;
  tcfPolicyVersion: number;
  lastUpdated: Instant;
  /** The version before; null for the first. */
  previous: number | null;
  /** Vendors of the site that ask for more than by the list before. */
  extended: readonly ExtendedVendor[];
  /** Keys of the purposes that whoever granted them before has to be asked about again, because of `extended`. */
  renewals: readonly string[];
  adoptedAt: Instant;
}

export interface ExtendedVendor {
  /** Id in the list. */
  vendor: number;
  /** TCF purposes that it did not ask for before, or on another legal basis. */
  purposes: readonly number[];
  /** TCF special features that it did not ask for before. */
  specialFeatures: readonly number[];
}

/** What the catalogue keeps of an adoption. */
export type AdoptedVendorList = Pick<VendorListAdoptedData, 'version' | 'digest' | 'renewals' | 'adoptedAt'>;

export const adoptedListOf = ({ version, digest, renewals, adoptedAt }: VendorListAdoptedData): AdoptedVendorList => ({
  version,
  digest,
  renewals,
  adoptedAt,
});
