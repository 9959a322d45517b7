import type { Instant } from '../kernel/index.js';
import type { IdentifierAddedData, SubjectEvent, VerificationMethod } from './events.js';
import type { SubjectFold } from './stream-fold.js';
import { evolveStanding, standingOf, type Standed } from './standing.js';

/** An identifier as its event tells it; the value is in clear only where the stream was read with the subject's key. */
export type KnownIdentifier = IdentifierAddedData;

export interface Restriction {
  since: Instant;
  until: Instant | null;
}

export interface SubjectState extends Standed {
  /** Null before the first event. */
  createdAt: Instant | null;
  updatedAt: Instant | null;
  locale: string | null;
  country: string | null;
  metadata: Record<string, unknown>;
  identifiers: readonly KnownIdentifier[];
  restriction: Restriction | null;
}

export const initialSubject = (): SubjectState => ({
  createdAt: null,
  updatedAt: null,
  locale: null,
  country: null,
  metadata: {},
  identifiers: [],
  restriction: null,
});

export function evolveSubject(state: SubjectState, event: SubjectEvent): SubjectState {
  switch (event.type) {
    case 'SubjectCreated': {
      const { createdAt, locale = null, country = null, metadata = {} } = event.data;
      return { ...state, createdAt, updatedAt: createdAt, locale, country, metadata };
    }
    case 'IdentifierAdded':
      if (state.identifiers.some(({ identifierId }) => identifierId === event.data.identifierId)) return state;
      return { ...state, updatedAt: event.data.addedAt, identifiers: [...state.identifiers, event.data] };
    case 'IdentifierVerified':
      return { ...state, updatedAt: event.data.verifiedAt, identifiers: verified(state.identifiers, event.data) };
    case 'SubjectRectified': {
      const { rectifiedAt, removed = [], locale = state.locale, country = state.country } = event.data;
      const gone = new Set(removed.map(({ identifierId }) => identifierId));
      const identifiers = state.identifiers.filter(({ identifierId }) => !gone.has(identifierId));
      return { ...state, updatedAt: rectifiedAt, identifiers, locale, country };
    }
    case 'SubjectRestricted': {
      const { restrictedAt, until } = event.data;
      return { ...state, updatedAt: restrictedAt, restriction: { since: restrictedAt, until } };
    }
    case 'SubjectRestrictionLifted':
      return { ...state, updatedAt: event.data.liftedAt, restriction: null };
    case 'SubjectErased':
      return {
        ...initialSubject(),
        createdAt: state.createdAt,
        updatedAt: event.data.erasedAt,
        standing: evolveStanding(standingOf(state), event),
      };
    case 'SubjectsMerged':
      return {
        ...state,
        updatedAt: event.data.mergedAt,
        standing: evolveStanding(standingOf(state), event),
        restriction: stricter(
          state.restriction,
          (event.data.absorbed?.['subject'] as SubjectSnapshot | undefined)?.restriction,
        ),
      };
    case 'SubjectMergeReverted': {
      const restored = event.data.restored?.['subject'] as SubjectSnapshot | undefined;
      return {
        ...state,
        updatedAt: event.data.revertedAt,
        standing: evolveStanding(standingOf(state), event),
        ...(restored && { restriction: restored.restriction }),
      };
    }
  }
}

/** What of a subject itself follows a merge: a hold does, on whichever of the two it was laid. Identifiers stay where they are. */
export interface SubjectSnapshot {
  restriction: Restriction | null;
}

function stricter(a: Restriction | null, b: Restriction | null | undefined): Restriction | null {
  if (!a || !b) return a ?? b ?? null;
  return a.until === null || (b.until !== null && a.until >= b.until) ? a : b;
}

function verified(
  identifiers: readonly KnownIdentifier[],
  { identifierId, method, verifiedAt }: { identifierId: string; method: VerificationMethod; verifiedAt: Instant },
): KnownIdentifier[] {
  return identifiers.map((known) =>
    known.identifierId === identifierId && known.verifiedAt === null
      ? { ...known, verifiedAt, verificationMethod: method }
      : known,
  );
}

/** Whether a hold is in force: one that has an end ends by itself. */
export const isRestricted = ({ restriction }: SubjectState, at: Instant): boolean =>
  restriction !== null && (restriction.until === null || restriction.until > at);

export const SUBJECT_EVENT_TYPES: readonly SubjectEvent['type'][] = [
  'SubjectCreated',
  'IdentifierAdded',
  'IdentifierVerified',
  'SubjectRectified',
  'SubjectsMerged',
  'SubjectMergeReverted',
  'SubjectErased',
  'SubjectRestricted',
  'SubjectRestrictionLifted',
];

export const subjectFold = {
  on: SUBJECT_EVENT_TYPES,
  initial: initialSubject,
  evolve: evolveSubject,
  snapshots: { name: 'subject', version: '1' },
} satisfies SubjectFold<SubjectState, SubjectEvent>;
