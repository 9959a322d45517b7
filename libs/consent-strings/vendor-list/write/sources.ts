import type { ListSource } from '../events.js';

/** Where the operator says that lists come from; at most one of the two. */
export interface ListSettings {
  /** TCF_GVL_PATH */
  path: string | null;
  /** TCF_GVL_URL */
  url: string | null;
}

/** Injection token of the ListSettings. */
export const LIST_SETTINGS = Symbol('ListSettings');

/** What a source answered the last time, so that it need not be read again. As the source understands it. */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

export type Looked =
  /** As it was the last time. */
  | { outcome: 'UNCHANGED'; freshS: number; validators: Validators }
  | { outcome: 'FOUND'; bytes: Buffer; freshS: number; validators: Validators }
  /** There is none: usual of a translation. */
  | { outcome: 'NONE'; freshS: number }
  /** It could not be had; `reason`: a short word that names nobody. */
  | { outcome: 'FAILED'; reason: string; retryAfterS: number | null };

/** One place that a list, or its texts in another language, can be read from. */
export interface Source {
  from: ListSource;
  /** The path or the address, which tells sources apart. */
  name: string;
  /** Never rejects. */
  look(known: Validators): Promise<Looked>;
}

/** File names and addresses of translations are as IAB Europe names them: `purposes-de.json` beside the list. */
export const textsName = (locale: string): string => `purposes-${locale.toLowerCase()}.json`;
