import type { Environment } from '../kernel/index.js';

/** Injection token of the ReceiptSigner. */
export const RECEIPT_SIGNER = Symbol('ReceiptSigner');

export interface ReceiptSigner {
  /** The receipt as a compact JWS (RFC 7515) by the key of the environment. The same receipt gives the same text, on every instance. */
  sign(env: Environment, receipt: object): Promise<string>;
}
