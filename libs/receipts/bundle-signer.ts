import type { Environment, Instant } from '../kernel/index.js';
import type { ReceiptSigner } from './receipt-signer.js';
import type { PublicJwk } from './signing-key.js';

/** A public key with the time in which it signs. */
export interface DatedKey extends PublicJwk {
  /** It signs what is recorded from then on, until the next one does; null: from the beginning. */
  signsFrom: Instant | null;
  /** Since when it counts as compromised; null where it does not. */
  revokedAt: Instant | null;
}

/** Signs what an auditor takes along: receipts, and what holds them together. */
export interface BundleSigner extends ReceiptSigner {
  /**
   * A compact JWS of a type of its own by the key that was in force at a moment of the past: made again, it is the same.
   * Rejects with DependencyUnavailable or LogUnavailable.
   */
  signAsOf(env: Environment, type: string, statement: object, at: Instant): Promise<string>;
  /** Every key of an environment there ever was, in the order of their numbers. Rejects like `signAsOf`. */
  datedKeys(env: Environment): Promise<DatedKey[]>;
}
