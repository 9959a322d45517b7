import { defineEvent } from '../streams/codec.js';
import type { DomainEvent, Environment, Instant } from '../kernel/index.js';
import type { KeyType } from '../context/scopes.js';
import type { GrantedScope } from '../context/scopes.js';
import type { Brand } from './sites/brand.js';
import type { FrameworkSettings } from './sites/framework-settings.js';
import type { Logo } from './sites/logo.js';

/** How much one caller may ask for, in units of work: `perSecond` for ever, `burst` at once. */
export interface RateLimitPolicy {
  perSecond: number;
  burst: number;
}

export interface SiteSettings {
  name: string;
  /** Hosts that the site is served from; `*.example.com` means every sub-domain. Redirects go nowhere else. */
  domains: readonly string[];
  /** BCP 47 tags that texts exist in. */
  languages: readonly string[];
  defaultLocale: string;
  /** Exact origins of pages that may call with a public key, by environment. */
  allowedOrigins: Readonly<Record<Environment, readonly string[]>>;
  /** What is kept as proof beside a decision. An address is never kept whole (GDPR Art. 5(1)(c)). */
  evidence: { ip: 'TRUNCATED' | 'NONE'; userAgent: boolean };
  /** A secret key in a browser can be read by every visitor; only for consoles behind their own log-in. */
  allowSecretKeyInBrowser: boolean;
  /** null: the defaults of the service. */
  rateLimits: Readonly<Record<KeyType, RateLimitPolicy | null>>;
  /**
   * Whether a visitor who was linked to a person can still be reached by a public key alone. OPEN: whoever uses the same
   * browser next sees and changes what the person decided. Absent in what was stored before: CLOSED.
   */
  linkedVisitors?: 'CLOSED' | 'OPEN';
  /** Whether everybody may see the checkpoints and tiles of the site's ledgers, without a key. Absent: CLOSED. */
  ledger?: 'CLOSED' | 'OPEN';
  /** `custom.<slug>` kinds of identifier; absent in what was stored before: none. */
  identifierKinds?: readonly string[];
  /** How long a link that confirms a preference is good; absent in what was stored before there were any: 48. */
  confirmationHours?: number;
  /** For strings of frameworks; absent in what was stored before, and as long as nobody said: NO_FRAMEWORKS. */
  frameworks?: FrameworkSettings;
  /** How pages and mails of the site look; absent in what was stored before, and as long as nobody said: NO_BRAND. */
  brand?: Brand;
  /** Apart from the brand, so that its bytes are stored once and not with every change of a colour. */
  logo?: Logo | null;
}

export type SiteRegistered = DomainEvent<'SiteRegistered', SiteSettings & { site: string }>;

/** Holds the settings that changed, each whole. */
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
    /** Public keys: instead of the site's list; null: the site's list. */
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
 * Stands right behind the ApiKeyIssued of the successor, in the same append: neither is ever there without the other.
 * Two events and not one, so that whoever asks which keys there are, or hides what is secret of them, knows one type.
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

/** Stream `site-<site>`: the site, its keys, and what operators did to them. Nothing in it is personal. */
export const SITE_EVENTS = (
  [
    'SiteRegistered',
    'SiteChanged',
    'ApiKeyIssued',
    'ApiKeyRotated',
    'ApiKeyRevoked',
  ] as const satisfies readonly SiteEvent['type'][]
).map((type) => defineEvent({ type, version: 1, personal: [] }));
