import type { Scope } from './scope.js';

/** One read of a subject, as the access log notes it: the key that reads, and the operation. */
export interface Reader extends Scope {
  /** Public key, secret key, operator token, or a call without any of them. */
  kind: 'pk' | 'sk' | 'operator' | 'none';
  /** Id of the key, or of the operator's token. */
  keyId: string | null;
  /** Id of the operation. */
  operation: string;
}
