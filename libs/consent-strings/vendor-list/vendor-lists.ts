import type { Instant, Scope } from '../../kernel/index.js';
import type { GrantedPurpose } from './agreed-list.js';
import type { GlobalVendorList } from './gvl.js';

/** One version of the vendor list. */
export interface VendorList {
  /** Its `vendorListVersion`, 1 to 4,095. */
  version: number;
  /** SHA-256 of its canonical JSON (RFC 8785), hex. Lists with the same digest are the same. */
  digest: string;
  /**
   * Whether this service invented the list, so that strings can be tried without a list of IAB Europe: no vendor in it
   * exists.
   */
  isSynthetic: boolean;
  /** Shared by all callers: must not be changed. */
  content: GlobalVendorList;
}

/** A list as people read it. */
export interface TranslatedList {
  content: GlobalVendorList;
  locale: string;
  /** Changes whenever its words do; '' if they are the list's own. */
  textsDigest: string;
}

/**
 * The vendor lists of this installation. Those in use are in memory; reading another one rejects with LogUnavailable if
 * the log is away.
 */
export abstract class VendorLists {
  /**
   * The list that is in use for this site, or was at that time. There is always one: the synthetic one if there is no
   * other.
   */
  abstract inUse(scope: Scope, at?: Instant): Promise<VendorList>;

  /**
   * The list that the strings of a subject with these grants are made with, while `current` is in use: see
   * `agreedList`. The grants, the catalogue and `current` alone determine it.
   */
  abstract agreedTo(
    scope: Scope,
    current: VendorList,
    granted: readonly GrantedPurpose[],
    at: Instant,
  ): Promise<VendorList>;

  /** The newest of all; sites adopt it within seconds. */
  abstract newest(): Promise<VendorList>;

  /** A list by its digest. */
  abstract list(known: { version: number; digest: string }): Promise<VendorList>;

  /** A version that was ever in use here; null if this number never was. */
  abstract byVersion(version: number): Promise<VendorList | null>;

  /** The same list with its texts in the best of these languages (BCP 47), else in its own. */
  abstract inLanguage(list: VendorList, wishes: readonly string[]): Promise<TranslatedList>;
}
