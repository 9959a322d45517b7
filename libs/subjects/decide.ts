import { happened, type Decision, type Instant, type Reference, type Refusal } from '../kernel/index.js';
import type {
  ErasureReason,
  SubjectCreatedData,
  SubjectErased,
  SubjectEvent,
  SubjectMergeReverted,
  SubjectRectified,
  SubjectRectifiedData,
  SubjectRestricted,
  SubjectRestrictionLifted,
  SubjectsMerged,
  VerificationMethod,
} from './events.js';
import { outcomeOf, type Edge } from './follow.js';
import {
  carried,
  conflictsOf,
  excludedBy,
  foldWithout,
  type HistorySince,
  type MergeFacts,
  type SubjectPart,
  type WholeFold,
  type WholeState,
} from './parts.js';
import { subjectRefusals } from './refusals.js';
import { familyOf, isClosed, standingOf } from './standing.js';
import { isRestricted, type KnownIdentifier, type SubjectState } from './state.js';

/** Most identifiers of one subject; a person has few, a mistake in an import has many. */
export const MOST_IDENTIFIERS = 100;
/** Most subjects that one can hold, directly and through others. */
export const MOST_FAMILY = 1_000;

/** What a stream begins with when a reference is seen for the first time: a first decision creates its subject. */
export function firstSight(subjectId: string, identifierId: string, reference: Reference, at: Instant): SubjectEvent[] {
  return [
    { type: 'SubjectCreated', data: { subjectId, createdAt: at } },
    identifierAdded({ identifierId, reference, verification: null, source: 'API' }, true, at),
  ];
}

/** An identifier whose row stands in the vault. */
export interface ReservedIdentifier {
  identifierId: string;
  reference: Reference;
  verification: VerificationMethod | null;
  source: KnownIdentifier['source'];
}

function identifierAdded(
  { identifierId, reference, verification, source }: ReservedIdentifier,
  primary: boolean,
  at: Instant,
): SubjectEvent {
  return {
    type: 'IdentifierAdded',
    data: {
      identifierId,
      kind: reference.kind,
      value: reference.value,
      addedAt: at,
      verifiedAt: verification === null ? null : at,
      verificationMethod: verification,
      primary,
      source,
    },
  };
}

/** Makes the subject where it is not there yet, and adds what it does not have; nothing where it has it all. */
export function provideSubject(
  created: SubjectCreatedData,
  identifiers: readonly ReservedIdentifier[],
  state: SubjectState,
): Decision<SubjectEvent> {
  const events: SubjectEvent[] = state.createdAt === null ? [{ type: 'SubjectCreated', data: created }] : [];
  const known = new Map(state.identifiers.map((identifier) => [identifier.identifierId, identifier]));
  const kinds = new Set(state.identifiers.map(({ kind }) => kind));
  for (const identifier of identifiers) {
    const there = known.get(identifier.identifierId);
    if (!there) {
      events.push(identifierAdded(identifier, !kinds.has(identifier.reference.kind), created.createdAt));
      kinds.add(identifier.reference.kind);
    } else if (identifier.verification !== null && there.verifiedAt === null) {
      events.push({
        type: 'IdentifierVerified',
        data: { identifierId: there.identifierId, method: identifier.verification, verifiedAt: created.createdAt },
      });
    }
  }
  const total = state.identifiers.length + events.filter(({ type }) => type === 'IdentifierAdded').length;
  return total > MOST_IDENTIFIERS ? subjectRefusals.tooManyIdentifiers(MOST_IDENTIFIERS) : happened(...events);
}

/** Closes a subject: from here on it is part of the survivor. Nothing where this very merge has closed it already. */
export function absorb(merge: MergeFacts, state: SubjectState): Decision<SubjectsMerged> {
  const standing = standingOf(state);
  if (standing.erasedAt !== null) return subjectRefusals.erased();
  if (standing.merged?.mergeId === merge.mergeId && standing.merged.into === merge.survivorId) return happened();
  if (standing.merged || merge.survivorId === merge.absorbedId || familyOf(standing).includes(merge.survivorId))
    return subjectRefusals.alreadyOne();
  return happened({ type: 'SubjectsMerged', data: { ...merge, role: 'ABSORBED' } });
}

/** Notifies the survivor of what it has absorbed, and what the two had differed on; nothing where it was notified, or is closed itself meanwhile. */
export function receive(
  parts: readonly SubjectPart[],
  merge: MergeFacts,
  absorbed: WholeState,
  survivor: WholeState,
): Decision<SubjectsMerged> {
  if (isClosed(survivor.subject) || outcomeOf(merge.mergeId, merge.absorbedId, survivor.subject) !== null)
    return happened();
  const family = [merge.absorbedId, ...familyOf(standingOf(absorbed.subject))];
  const conflicts = conflictsOf(
    parts,
    { id: merge.survivorId, state: survivor },
    { id: merge.absorbedId, state: absorbed },
    merge,
  );
  return happened({
    type: 'SubjectsMerged',
    data: { ...merge, role: 'SURVIVOR', family, absorbed: carried(parts, absorbed), conflicts },
  });
}

/** Lets a merge never arrive, whose survivor was closed before it did: on the survivor's own stream, which alone decides that. */
export function decline(
  { mergeId, absorbedId, survivorId }: Edge,
  at: Instant,
  survivor: SubjectState,
): Decision<SubjectMergeReverted> {
  if (!isClosed(survivor) || outcomeOf(mergeId, absorbedId, survivor) !== null) return happened();
  return happened({
    type: 'SubjectMergeReverted',
    data: { mergeId, role: 'SURVIVOR', survivorId, absorbedIds: [absorbedId], revertedAt: at, cause: 'VOID' },
  });
}

