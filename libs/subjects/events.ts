import type { MergeConflict, MergeRule } from '../context/subject-part.js';
import { defineEvent } from '../streams/codec.js';
import type { DomainEvent, Instant, Refusal } from '../kernel/index.js';

export {
  CARRY_OVERS,
  CONFLICT_POLICIES,
  type CarryOver,
  type ConflictPolicy,
  type MergeConflict,
  type MergeRule,
} from '../context/subject-part.js';

/** How it is known that an identifier is the subject's own. */
export const VERIFICATION_METHODS = ['DOUBLE_OPT_IN', 'IDENTITY_TOKEN', 'OPERATOR', 'IMPORT'] as const;
export type VerificationMethod = (typeof VERIFICATION_METHODS)[number];

export const ERASURE_REASONS = [
  'DATA_SUBJECT_REQUEST',
  'CONSENT_WITHDRAWN',
  'NO_LONGER_NECESSARY',
  'UNLAWFUL_PROCESSING',
  'LEGAL_OBLIGATION',
  'OTHER',
] as const;
export type ErasureReason = (typeof ERASURE_REASONS)[number];

export interface SubjectCreatedData {
  subjectId: string;
  createdAt: Instant;
  /** BCP 47. */
  locale?: string;
  /** ISO 3166-1 alpha-2. */
  country?: string;
  metadata?: Record<string, unknown>;
}

export interface IdentifierAddedData {
  identifierId: string;
  kind: string;
  /** Personal: encrypted with the subject's key. */
  value: string;
  addedAt: Instant;
  verifiedAt: Instant | null;
  verificationMethod: VerificationMethod | null;
  /** The first of its kind. */
  primary: boolean;
  source: 'API' | 'IMPORT' | 'MIGRATION';
}

export interface IdentifierVerifiedData {
  identifierId: string;
  method: VerificationMethod;
  verifiedAt: Instant;
}

/**
 * On the absorbed stream it is the commit point of a merge and closes the stream; on the survivor's it carries what the
 * absorbed one had come to. Both have the same `mergeId`.
 */
export interface SubjectsMergedData extends MergeRule {
  mergeId: string;
  role: 'ABSORBED' | 'SURVIVOR';
  survivorId: string;
  absorbedId: string;
  /** Why, in the caller's words. */
  reason?: string;
  /** SURVIVOR: the absorbed subject and all that it had absorbed. */
  family?: string[];
  /** SURVIVOR: the absorbed state, by the name of the context that folds it. */
  absorbed?: Readonly<Record<string, unknown>>;
  /** SURVIVOR. */
  conflicts?: MergeConflict[];
}

export interface SubjectMergeRevertedData {
  mergeId: string;
  role: 'ABSORBED' | 'SURVIVOR';
  survivorId: string;
  /** SURVIVOR: every subject that becomes its own again. */
  absorbedIds: string[];
  revertedAt: Instant;
  /** VOID: the survivor was itself closed before the merge arrived, and the merge gave way. */
  cause: 'REVERTED' | 'VOID';
  reason?: string;
  /** SURVIVOR, REVERTED: what its own events alone come to, by context. */
  restored?: Readonly<Record<string, unknown>>;
}

export interface SubjectErasedData {
  receiptId: string;
  /** The subject that was asked about; on the streams of those it had absorbed too. */
  rootId: string;
  erasedTogether: string[];
  erasedAt: Instant;
  reason: ErasureReason;
  /** Public address of the service then: a receipt made again later must not differ. */
  issuer: string;
}

/** Restriction of processing (GDPR art. 18) or a legal hold (art. 17(3)(e)): nothing may be erased meanwhile. */
export interface SubjectRestrictedData {
  restrictedAt: Instant;
  until: Instant | null;
  reason?: string;
}

/** What was known of a subject and was wrong was put right (GDPR art. 16). What is absent stayed as it was. */
export interface SubjectRectifiedData {
  rectifiedAt: Instant;
  /**
   * Identifiers that are the subject's no more, those of subjects that were merged into it among them: each stands on the
   * stream of the one that has it, too. Their values stay sealed in the events that added them, until the subject is erased.
   */
  removed?: readonly RemovedIdentifier[];
  /** Kinds of which no identifier that is left is verified. */
  unverifiedKinds?: readonly string[];
  /** BCP 47; null: none is known. */
  locale?: string | null;
  /** ISO 3166-1 alpha-2; null: none is known. */
  country?: string | null;
}

