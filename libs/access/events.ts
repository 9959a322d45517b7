import { defineEvent } from '../streams/codec.js';
import type { DomainEvent, Environment, Instant } from '../kernel/index.js';
import type { KeyType } from '../context/scopes.js';
import type { GrantedScope } from '../context/scopes.js';
import type { Brand } from './sites/brand.js';
import type { FrameworkSettings } from './sites/framework-settings.js';
import type { Logo } from './sites/logo.js';

/** Limit of one caller, in units of work: `perSecond` for ever, `burst` at once. */
export interface RateLimitPolicy {
  perSecond: number;
  burst: number;
}

export interface SiteSettings {
  name: string;
  /** Hosts that serve the site; `*.example.com` means every sub-domain. The service redirects only to them. */
  domains: readonly string[];
  /** BCP 47 tags of the languages that texts exist in. */
  languages: readonly string[];
  defaultLocale: string;
  /** Exact origins of pages that may call with a public key, by environment. */
  allowedOrigins: Readonly<Record<Environment, readonly string[]>>;
  /** What is stored as proof beside a decision. An address is never stored whole (GDPR Art. 5(1)(c)). */
  evidence: { ip: 'TRUNCATED' | 'NONE'; userAgent: boolean };
  /**
   * Whether a browser may send a secret key, which every user of the page can read: only for consoles behind a log-in.
   */
  allowSecretKeyInBrowser: boolean;
  /** null: the defaults of the service. */
  rateLimits: Readonly<Record<KeyType, RateLimitPolicy | null>>;
  /**
   * Whether a public key alone still reaches a visitor who was linked to a person. OPEN: the next user of the same
   * browser sees and changes what the person decided. Absent in older events: CLOSED.
   */
  linkedVisitors?: 'CLOSED' | 'OPEN';
  /** Whether any caller may read the checkpoints and tiles of the site's ledgers, without a key. Absent: CLOSED. */
  ledger?: 'CLOSED' | 'OPEN';
  /** `custom.<slug>` kinds of identifier; absent in older events: none. */
  identifierKinds?: readonly string[];
  /** Hours for which a link that confirms a preference works; absent in older events: 48. */
  confirmationHours?: number;
  /** For strings of frameworks; absent in older events, and until an operator sets them: NO_FRAMEWORKS. */
  frameworks?: FrameworkSettings;
  /** The look of the site's pages and mails; absent in older events, and until an operator sets it: NO_BRAND. */
  brand?: Brand;
  /** Apart from the brand, so that its bytes are stored once and not with every change of a colour. */
  logo?: Logo | null;
}

export type SiteRegistered = DomainEvent<'SiteRegistered', SiteSettings & { site: string }>;

/** Holds the changed settings, each whole. */
export type SiteChanged = DomainEvent<'SiteChanged', Partial<SiteSettings>>;

export type ApiKeyIssued = DomainEvent<
  'ApiKeyIssued',
  {
    keyId: string;
    type: KeyType;
    env: Environment;
    /** SHA-256 of the secret, hex. */
    secretHash: string;
    last4: string;
    scopes: readonly GrantedScope[];
    /** Of public keys: their own list instead of the site's; null: the site's list. */
    allowedOrigins: readonly string[] | null;
    name: string;
    expiresAt: Instant | null;
    /** Secret keys: the MAC key of identity tokens, sealed; null for public keys. */
    sealedIdentityKey: string | null;
    issuedAt: Instant;
  }
>;

export type ApiKeyRevoked = DomainEvent<'ApiKeyRevoked', { keyId: string; at: Instant; reason: string | null }>;

/**
 * Stands right behind the ApiKeyIssued of the successor, in the same append: neither exists without the other. Two events
 * and not one, so that code which lists keys, or hides their secrets, knows one type.
 */
export type ApiKeyRotated = DomainEvent<
  'ApiKeyRotated',
  {
    keyId: string;
    successorId: string;
    /** When the old key stops working. */
    expiresAt: Instant;
    at: Instant;
    reason: string | null;
  }
>;

export type SiteEvent = SiteRegistered | SiteChanged | ApiKeyIssued | ApiKeyRotated | ApiKeyRevoked;

/** Stream `site-<site>`: the site, its keys, and operators' changes to them. Nothing in it is personal. */
export const SITE_EVENTS = (
  [
    'SiteRegistered',
    'SiteChanged',
    'ApiKeyIssued',
    'ApiKeyRotated',
    'ApiKeyRevoked',
  ] as const satisfies readonly SiteEvent['type'][]
).map((type) => defineEvent({ type, version: 1, personal: [] }));