export interface RevertMerge {
  mergeId: string;
  survivorId: string;
  at: Instant;
  reason?: string;
}

/**
 * Takes a merge back on the survivor's side; nothing where that was done before. `history`: of the survivor, from before
 * this merge and all that were reverted before it.
 */
export function revertMerge(
  parts: readonly SubjectPart[],
  whole: WholeFold,
  revert: RevertMerge,
  state: WholeState,
  history: HistorySince,
): Decision<SubjectMergeReverted> {
  const { mergeId, survivorId, at, reason } = revert;
  const { absorbed, merged, erasedAt } = standingOf(state.subject);
  const absorbedIds = absorbed.filter((each) => each.mergeId === mergeId).map(({ subjectId }) => subjectId);
  if (absorbedIds.length === 0) return happened();
  if (erasedAt !== null) return subjectRefusals.erased();
  if (merged) return subjectRefusals.laterMerge();
  const restored = carried(parts, foldWithout(whole, excludedBy(state, mergeId), history));
  return happened({
    type: 'SubjectMergeReverted',
    data: {
      mergeId,
      role: 'SURVIVOR',
      survivorId,
      absorbedIds,
      revertedAt: at,
      cause: 'REVERTED',
      ...(reason !== undefined && { reason }),
      restored,
    },
  });
}

/** Opens an absorbed subject again; nothing where it is open, or another merge absorbed it. */
export function release(
  { mergeId, absorbedId, survivorId }: Edge,
  cause: 'REVERTED' | 'VOID',
  at: Instant,
  state: SubjectState,
): Decision<SubjectMergeReverted> {
  const { merged } = standingOf(state);
  if (merged?.mergeId !== mergeId || merged.into !== survivorId) return happened();
  return happened({
    type: 'SubjectMergeReverted',
    data: { mergeId, role: 'ABSORBED', survivorId, absorbedIds: [absorbedId], revertedAt: at, cause },
  });
}

export interface EraseSubject {
  receiptId: string;
  rootId: string;
  reason: ErasureReason;
  issuer: string;
  at: Instant;
}

/** Ends a subject. Its decisions stay in the log as anonymous evidence; the key that makes them readable is destroyed after this. */
export function eraseSubject(
  { receiptId, rootId, reason, issuer, at }: EraseSubject,
  erasedTogether: readonly string[],
  state: SubjectState,
): Decision<SubjectErased> {
  if (standingOf(state).erasedAt !== null) return happened();
  if (isRestricted(state, at)) return subjectRefusals.restricted();
  return happened({
    type: 'SubjectErased',
    data: { receiptId, rootId, erasedTogether: [...erasedTogether], erasedAt: at, reason, issuer },
  });
}

export type RectifySubject = Omit<SubjectRectifiedData, 'rectifiedAt' | 'unverifiedKinds'>;

/**
 * Puts right what was known of a subject; nothing where it is so already. `family`: the identifiers of the subjects that were
 * merged into it, which can be removed too. Locale and country of the state in clear.
 */
export function rectifySubject(
  { removed = [], locale, country }: RectifySubject,
  state: SubjectState,
  family: readonly KnownIdentifier[],
  at: Instant,
): Decision<SubjectRectified> {
  const ids = new Set(removed.map(({ identifierId }) => identifierId));
  const isLeft = ({ identifierId }: KnownIdentifier): boolean => !ids.has(identifierId);
  const known = [...state.identifiers, ...family];
  const gone = known.filter((each) => !isLeft(each)).map(({ identifierId, kind }) => ({ identifierId, kind }));
  // An id without any identifier would lead nowhere.
  if (gone.length > 0 && !state.identifiers.some(isLeft)) return subjectRefusals.lastIdentifier();
  const kinds = [...new Set(gone.map(({ kind }) => kind))];
  const isVerified = (kind: string) => (each: KnownIdentifier) =>
    each.kind === kind && each.verifiedAt !== null && isLeft(each);
  const unverifiedKinds = kinds.filter((kind) => !known.some(isVerified(kind)));
  const changes = {
    ...(gone.length > 0 && { removed: gone }),
    ...(unverifiedKinds.length > 0 && { unverifiedKinds }),
    ...(locale !== undefined && locale !== state.locale && { locale }),
    ...(country !== undefined && country !== state.country && { country }),
  };
  if (Object.keys(changes).length === 0) return happened();
  return happened({ type: 'SubjectRectified', data: { rectifiedAt: at, ...changes } });
}

export function restrict(
  until: Instant | null,
  reason: string | undefined,
  state: SubjectState,
  at: Instant,
): Decision<SubjectRestricted> | Refusal {
  if (until !== null && until <= at) return subjectRefusals.restrictionOver();
  const stands = isRestricted(state, at) && state.restriction!.until === until;
  // The hold that stands may have come with an absorbed subject, and goes with that one when the merge is reverted. A hold
  // that is laid now is for the survivor too.
  if (stands && standingOf(state).absorbed.length === 0) return happened();
  return happened({
    type: 'SubjectRestricted',
    data: { restrictedAt: at, until, ...(reason !== undefined && { reason }) },
  });
}

export function liftRestriction(
  reason: string | undefined,
  state: SubjectState,
  at: Instant,
): Decision<SubjectRestrictionLifted> {
  if (!isRestricted(state, at)) return happened();
  return happened({
    type: 'SubjectRestrictionLifted',
    data: { liftedAt: at, ...(reason !== undefined && { reason }) },
  });
}
