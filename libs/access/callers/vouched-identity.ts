import type { Instant, Reference } from '../../kernel/index.js';
import type { GrantedScope } from '../../context/scopes.js';

/** Whom a caller with a public key was vouched for, and by which secret key. */
export interface VouchedIdentity {
  reference: Reference;
  keyId: string;
  issuedAt: Instant;
  /** What the token allows and its secret key may do itself: who signs hands on no more than they have. */
  scopes: readonly GrantedScope[];
}
