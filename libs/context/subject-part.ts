import type { SnapshotRules } from '../streams/stream-fold.js';
import type { DomainEvent, Fold, Instant } from '../kernel/index.js';

/** Which of two subjects' decisions stands after a merge. */
export const CONFLICT_POLICIES = ['MOST_RESTRICTIVE', 'MOST_RECENT', 'TARGET_WINS'] as const;
export type ConflictPolicy = (typeof CONFLICT_POLICIES)[number];

/** Which decisions of an anonymous visitor are carried over to the person that the visitor turns out to be. */
export const CARRY_OVERS = ['NEVER', 'IF_DENIED', 'IF_GRANTED', 'ALWAYS'] as const;
export type CarryOver = (typeof CARRY_OVERS)[number];

/** How a merge decides: by the policy, or, for an anonymous visitor, by what is carried over to the person. */
export interface MergeRule {
  policy: ConflictPolicy;
  carryOver: CarryOver | null;
  mergedAt: Instant;
}

/** A purpose or field on which two merged subjects had decided differently. Stored with the merge. */
export interface MergeConflict {
  purpose?: string;
  field?: string;
  values: { subject: string; state: string; givenAt: Instant | null }[];
  /** The subject whose value stands. */
  chosen: string;
  rule: ConflictPolicy | `CARRY_OVER_${CarryOver}`;
}

/** How a context folds what it knows of a subject. */
export interface PartFold<S, E extends DomainEvent> extends Fold<S, E> {
  on: readonly E['type'][];
  /** Whether the state names personal values: it then holds each as a SealedValue, else as forgotten. */
  keepsSealed?: boolean;
  /** Absent: folded states are not kept as snapshots. */
  snapshots?: SnapshotRules;
}

/** A choice or wish of a subject that stands at a moment. */
export interface StandingChoice {
  /** Key of a purpose, path of a preference, or `globalOptOut`. */
  about: string;
  state: string;
  since: Instant;
  /** Null: it does not end by itself. */
  until: Instant | null;
}

/** What a context knows of a subject: for merges, archives and receipts. Its fold follows the lifecycle events itself. */
export interface SubjectPart<S = unknown> {
  /** Under this name its state stands in `SubjectsMerged`; stored for ever. */
  name: string;
  fold: PartFold<S, DomainEvent>;
  /** The state that a merge carries to the survivor, without its standing. */
  snapshot: (state: S) => unknown;
  /** The differences between the two subjects, and whose value will stand. */
  conflicts: (target: { id: string; state: S }, source: { id: string; state: S }, rule: MergeRule) => MergeConflict[];
  /** The choices that stand at a moment, in any order. */
  stood: (state: S, at: Instant) => StandingChoice[];
}

/** The same with its own types forgotten, as lists of parts hold it. */
export const definePart = <S, E extends DomainEvent>(
  part: Omit<SubjectPart<S>, 'fold'> & { fold: PartFold<S, E> },
): SubjectPart => part as unknown as SubjectPart;
