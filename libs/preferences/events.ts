import type { Actor, Collection, Provenance, Source } from '../consent/index.js';
import type { Presentation } from '../catalogue/index.js';
import { defineEvent } from '../streams/codec.js';
import type { DomainEvent, Instant } from '../kernel/index.js';

/** What can be read of a topic. SET and UNSET are the states of a typed field. */
export const TOPIC_STATES = ['GRANTED', 'DENIED', 'PENDING', 'EXPIRED', 'UNSET'] as const;
export type TopicState = (typeof TOPIC_STATES)[number];
export const FIELD_STATES = ['SET', 'UNSET'] as const;
export type FieldState = (typeof FIELD_STATES)[number];
export type OptOutState = 'NONE' | 'ACTIVE';

export type FieldValue = boolean | string | number | readonly string[] | null;

/** The channel and topic that name a topic; typed fields have a key only. */
export interface TopicName {
  channel: string;
  topic: string;
}

interface ChangeBase {
  /** `channels.<channel>.topics.<topic>`, or the key of a typed field. */
  field: string;
  /** False where something newer already stood, or a refusal and this is undated: kept in history, without effect. */
  appliedToState: boolean;
}

export interface TopicChange extends ChangeBase, TopicName {
  kind: 'topic';
  previousState: TopicState;
  state: TopicState;
  /** What was asked for: true wants messages, false wants none; absent where only frequency or pause were named. */
  wanted?: boolean;
  frequency?: string | null;
  pausedUntil?: Instant | null;
}

export interface FieldChange extends ChangeBase {
  kind: 'field';
  /** SELECT, TEXT, …: how the template declares it. */
  type: string;
  previousState: FieldState;
  state: FieldState;
  /** Personal. */
  value: FieldValue;
}

export type PreferenceChange = TopicChange | FieldChange;

/** Which texts the person had before them: the template in force, in the language that was served. */
export interface TemplateShown {
  version: number;
  locale: string;
  contentHash: string;
}

export interface PreferenceSetData {
  recordId: string;
  changes: PreferenceChange[];
  globalOptOut?: { previousState: OptOutState; state: OptOutState; wanted: boolean; appliedToState: boolean };
  /** Requests for confirmation that this ended: who says no, or asks anew, takes back what was asked before. */
  ended: string[];
  /** The record by a link that this takes back, in the same way; absent where it takes back none. */
  undoes?: string;
  source: Source;
  givenAt: Instant;
  /** An import or a migration that did not say when it was given, so `givenAt` is when it was recorded. */
  undated?: true;
  recordedAt: Instant;
  template: TemplateShown;
  collection?: Collection;
  /** What was shown, as the service itself had stated it; absent where no presentation token came with the request. */
  presentation?: Presentation;
  actor: Actor;
  metadata?: Record<string, unknown>;
  provenance: Provenance;
}

/** The text that the recipient read, word for word: the proof of what was confirmed (§ 7 UWG, GDPR art. 7(1)). */
export interface ConfirmationText {
  language: string;
  dir: 'ltr' | 'rtl';
  title: string;
  paragraphs: string[];
  button: string;
  footer: string;
}

export interface PreferenceConfirmationRequestedData {
  /** `rec_…` */
  requestId: string;
  /** SHA-256 of the token, hex; the token itself is nowhere. */
  tokenHash: string;
  fields: (TopicName & { field: string; previousState: TopicState })[];
  /** Older requests about one of these fields. */
  ended: string[];
  requestedAt: Instant;
  expiresAt: Instant;
  redirectUrl: string;
  template: TemplateShown;
  text: ConfirmationText;
  /** Set where the service sends the mail itself: the identifier it goes to. */
  mail?: { identifierId: string; messageId: string; subject: string };
  provenance: Provenance;
}

/** What became of the mail: the server's answer, without addresses. */
export interface PreferenceConfirmationMailedData {
  requestId: string;
  messageId: string;
  outcome: 'ACCEPTED' | 'FAILED';
  code: string | null;
  response: string | null;
  attempts: number;
  at: Instant;
}

export interface PreferenceConfirmedData {
  recordId: string;
  requestId: string;
  fields: (TopicName & { field: string; previousState: TopicState })[];
  confirmedAt: Instant;
  /** The click came by the link's page, or by a program. */
  via: 'PAGE' | 'API';
  provenance: Provenance;
}

export interface PreferenceConfirmationExpiredData {
  requestId: string;
  /** `state` is what is left of each topic; absent in events of before it was recorded. */
  fields: (TopicName & { field: string; state?: TopicState })[];
  expiredAt: Instant;
}

export type PreferenceSet = DomainEvent<'PreferenceSet', PreferenceSetData>;
export type PreferenceConfirmationRequested = DomainEvent<
  'PreferenceConfirmationRequested',
  PreferenceConfirmationRequestedData
>;
export type PreferenceConfirmationMailed = DomainEvent<
  'PreferenceConfirmationMailed',
  PreferenceConfirmationMailedData
>;
export type PreferenceConfirmed = DomainEvent<'PreferenceConfirmed', PreferenceConfirmedData>;
export type PreferenceConfirmationExpired = DomainEvent<
  'PreferenceConfirmationExpired',
  PreferenceConfirmationExpiredData
>;
export type PreferenceEvent =
  | PreferenceSet
  | PreferenceConfirmationRequested
  | PreferenceConfirmationMailed
  | PreferenceConfirmed
  | PreferenceConfirmationExpired;

const PROVENANCE = ['provenance.ip', 'provenance.userAgent'];

export const PREFERENCE_EVENTS = [
  defineEvent({
    type: 'PreferenceSet',
    version: 1,
    personal: [
      'changes[].value',
      'actor.id',
      'actor.relationship',
      'collection.url',
      'collection.presentationToken',
      'metadata',
      ...PROVENANCE,
    ],
  }),
  defineEvent({ type: 'PreferenceConfirmationRequested', version: 1, personal: ['redirectUrl', ...PROVENANCE] }),
  defineEvent({ type: 'PreferenceConfirmationMailed', version: 1, personal: [] }),
  defineEvent({ type: 'PreferenceConfirmed', version: 1, personal: PROVENANCE }),
  defineEvent({ type: 'PreferenceConfirmationExpired', version: 1, personal: [] }),
];
