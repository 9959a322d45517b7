import { CONSENT_EVENTS, type ConsentEvent } from '../consent/index.js';
import type { EventDefinition } from '../streams/codec.js';
import type { DomainEvent } from '../kernel/index.js';
import { PREFERENCE_EVENTS, type PreferenceEvent } from '../preferences/index.js';
import { SUBJECT_EVENTS, type SubjectEvent } from '../subjects/index.js';

/** Everything that can stand in the stream of a subject. */
export type PersonEvent = SubjectEvent | ConsentEvent | PreferenceEvent;

/** How each of them is stored: a type without a shape does not compile. */
export const PERSON_EVENTS = [
  ...SUBJECT_EVENTS,
  ...CONSENT_EVENTS,
  ...PREFERENCE_EVENTS,
] as const satisfies readonly EventDefinition<PersonEvent['type']>[];

const TYPES: ReadonlySet<string> = new Set(PERSON_EVENTS.map(({ type }) => type));

/**
 * What the codec has read, as what it is. The one place where data that come from the log get a type: all that is shown
 * of a subject is made from this union, so the compiler refuses what reads a member that an event does not have.
 */
export const isPersonEvent = (event: DomainEvent): event is PersonEvent => TYPES.has(event.type);

/** Null where this release cannot read the event, or where it is not about a person. */
export const asPersonEvent = (event: DomainEvent | null): PersonEvent | null =>
  event !== null && isPersonEvent(event) ? event : null;
