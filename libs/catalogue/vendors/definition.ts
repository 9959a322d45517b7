/** Who sets cookies, or gets data through them. */
export interface Vendor {
  /** By which other files name it. */
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
}

export interface VendorsDefinition {
  vendors: readonly Vendor[];
}
