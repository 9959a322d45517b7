import type { Instant } from '../kernel/index.js';
import type { Source } from '../consent/index.js';
import type { SealedValue } from '../event-log/codec.js';
import type { FieldValue, TopicState } from './events.js';

/** What stands for one topic, apart from any request that is still open. */
export interface Topic {
  state: 'GRANTED' | 'DENIED' | 'UNSET';
  recordId: string | null;
  source: Source;
  givenAt: Instant;
  /** When the owner of the address said so; null where nobody asked. */
  confirmedAt: Instant | null;
  frequency: string | null;
  pausedUntil: Instant | null;
  /** A wish that its double opt-in has not confirmed yet; `until` null: no link was sent so far. */
  pending: { requestId: string | null; since: Instant; until: Instant | null } | null;
}

export interface Field {
  type: string;
  /** As the event holds it: sealed with the key of the subject who said it. */
  value: FieldValue | SealedValue;
  recordId: string;
  source: Source;
  givenAt: Instant;
}

/** One request for confirmation, while it can still be answered. */
export interface ConfirmationRequest {
  tokenHash: string;
  fields: readonly { field: string; channel: string; topic: string }[];
  expiresAt: Instant;
  confirmedAt: Instant | null;
}

/** What preferences know of a subject, whoever the subject belongs to. */
export interface PreferenceChoices {
  /** By full path. */
  topics: Readonly<Record<string, Topic>>;
  /** By key; cleared ones are not there. */
  fields: Readonly<Record<string, Field>>;
  globalOptOut: { active: boolean; since: Instant } | null;
  /** Kinds of identifier of which the subject has a verified one: `email`, `phone`. */
  verifiedKinds: readonly string[];
  /** By request id, oldest first. */
  requests: Readonly<Record<string, ConfirmationRequest>>;
  /** The last mails to each identifier, for the limits per address. */
  mails: Readonly<Record<string, readonly Instant[]>>;
}

export const nothingChosen = (): PreferenceChoices => ({ topics: {}, fields: {}, globalOptOut: null, verifiedKinds: [], requests: {}, mails: {} });

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
    .flatMap(({ pending, pausedUntil }) => [...(pending?.until ? [pending.until] : []), ...(pausedUntil ? [pausedUntil] : [])])
    .sort();

const SOURCE_RANK: Record<Source, number> = { API: 2, IMPORT: 1, MIGRATION: 0 };

/** Whether something said stands above what stands now: by givenAt; at equal times a refusal beats a grant; then by source; then the later. */
export function standsAbove(next: { givenAt: Instant; refusing: boolean; source: Source }, current: { givenAt: Instant; refusing: boolean; source: Source } | null): boolean {
  if (!current) return true;
  if (next.givenAt !== current.givenAt) return next.givenAt > current.givenAt;
  if (next.refusing !== current.refusing) return next.refusing;
  return SOURCE_RANK[next.source] >= SOURCE_RANK[current.source];
}

export const standingTopic = (topic: Topic | undefined): { givenAt: Instant; refusing: boolean; source: Source } | null =>
  topic && (topic.state !== 'UNSET' || topic.pending) ? { givenAt: topic.givenAt, refusing: topic.state === 'DENIED', source: topic.source } : null;
