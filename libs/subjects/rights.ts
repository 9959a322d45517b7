import type { Decision, DomainEvent, Instant, Reference, Refusal, Scope } from '../kernel/index.js';
import type { Done } from '../commands/once.js';
import type { WholeState } from './parts.js';

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

/** An identifier that is wanted or not, and where it stood in the request. */
export interface NamedIdentifier {
  reference: Reference;
  path: string;
}

/** What is to be put right of a subject; what is absent stays. */
export interface Rectification {
  /** `verified`: whether it is known to be the subject's own. */
  added: readonly (NamedIdentifier & { verified: boolean })[];
  removed: readonly NamedIdentifier[];
  locale?: string | null;
  country?: string | null;
}

export interface Rectified {
  addedIds: string[];
  removedIds: string[];
  /** What was written in the one append. */
  events: readonly DomainEvent[];
}

/** What a subject can demand of this context, for the contexts that take such requests in. Rejects where a dependency is away. */
export interface SubjectRights {
  /** The subject that a reference leads to, merges followed; made where the reference is unknown. An id must be known. */
  provide(scope: Scope, reference: Reference, cause: { actor: string; at: Instant }): Promise<string | Refusal>;
  /** Why the subject cannot be erased at the moment; null where it can. */
  refusesErasure(scope: Scope, subjectId: string): Promise<Refusal | null>;
  /** Erases the subject and all that were merged into it. The receipt of the first time where that was done before. */
  erase(scope: Scope, subjectId: string, on: OnRequest): Promise<Done<{ receiptId: string }> | Refusal>;
  /** Lays a hold on the subject, without an end. */
  restrict(scope: Scope, subjectId: string, on: OnRequest): Promise<Done<null> | Refusal>;
  /** Why the subject cannot be put right that way at the moment; null where it can. */
  refusesRectification(scope: Scope, subjectId: string, wanted: Rectification): Promise<Refusal | null>;
  /** What is known of the subject, in clear. */
  known(scope: Scope, subjectId: string): Promise<{ locale: string | null; country: string | null }>;
  /**
   * Puts the subject right: identifiers are added first, each for itself; all the rest stands in one append. `also`: what
   * else is decided in it.
   */
  rectify(
    scope: Scope,
    subjectId: string,
    wanted: Rectification,
    on: OnRequest,
    also: (state: WholeState) => Decision<DomainEvent>,
  ): Promise<Done<Rectified> | Refusal>;
}
