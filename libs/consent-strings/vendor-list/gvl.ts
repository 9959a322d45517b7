/**
 * The Global Vendor List of IAB TCF in its specification version 3, with its published member names: "Transparency and
 * Consent Framework, Consent Management Platform API and Global Vendor List Format". Ids are keys of objects, so they are
 * decimal text there and numbers everywhere else. Other members of a list are stored and served unchanged.
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

/** The translated texts: everything that a person reads, except vendors. */
export interface GvlTexts {
  purposes: Record<string, GvlText>;
  specialPurposes: Record<string, GvlText>;
  features: Record<string, GvlText>;
  specialFeatures: Record<string, GvlText>;
  stacks: Record<string, GvlStack>;
  dataCategories: Record<string, GvlDataCategory>;
  /** Since TCF 2.4: texts that a layer shows as they are, such as `features` above the features. */
  standardTexts?: Record<string, string>;
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
  /** Ids of purposes, of both kinds, that a publisher may move to the other legal basis. */
  flexiblePurposes: number[];
  specialPurposes: number[];
  features: number[];
  specialFeatures: number[];
  /** RFC 3339; from then on new strings must not name the vendor. */
  deletedDate?: string;
  /** Other members of its entry: retention, addresses, storage. Stored and served, never interpreted. */
  [member: string]: unknown;
}

/** Whether new strings may name the vendor: it is not deleted at that time. */
export const isLiveVendor = ({ deletedDate }: GvlVendor, at: string): boolean =>
  deletedDate === undefined || Date.parse(deletedDate) > Date.parse(at);
