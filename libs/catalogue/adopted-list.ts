import type { Instant } from '../kernel/index.js';

/** The site makes its TCF strings with another version of the vendor list from now on. */
export interface VendorListAdoptedData {
  version: number;
  /** SHA-256 of its canonical JSON, hex. */
  digest: string;
  tcfPolicyVersion: number;
  lastUpdated: Instant;
  /** The version before; null for the first. */
  previous: number | null;
  /** Vendors of the site that ask for more than under the list before. */
  extended: readonly ExtendedVendor[];
  /** Keys of purposes for which earlier grants must be asked for again, because of `extended`. */
  renewals: readonly string[];
  adoptedAt: Instant;
}

export interface ExtendedVendor {
  /** Id in the list. */
  vendor: number;
  /** TCF purposes that it newly asks for, or asks for on another legal basis. */
  purposes: readonly number[];
  /** TCF special features that it newly asks for. */
  specialFeatures: readonly number[];
}

/** The part of an adoption that the catalogue keeps. */
export type AdoptedVendorList = Pick<VendorListAdoptedData, 'version' | 'digest' | 'renewals' | 'adoptedAt'>;

export const adoptedListOf = ({ version, digest, renewals, adoptedAt }: VendorListAdoptedData): AdoptedVendorList => ({
  version,
  digest,
  renewals,
  adoptedAt,
});
