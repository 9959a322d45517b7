import type { Scope } from './scope.js';

/** Who reads of somebody, and by which operation: what the access log has to know. */
export interface Reader extends Scope {
  /** Public key, secret key, operator token, or nobody in particular. */
  kind: 'pk' | 'sk' | 'operator' | 'none';
  /** Id of the key, or of the operator's token. */
  keyId: string | null;
  /** Id of the operation. */
  operation: string;
}
