import { defineEvent } from '../streams/codec.js';
import type { DomainEvent, Environment, Instant } from '../kernel/index.js';

/**
 * A key that will sign receipts. It is published from here on, and signs what is recorded from `signsFrom` on, until the
 * next one does. The first key of each environment was never announced: it has the number 1 and signs from the beginning.
 */
export interface SigningKeyAnnouncedData {
  env: Environment;
  /** From 2; the vault keeps the private half under it. */
  number: number;
  /** RFC 7638 thumbprint. */
  kid: string;
  /** The public key, 32 bytes in base64url: what it signed can be verified as long as there is the log. */
  x: string;
  announcedAt: Instant;
  signsFrom: Instant;
  reason: string | null;
}

/** The private half may be known to others. A verifier of a receipt by this key sees the revocation in the key set. */
export interface SigningKeyRevokedData {
  env: Environment;
  number: number;
  kid: string;
  revokedAt: Instant;
  reason: string | null;
}

export type SigningKeyAnnounced = DomainEvent<'SigningKeyAnnounced', SigningKeyAnnouncedData>;
export type SigningKeyRevoked = DomainEvent<'SigningKeyRevoked', SigningKeyRevokedData>;
export type SigningKeyEvent = SigningKeyAnnounced | SigningKeyRevoked;

/** One stream for the whole installation: its sites sign with the same keys. */
export const SIGNING_KEYS_STREAM = 'signing-keys';

export const SIGNING_KEY_EVENTS = (
  ['SigningKeyAnnounced', 'SigningKeyRevoked'] as const satisfies readonly SigningKeyEvent['type'][]
).map((type) => defineEvent({ type, version: 1, personal: [] }));
