/** Injection token of the EdgeHeaders. */
export const EDGE_HEADERS = Symbol('EdgeHeaders');

/** Headers by which a proxy in front says where the visitor is, in lower case; null where it says nothing. */
export interface EdgeHeaders {
  /** Holds a code of ISO 3166-1 alpha-2. */
  country: string | null;
  /** Holds a code of ISO 3166-2, with its country or without. */
  region: string | null;
}
