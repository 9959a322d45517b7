/**
 * The Global Vendor List of IAB TCF in its specification version 3, with its member names as they are published:
 * "Transparency and Consent Framework, Consent Management Platform API and Global Vendor List Format". Ids are keys of
 * objects, so they are decimal text there and numbers everywhere else. What a list holds beyond this is kept and served.
 */
export interface GlobalVendorList extends GvlTexts {
  gvlSpecificationVersion: 3;
  /** 1 to 4,095: a TC string has twelve bits for it. */
  vendorListVersion: number;
  /** 1 to 63. */
  tcfPolicyVersion: number;
  /** RFC 3339. */
  lastUpdated: string;
  vendors: Record<string, GvlVendor>;
}

/** What is translated: everything that a person reads, vendors excepted. */
export interface GvlTexts {
  purposes: Record<string, GvlText>;
  specialPurposes: Record<string, GvlText>;
  features: Record<string, GvlText>;
  specialFeatures: Record<string, GvlText>;
  stacks: Record<string, GvlStack>;
  dataCategories: Record<string, GvlDataCategory>;
}

export interface GvlText {
  id: number;
  name: string;
  description: string;
  illustrations: string[];
}

export interface GvlStack {
  id: number;
  name: string;
  description: string;
  /** Ids. */
  purposes: number[];
  specialFeatures: number[];
}

export interface GvlDataCategory {
  id: number;
  name: string;
  description: string;
}

export interface GvlVendor {
  id: number;
  name: string;
  /** Ids of purposes that it asks consent for. */
  purposes: number[];
  /** Ids of purposes that it bases on legitimate interest. */
  legIntPurposes: number[];
  /** Those of both that a publisher may turn into the other legal basis. */
  flexiblePurposes: number[];
  specialPurposes: number[];
  features: number[];
  specialFeatures: number[];
  /** RFC 3339; from then on the vendor must not be named in new strings. */
  deletedDate?: string;
  /** Whatever else its entry says: retention, addresses, storage. Kept and served, never interpreted. */
  [member: string]: unknown;
}

/** Vendors that new strings may name: not those that are deleted at that time. */
export const isLiveVendor = ({ deletedDate }: GvlVendor, at: string): boolean =>
  deletedDate === undefined || Date.parse(deletedDate) > Date.parse(at);
