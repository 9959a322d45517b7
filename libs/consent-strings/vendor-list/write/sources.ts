import type { ListSource } from '../events.js';

/** The operator's sources of lists; at most one of the two. */
export interface ListSettings {
  /** TCF_GVL_PATH */
  path: string | null;
  /** TCF_GVL_URL */
  url: string | null;
}

/** Injection token of the ListSettings. */
export const LIST_SETTINGS = Symbol('ListSettings');

/**
 * Caching headers, or the like, of the last answer, so that the source need not be read again. Only the source reads
 * them.
 */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

export type Looked =
  /** The same as the last time. */
  | { outcome: 'UNCHANGED'; freshS: number; validators: Validators }
  | { outcome: 'FOUND'; bytes: Buffer; freshS: number; validators: Validators }
  /** There is none: usual for a translation. */
  | { outcome: 'NONE'; freshS: number }
  /** The source failed; `reason`: a short word without personal data. */
  | { outcome: 'FAILED'; reason: string; retryAfterS: number | null };

/** A file or address of a list, or of its texts in another language. */
export interface Source {
  from: ListSource;
  /** The path or the address, unique among sources. */
  name: string;
  /** Never rejects. */
  look(known: Validators): Promise<Looked>;
}

/** File names and addresses of translations are those of IAB Europe: `purposes-de.json` beside the list. */
export const textsName = (locale: string): string => `purposes-${locale.toLowerCase()}.json`;
