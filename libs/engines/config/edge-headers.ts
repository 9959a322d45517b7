/** Injection token of the EdgeHeaders. */
export const EDGE_HEADERS = Symbol('EdgeHeaders');

/** Names, in lower case, of the headers in which a proxy says where the visitor is; null: no such header. */
export interface EdgeHeaders {
  /** Holds a code of ISO 3166-1 alpha-2. */
  country: string | null;
  /** Holds a code of ISO 3166-2, with its country or without. */
  region: string | null;
}
