import type { Instant, Reference } from '../../kernel/index.js';
import type { GrantedScope } from '../../context/scopes.js';

/** The person that a token vouches for, to a caller with a public key, and the secret key that signed the token. */
export interface VouchedIdentity {
  reference: Reference;
  keyId: string;
  issuedAt: Instant;
  /** Scopes that both the token and its secret key have: a signer cannot hand on more than it has. */
  scopes: readonly GrantedScope[];
}
