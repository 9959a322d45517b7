import { defineEvent } from '../../streams/codec.js';
import type { DomainEvent, Instant } from '../../kernel/index.js';

/** The source of a list: the file in TCF_GVL_PATH, or the address in TCF_GVL_URL. */
export type ListSource = 'FILE' | 'UPSTREAM';

export const REFUSAL_REASONS = [
  'TOO_LARGE',
  'NOT_JSON',
  'NOT_A_LIST',
  'OTHER_SPECIFICATION',
  'OLDER',
  'CHANGED_WITHOUT_NUMBER',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

export interface VendorListTakenData {
  version: number;
  /** SHA-256 of its canonical JSON, hex. It names the stream that holds the list. */
  digest: string;
  tcfPolicyVersion: number;
  lastUpdated: Instant;
  /** Number of its vendors. */
  vendors: number;
  from: ListSource;
  takenAt: Instant;
}

export interface VendorListRefusedData {
  reason: RefusalReason;
  /** Where the list fails, in words; null if the reason says enough. */
  detail: string | null;
  /** As far as the list could be read. */
  version: number | null;
  digest: string | null;
  from: ListSource;
  refusedAt: Instant;
}

export interface VendorListTextsTakenData {
  /** BCP 47, lower case. */
  locale: string;
  digest: string;
  from: ListSource;
  takenAt: Instant;
}

/** A list, or its texts in another language, as received: never changed or deleted. */
export interface VendorListKeptData {
  /** JSON in UTF-8, compressed by Brotli, in base64. */
  content: string;
}

/** Another list is in use from now on. */
export type VendorListTaken = DomainEvent<'VendorListTaken', VendorListTakenData>;
/** An offered list was refused; the one before stays. Recorded once for the same list and reason. */
export type VendorListRefused = DomainEvent<'VendorListRefused', VendorListRefusedData>;
/** Texts in another language are available from now on, or were improved. */
export type VendorListTextsTaken = DomainEvent<'VendorListTextsTaken', VendorListTextsTakenData>;
export type VendorListEvent = VendorListTaken | VendorListRefused | VendorListTextsTaken;
export type VendorListKept = DomainEvent<'VendorListKept', VendorListKeptData>;

/** Which lists were used; one stream for the whole installation, since lists are public and the same for all sites. */
export const VENDOR_LISTS_STREAM = 'vendor-lists';
/** A stream that holds a list and nothing else. */
export const VENDOR_LIST_CONTENT = 'vendor-list-content';
export const contentStream = (digest: string): string => `${VENDOR_LIST_CONTENT}-${digest}`;

export const VENDOR_LIST_EVENTS = (
  ['VendorListTaken', 'VendorListRefused', 'VendorListTextsTaken', 'VendorListKept'] as const satisfies readonly (
    VendorListEvent | VendorListKept
  )['type'][]
).map((type) => defineEvent({ type, version: 1, personal: [] }));
