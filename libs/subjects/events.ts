import { defineEvent } from '../event-log/codec.js';
import type { DomainEvent, Instant } from '../kernel/index.js';

export interface SubjectCreatedData {
  subjectId: string;
  createdAt: Instant;
}

export interface IdentifierAddedData {
  identifierId: string;
  kind: string;
  /** Personal: encrypted with the subject's key. */
  value: string;
  addedAt: Instant;
}

export type SubjectCreated = DomainEvent<'SubjectCreated', SubjectCreatedData>;
export type IdentifierAdded = DomainEvent<'IdentifierAdded', IdentifierAddedData>;
export type SubjectEvent = SubjectCreated | IdentifierAdded;

export const SUBJECT_EVENTS = [
  defineEvent({ type: 'SubjectCreated', version: 1, personal: [] }),
  defineEvent({ type: 'IdentifierAdded', version: 1, personal: ['value'] }),
];
