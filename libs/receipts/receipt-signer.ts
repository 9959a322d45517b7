import type { Environment, Instant } from '../kernel/index.js';

/** Injection token of the ReceiptSigner. */
export const RECEIPT_SIGNER = Symbol('ReceiptSigner');

export interface ReceiptSigner {
  /**
   * The receipt as a compact JWS (RFC 7515), by the key of the environment that was in force when its record was made:
   * the same receipt gives the same text, on every instance and after every rotation. Rejects with
   * DependencyUnavailable or LogUnavailable.
   */
  sign(env: Environment, receipt: object, recordedAt: Instant): Promise<string>;
}
