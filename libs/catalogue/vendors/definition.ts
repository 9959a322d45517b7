export const RESTRICTION_TYPES = ['NOT_ALLOWED', 'REQUIRE_CONSENT', 'REQUIRE_LEGITIMATE_INTEREST'] as const;

/** The publisher allows a vendor less than the vendor declares: a publisher restriction of IAB TCF. */
export interface VendorRestriction {
  /** Id of a purpose of IAB TCF, 1 to 11. */
  purpose: number;
  /**
   * NOT_ALLOWED: not at all. The others: on this legal basis only; they apply only to vendors that declare the
   * purpose as flexible.
   */
  type: (typeof RESTRICTION_TYPES)[number];
}

/** A party that sets cookies, or gets data through them. */
export interface Vendor {
  /** The name that other files use. */
  key: string;
  name: string;
  /** ISO 3166-1. */
  country: string | null;
  /** Address of its privacy policy. */
  privacyPolicy: string | null;
  /** Purposes that it serves. */
  purposeKeys: readonly string[];
  frameworks: {
    /** Id in the Global Vendor List of IAB TCF. */
    tcf: number | null;
    /** Id in Google's list of ad technology providers, which additional consent strings name. */
    google: number | null;
  };
  /** Absent: none. */
  restrictions?: readonly VendorRestriction[];
}

export interface VendorsDefinition {
  vendors: readonly Vendor[];
}
