import type { Environment } from '../kernel/index.js';

/** Injection token of the StatementSigner. */
export const STATEMENT_SIGNER = Symbol('StatementSigner');

/** What was signed, and in which environment. */
export interface SignedStatement {
  env: Environment;
  content: unknown;
}

/**
 * Signs statements that are no receipts with the same keys, so that a holder of the key set can verify them. Each kind of
 * statement has a `typ` of its own: what was signed as one kind is never read as another, nor as a receipt.
 */
export interface StatementSigner {
  /** A compact JWS (RFC 7515) by the key of the environment that is in force. Until the next one is, the same statement gives the same text, on every instance. */
  state(env: Environment, type: string, statement: object): Promise<string>;
  /** Null where this service did not sign it as a statement of this type, to the letter, or where its key is compromised. */
  readStatement(type: string, text: string): Promise<SignedStatement | null>;
}
