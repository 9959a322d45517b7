import type { Instant, Scope } from '../../kernel/index.js';
import type { GrantedPurpose } from './agreed-list.js';
import type { GlobalVendorList } from './gvl.js';

/** One version of the vendor list. */
export interface VendorList {
  /** Its `vendorListVersion`, 1 to 4,095. */
  version: number;
  /** SHA-256 of its canonical JSON (RFC 8785), hex: two lists are the same where this is. */
  digest: string;
  /** Invented by this service, so that it can be tried without a list of IAB Europe: no vendor in it exists. */
  isSynthetic: boolean;
  /** Shared by all who ask: never changed by a reader. */
  content: GlobalVendorList;
}

/** A list as people read it. */
export interface TranslatedList {
  content: GlobalVendorList;
  locale: string;
  /** Changes whenever its words do; '' where they are the list's own. */
  textsDigest: string;
}

/**
 * The vendor lists of this installation. They reject with LogUnavailable where a list has to be read from the log and
 * cannot be; those that are in use are in memory.
 */
export abstract class VendorLists {
  /** The list that is in use for this site, or was at that time. There is always one: without any other the synthetic one. */
  abstract inUse(scope: Scope, at?: Instant): Promise<VendorList>;

  /**
   * The list that strings of somebody with these grants are made with, where `current` is in use: see `agreedList`.
   * Follows from the grants, the catalogue and `current` alone.
   */
  abstract agreedTo(
    scope: Scope,
    current: VendorList,
    granted: readonly GrantedPurpose[],
    at: Instant,
  ): Promise<VendorList>;

  /** The newest of all; sites adopt it within seconds. */
  abstract newest(): Promise<VendorList>;

  /** One that is known by its digest. */
  abstract list(known: { version: number; digest: string }): Promise<VendorList>;

  /** Any version that was ever in use here; null where this number never was. */
  abstract byVersion(version: number): Promise<VendorList | null>;

  /** The same list with its texts in the best of these languages (BCP 47), else in its own. */
  abstract inLanguage(list: VendorList, wishes: readonly string[]): Promise<TranslatedList>;
}
