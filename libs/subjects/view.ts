import type { Instant } from '../kernel/index.js';
import { standingOf } from './standing.js';
import { isRestricted, type KnownIdentifier, type SubjectState } from './state.js';

export const SUBJECT_STATES = ['ACTIVE', 'MERGED', 'RESTRICTED', 'ERASED'] as const;

export interface IdentifierView {
  id: string;
  kind: string;
  value: string | null;
  verified: boolean;
  verifiedAt: Instant | null;
  verificationMethod: string | null;
  primary: boolean;
  source: string;
  addedAt: Instant;
}

export interface SubjectView {
  id: string;
  object: 'subject';
  state: (typeof SUBJECT_STATES)[number];
  mergedInto: string | null;
  identifiers: IdentifierView[];
  locale: string | null;
  country: string | null;
  metadata: Record<string, unknown>;
  restrictedUntil: Instant | null;
  createdAt: Instant | null;
  updatedAt: Instant | null;
}

/** A subject as its owner's server sees it; `others`: identifiers of the subjects that it has absorbed. */
export function subjectView(
  id: string,
  subject: SubjectState,
  others: readonly KnownIdentifier[],
  at: Instant,
): SubjectView {
  const { merged, erasedAt } = standingOf(subject);
  const restricted = isRestricted(subject, at);
  return {
    id,
    object: 'subject',
    state: erasedAt !== null ? 'ERASED' : merged ? 'MERGED' : restricted ? 'RESTRICTED' : 'ACTIVE',
    mergedInto: merged?.into ?? null,
    identifiers: identifierViews([...subject.identifiers, ...others]),
    locale: subject.locale,
    country: subject.country,
    metadata: subject.metadata,
    restrictedUntil: restricted ? subject.restriction!.until : null,
    createdAt: subject.createdAt,
    updatedAt: subject.updatedAt,
  };
}

function identifierViews(identifiers: readonly KnownIdentifier[]): IdentifierView[] {
  const kinds = new Set<string>();
  return identifiers.map(({ identifierId, kind, value, verifiedAt, verificationMethod, source, addedAt }) => {
    const primary = !kinds.has(kind);
    kinds.add(kind);
    return {
      id: identifierId,
      kind,
      value: typeof value === 'string' ? value : null,
      verified: verifiedAt !== null,
      verifiedAt,
      verificationMethod,
      primary,
      source,
      addedAt,
    };
  });
}