export interface RemovedIdentifier {
  identifierId: string;
  kind: string;
}

/** An operator saw identifiers in clear. It stands in a stream of the site, which an erasure of the subject leaves. */
export type IdentifiersRevealed = DomainEvent<
  'IdentifiersRevealed',
  { subjectId: string; reason: string; at: Instant }
>;
/** Streams of what was revealed, one for each site and environment. */
export const REVEALS_STREAM = 'reveals';

export const BATCH_MODES = ['PARTIAL', 'ATOMIC'] as const;
export type BatchMode = (typeof BATCH_MODES)[number];

/** What became of one item of a batch: where its record stands, or why there is none. */
export type BatchItemKept =
  | { status: 'RECORDED' | 'REPLAYED'; subjectId: string; revision: number }
  | { status: 'REJECTED'; error: Omit<Refusal, 'refused'> }
  | { status: 'NOT_APPLIED' };

/** A whole batch was answered; kept so that repeating it gives the first answer again. Holds nothing personal. */
export type BatchCompleted = DomainEvent<'BatchCompleted', { mode: BatchMode; results: BatchItemKept[] }>;
/** Streams of batches, one for each batch, by the digest of its key. */
export const BATCH_STREAM = 'batch';

export type SubjectCreated = DomainEvent<'SubjectCreated', SubjectCreatedData>;
export type IdentifierAdded = DomainEvent<'IdentifierAdded', IdentifierAddedData>;
export type IdentifierVerified = DomainEvent<'IdentifierVerified', IdentifierVerifiedData>;
export type SubjectsMerged = DomainEvent<'SubjectsMerged', SubjectsMergedData>;
export type SubjectMergeReverted = DomainEvent<'SubjectMergeReverted', SubjectMergeRevertedData>;
export type SubjectErased = DomainEvent<'SubjectErased', SubjectErasedData>;
export type SubjectRectified = DomainEvent<'SubjectRectified', SubjectRectifiedData>;
export type SubjectRestricted = DomainEvent<'SubjectRestricted', SubjectRestrictedData>;
export type SubjectRestrictionLifted = DomainEvent<'SubjectRestrictionLifted', { liftedAt: Instant; reason?: string }>;

/** What every context that folds a subject has to follow. */
export type LifecycleEvent = SubjectsMerged | SubjectMergeReverted | SubjectErased;
export const LIFECYCLE = ['SubjectsMerged', 'SubjectMergeReverted', 'SubjectErased'] as const;

export type SubjectEvent =
  | SubjectCreated
  | IdentifierAdded
  | IdentifierVerified
  | SubjectRectified
  | LifecycleEvent
  | SubjectRestricted
  | SubjectRestrictionLifted;

export const SUBJECT_EVENTS = [
  defineEvent({ type: 'SubjectCreated', version: 1, personal: ['locale', 'country', 'metadata'] }),
  defineEvent({ type: 'IdentifierAdded', version: 1, personal: ['value'] }),
  defineEvent({ type: 'IdentifierVerified', version: 1, personal: [] }),
  defineEvent({ type: 'SubjectRectified', version: 1, personal: ['locale', 'country'] }),
  defineEvent({ type: 'SubjectsMerged', version: 1, personal: ['reason'] }),
  defineEvent({ type: 'SubjectMergeReverted', version: 1, personal: ['reason'] }),
  defineEvent({ type: 'SubjectErased', version: 1, personal: [] }),
  defineEvent({ type: 'SubjectRestricted', version: 1, personal: ['reason'] }),
  defineEvent({ type: 'SubjectRestrictionLifted', version: 1, personal: ['reason'] }),
  defineEvent({ type: 'IdentifiersRevealed', version: 1, personal: [] }),
  defineEvent({ type: 'BatchCompleted', version: 1, personal: [] }),
];
