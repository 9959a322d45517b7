import type { Instant, Reference } from '../kernel/index.js';
import type { SubjectEvent } from './events.js';

/** What a stream begins with when a reference is seen for the first time: a first decision creates its subject. */
export function firstSight(subjectId: string, identifierId: string, reference: Reference, at: Instant): SubjectEvent[] {
  return [
    { type: 'SubjectCreated', data: { subjectId, createdAt: at } },
    { type: 'IdentifierAdded', data: { identifierId, kind: reference.kind, value: reference.value, addedAt: at } },
  ];
}
