import type { PersonEvent } from '../subject-archive/index.js';
import type { PreferenceChange } from '../preferences/index.js';

export interface ShownIdentifier {
  kind: string;
  /** Null: it was forgotten. */
  value: string | null;
  verified: boolean;
  addedAt: string;
}

/** Identifiers in the order in which they came, from the events that are about them. */
export function identifiersOf(events: readonly PersonEvent[], mask: (text: string) => string): ShownIdentifier[] {
  const found = new Map<string, ShownIdentifier>();
  for (const { type, data } of events) {
    if (type === 'IdentifierAdded') {
      const { identifierId, kind, value, verifiedAt, addedAt } = data;
      found.set(identifierId, { kind, value: shownValue(value, mask), verified: verifiedAt !== null, addedAt });
    } else if (type === 'IdentifierVerified') {
      const known = found.get(data.identifierId);
      if (known) found.set(data.identifierId, { ...known, verified: true });
    } else if (type === 'SubjectRectified')
      for (const { identifierId } of data.removed ?? []) found.delete(identifierId);
  }
  return [...found.values()];
}

/** One line of a timeline; empty where this release cannot read the event. Texts that a person may have written are masked. */
export function whatHappened(event: PersonEvent | null, mask: (text: string) => string): string {
  if (event === null) return '';
  const { type, data } = event;
  switch (type) {
    case 'ConsentRecorded':
      return `${data.purpose} ${data.decision}, version ${data.purposeVersion}${data.appliedToState ? '' : `, without effect: ${data.undated ? 'it has no date' : 'a newer decision stands'}`}`;
    case 'ConsentExpired':
      return `${data.purpose} EXPIRED`;
    case 'PreferenceSet':
      return [
        ...data.changes.map((change) => `${change.field} = ${wishIn(change, mask)}`),
        ...(data.globalOptOut ? ['all of them'] : []),
      ].join(', ');
    case 'PreferenceConfirmationRequested':
    case 'PreferenceConfirmed':
    case 'PreferenceConfirmationExpired':
      return data.fields.map(({ field }) => field).join(', ');
    case 'PreferenceConfirmationMailed':
      return data.code === null ? data.outcome : `${data.outcome} ${data.code}`;
    case 'SubjectCreated':
      return '';
    case 'IdentifierAdded':
      return `${data.kind} ${shownValue(data.value, mask) ?? '(forgotten)'}`;
    case 'IdentifierVerified':
      return data.method;
    case 'SubjectRectified':
      return [
        ...(data.removed ?? []).map(({ kind }) => `${kind} removed`),
        ...(['locale', 'country'] as const).flatMap((name) =>
          data[name] === undefined ? [] : [`${name} = ${data[name] === null ? '(none)' : said(data[name], mask)}`],
        ),
      ].join(', ');
    case 'SubjectsMerged':
      return `${data.absorbedId} into ${data.survivorId}`;
    case 'SubjectMergeReverted':
      return `${data.absorbedIds.join(' ')} out of ${data.survivorId}`;
    case 'SubjectErased':
      return data.reason;
    case 'SubjectRestricted':
      return data.until === null ? 'without end' : `until ${data.until}`;
    case 'SubjectRestrictionLifted':
      return '';
  }
}

const wishIn = (change: PreferenceChange, mask: (text: string) => string): string =>
  said(change.kind === 'topic' ? change.wanted : change.value, mask);

/** Null where it was forgotten. */
const shownValue = (value: unknown, mask: (text: string) => string): string | null =>
  typeof value === 'string' ? mask(value) : null;

const said = (value: unknown, mask: (text: string) => string): string =>
  typeof value === 'string'
    ? mask(value)
    : value === undefined || value === null
      ? '(forgotten, or cleared)'
      : JSON.stringify(value);
