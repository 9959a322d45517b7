import type { Instant, SealedValue } from '../kernel/index.js';
import { standsAbove, type Said, type Source, type Stands, type Undated } from '../consent/index.js';
import type { ConfirmationText, FieldValue, TopicState } from './events.js';

/** What stands for one topic, apart from any request that is still open. */
export interface Topic {
  state: 'GRANTED' | 'DENIED' | 'UNSET';
  recordId: string | null;
  source: Source;
  givenAt: Instant;
  /** When the owner of the address said so; null where no confirmation was asked for. */
  confirmedAt: Instant | null;
  frequency: string | null;
  pausedUntil: Instant | null;
  /** A wish that its double opt-in has not confirmed yet; `until` null: no link was sent so far. */
  pending: { requestId: string | null; since: Instant; until: Instant | null } | null;
  /** A grant that a third party claimed without a date. Absent: it has one. */
  undated?: Undated;
  /** What a link took away here and can give back; absent where what stands was decided in another way. */
  takenAway?: { confirmedAt: Instant | null };
}

export interface Field {
  type: string;
  /** As the event holds it: sealed with the key of the subject who said it. Null: cleared, so that an older value does not come back. */
  value: FieldValue | SealedValue;
  recordId: string;
  source: Source;
  givenAt: Instant;
  /** A toggle that a third party claimed without a date. */
  undated?: true;
}

/** One request for confirmation: while it can be answered, and afterwards for a person who opens its link again. */
export interface ConfirmationRequest {
  tokenHash: string;
  fields: readonly { field: string; channel: string; topic: string }[];
  expiresAt: Instant;
  confirmedAt: Instant | null;
  /** The record of the confirmation; absent while there is none, and in what was merged before it was kept. */
  recordId?: string;
  /** When the confirmation was taken back; absent where it was not. */
  undoneAt?: Instant;
  /** The log says that it was not confirmed in time. */
  expired: boolean;
  /** As the event holds it. */
  redirectUrl: string | SealedValue;
  /** Without its paragraphs once nothing is asked any more. */
  text: ConfirmationText;
  /** Whose click it is: the identifier that the service mailed the link to. */
  identifierId: string | null;
}

export const isOpenRequest = ({ confirmedAt, expired }: ConfirmationRequest): boolean =>
  confirmedAt === null && !expired;

/** Whether a subject wants nothing at all any more, and since when. */
export interface OptOut {
  active: boolean;
  since: Instant;
  /** That it is over is what a third party claimed without a date. Absent: it has one. */
  undated?: Undated;
}

/** What preferences know of a subject, without its place among merged subjects. */
export interface PreferenceChoices {
  /** By full path. */
  topics: Readonly<Record<string, Topic>>;
  /** By key. */
  fields: Readonly<Record<string, Field>>;
  globalOptOut: OptOut | null;
  /** Kinds of identifier of which the subject has a verified one: `email`, `phone`. */
  verifiedKinds: readonly string[];
  /** By request id. */
  requests: Readonly<Record<string, ConfirmationRequest>>;
  /** The last mails to each identifier, for the limits per address. */
  mails: Readonly<Record<string, readonly Instant[]>>;
}

/** Most requests that are remembered: the newest. Older ones were superseded, or ended without an answer. */
const MOST_REQUESTS = 50;

/** By their ids, which grow with time: rows of JSON forget in which order members were added. */
export const newestRequests = (requests: PreferenceChoices['requests']): PreferenceChoices['requests'] =>
  Object.fromEntries(
    Object.entries(requests)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(-MOST_REQUESTS),
  );

export const nothingChosen = (): PreferenceChoices => ({
  topics: {},
  fields: {},
  globalOptOut: null,
  verifiedKinds: [],
  requests: {},
  mails: {},
});

/** What a reader is shown of a topic at a moment. An open request never hides a grant, and one that ran out leaves what stood before. */
export function shownState(topic: Topic | undefined, at: Instant): TopicState {
  if (!topic) return 'UNSET';
  if (topic.state === 'GRANTED' || !topic.pending) return topic.state;
  if (topic.pending.until === null || topic.pending.until > at) return 'PENDING';
  return topic.state === 'UNSET' ? 'EXPIRED' : topic.state;
}

/** The moments at which the clock alone changes what is shown. */
export const preferenceTurningPoints = ({ topics }: PreferenceChoices): Instant[] =>
  Object.values(topics)
    .flatMap(({ pending, pausedUntil }) => [
      ...(pending?.until ? [pending.until] : []),
      ...(pausedUntil ? [pausedUntil] : []),
    ])
    .sort();

/** What was said in a typed field, whose key may be the name of anything: `constructor` is one. */
export const fieldNamed = ({ fields }: Pick<PreferenceChoices, 'fields'>, key: string): Field | undefined =>
  Object.hasOwn(fields, key) ? fields[key] : undefined;

/** When the next request without an answer runs out; null where none is open. */
export const nextConfirmationEnd = ({ requests }: PreferenceChoices): Instant | null =>
  Object.values(requests)
    .flatMap((request) => (isOpenRequest(request) ? [request.expiresAt] : []))
    .sort()[0] ?? null;

export { standsAbove, type Said } from '../consent/index.js';

/** What was said last of a topic: a wish that still waits, else what was decided. */
export function standingTopic(topic: Topic | undefined, at: Instant): Stands | null {
  if (!topic) return null;
  const { state, source, givenAt, pending, undated } = topic;
  if (pending && (pending.until === null || pending.until > at) && pending.since >= givenAt)
    return { givenAt: pending.since, refusing: false, source: 'API' };
  return state === 'UNSET' ? null : { givenAt, refusing: state === 'DENIED', source, ...(undated && { undated }) };
}

export const standingOptOut = (optOut: PreferenceChoices['globalOptOut']): Stands | null =>
  optOut && {
    ...{ givenAt: optOut.since, refusing: optOut.active, source: 'API' },
    ...(optOut.undated && { undated: optOut.undated }),
  };

export const standingField = (field: Field | undefined): Stands | null =>
  field ? { givenAt: field.givenAt, refusing: false, source: field.source } : null;

/** Whether something said of a topic stands above what stands. A wish that waits takes no refusal away. */
export const topicStandsAbove = (next: Said, topic: Topic | undefined, at: Instant): boolean =>
  !(next.undated && topic?.state === 'DENIED') && standsAbove(next, standingTopic(topic, at));

/**
 * Whether a value stands above the one that was typed. What a toggle says is sealed, and may be a refusal: without a date
 * it is switched on only where nothing stands, and what has a date stands above it.
 */
export function fieldStandsAbove(next: Said, current: Field | undefined, type: string): boolean {
  if (type === 'TOGGLE' && current) {
    if (next.undated && !next.refusing) return false;
    if (current.undated && !next.undated) return true;
  }
  return standsAbove({ ...next, refusing: false }, standingField(current));
}
