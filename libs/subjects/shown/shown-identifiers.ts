import type { Mask } from '../../context/subject-timeline.js';
import type { DomainEvent } from '../../kernel/index.js';
import type { IdentifierAdded, IdentifierVerified, SubjectCreated, SubjectRectified } from '../events.js';

export interface ShownIdentifier {
  kind: string;
  /** Null: it was forgotten. */
  value: string | null;
  verified: boolean;
  addedAt: string;
}

type AboutIdentifiers = IdentifierAdded | IdentifierVerified | SubjectRectified;
const TYPES: ReadonlySet<string> = new Set<AboutIdentifiers['type']>([
  'IdentifierAdded',
  'IdentifierVerified',
  'SubjectRectified',
]);

/** Whether the event says by what a subject is known. */
export const saysIdentifiers = (event: DomainEvent): event is AboutIdentifiers => TYPES.has(event.type);

/** Identifiers in the order in which they came, from the events that say them. */
export function identifiersOf(events: readonly AboutIdentifiers[], mask: Mask): ShownIdentifier[] {
  const found = new Map<string, ShownIdentifier>();
  for (const { type, data } of events) {
    if (type === 'IdentifierAdded') {
      const { identifierId, kind, verifiedAt, addedAt } = data;
      const value = typeof data.value === 'string' ? mask(data.value) : null;
      found.set(identifierId, { kind, value, verified: verifiedAt !== null, addedAt });
    } else if (type === 'IdentifierVerified') {
      const known = found.get(data.identifierId);
      if (known) found.set(data.identifierId, { ...known, verified: true });
    } else for (const { identifierId } of data.removed ?? []) found.delete(identifierId);
  }
  return [...found.values()];
}

/** The language that the first event of a subject names; null where it names none, or where it was forgotten. */
export function firstLocale(event: DomainEvent | null): string | null {
  if (event?.type !== 'SubjectCreated') return null;
  const { locale } = (event as SubjectCreated).data;
  return typeof locale === 'string' ? locale : null;
}
