import type { Instant, Reference, Refusal, Scope } from '../kernel/index.js';
import type { Done } from '../platform/idempotency/once.js';
import type { IdentifierAddedData } from './events.js';

/** Injection token of the SubjectRights. */
export const SUBJECT_RIGHTS = Symbol('SubjectRights');

/** Who carries a request of a subject out, and for which request. */
export interface OnRequest {
  /** `key_…`, `operator:opt_…` or `system:<what>`. */
  actor: string;
  /** Id of the request: whatever is done for it is done once, however often it is begun. */
  request: string;
  /** Nothing was done for the request before that moment. */
  since: Instant;
}

/** What a subject can demand of this context, for whoever takes such requests in. Rejects where a dependency is away. */
export interface SubjectRights {
  /** The subject that a reference leads to, merges followed; made where nobody is known by it. An id must be known. */
  provide(scope: Scope, reference: Reference, cause: { actor: string; at: Instant }): Promise<string | Refusal>;
  /** Why the subject cannot be erased at the moment; null where it can. */
  refusesErasure(scope: Scope, subjectId: string): Promise<Refusal | null>;
  /** Erases the subject and all that were merged into it. The receipt of the first time where that was done before. */
  erase(scope: Scope, subjectId: string, on: OnRequest): Promise<Done<{ receiptId: string }> | Refusal>;
  /** Lays a hold on the subject, without an end. */
  restrict(scope: Scope, subjectId: string, on: OnRequest): Promise<Done<null> | Refusal>;
  /** Gives the subject further identifiers; those that it has already are left out. */
  addIdentifiers(
    scope: Scope,
    subjectId: string,
    identifiers: readonly Reference[],
    on: OnRequest,
  ): Promise<Done<Pick<IdentifierAddedData, 'identifierId'>[]> | Refusal>;
}
