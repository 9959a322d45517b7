import type { Presentation } from '../catalogue/index.js';
import { defineEvent } from '../streams/codec.js';
import type { DomainEvent, Instant } from '../kernel/index.js';

/** What the person, or who acts for them, decided. OBJECTED: GDPR art. 21; ACKNOWLEDGED: notice read. */
export const DECISIONS = ['GRANTED', 'DENIED', 'WITHDRAWN', 'OBJECTED', 'ACKNOWLEDGED'] as const;
export type Decision = (typeof DECISIONS)[number];

/** IMPORT and MIGRATION: the caller asserts the record rather than the subject. */
export const SOURCES = ['API', 'IMPORT', 'MIGRATION'] as const;
export type Source = (typeof SOURCES)[number];

export const CONSENT_STATES = [
  'GRANTED',
  'DENIED',
  'WITHDRAWN',
  'OBJECTED',
  'ACKNOWLEDGED',
  'PENDING',
  'EXPIRED',
  'NOT_COLLECTED',
] as const;
export type ConsentStateName = (typeof CONSENT_STATES)[number];

export const METHODS = [
  'ACCEPT_ALL',
  'REJECT_ALL',
  'SAVE_CHOICES',
  'TOGGLE',
  'DISMISS',
  'CHECKBOX',
  'SIGNATURE',
  'VERBAL',
  'PAPER',
  'SIGNAL',
  'SCRIPT',
  'OPERATOR',
  'CONFIRMATION_LINK',
  'IMPORT',
] as const;
export const SURFACES = [
  'BANNER',
  'DIALOG',
  'PREFERENCE_CENTER',
  'FORM',
  'WIDGET',
  'APP',
  'CTV',
  'CALL',
  'API',
] as const;
export const ACTOR_TYPES = ['SUBJECT', 'GUARDIAN', 'AGENT', 'OPERATOR', 'SYSTEM'] as const;
export const JURISDICTION_SOURCES = ['DETECTED', 'DECLARED', 'DEFAULT'] as const;
export const VENDOR_FRAMEWORKS = ['TCF', 'GOOGLE'] as const;

/** What a banner that was on the screen is held against, by its computed styles. `DISPLAY_VERSION` counts how. */
export const DISPLAY_CHECKS = [
  'EQUAL_SIZE',
  'EQUAL_WEIGHT',
  'EQUAL_CONTRAST',
  'TEXT_CONTRAST',
  'TARGET_SIZE',
  'NOTHING_TICKED',
  'LANGUAGE',
] as const;
export const DISPLAY_VERSION = 1;
/** Width of the window in CSS pixels: S below 600, M below 1024, L from there. */
export const VIEWPORTS = ['S', 'M', 'L'] as const;

/** What was on the screen, by the judgement of the element that showed it. Never personal: codes, numbers, languages. */
export interface Display {
  version: number;
  checks: { check: (typeof DISPLAY_CHECKS)[number]; passed: boolean; measured: string }[];
  viewport: (typeof VIEWPORTS)[number];
}

export interface Jurisdiction {
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** ISO 3166-2. */
  region?: string;
  source: (typeof JURISDICTION_SOURCES)[number];
}

/** How, where and with which text the decision was collected (EDPB 05/2020, para 108). */
export interface Collection {
  method: (typeof METHODS)[number];
  surface: (typeof SURFACES)[number];
  /** Origin and path only; the query never reaches the log. */
  url?: string;
  locale?: string;
  bannerVersion?: number;
  noticeHash?: string;
  display?: Display;
  /** As it was sent. Kept only of records from before it was checked; since then `presentation` says what it says. */
  presentationToken?: string;
}

export interface Signals {
  gpc?: boolean;
  dnt?: boolean;
}

export interface Actor {
  type: (typeof ACTOR_TYPES)[number];
  id?: string;
  relationship?: string;
}

export interface VendorDecision {
  framework: (typeof VENDOR_FRAMEWORKS)[number];
  id: number;
  decision: 'GRANTED' | 'DENIED';
}

export interface EvidenceItem {
  type: string;
  sha256: string;
  uri?: string;
  mediaType?: string;
}

/** What the request itself showed, minimised before it got here. */
export interface Provenance {
  keyId: string;
  origin?: string;
  /** /24 or /48. */
  ip?: string;
  /** Family and major version: `Firefox 140`. */
  userAgent?: string;
  /** The identity token that vouched for the subject, by the secret key that signed it and when. */
  identity?: { keyId: string; issuedAt: Instant };
}

export interface ConsentRecordedData {
  recordId: string;
  purpose: string;
  purposeVersion: number;
  decision: Decision;
  previousState: ConsentStateName;
  state: ConsentStateName;
  /** False where a newer decision already stood, or a refusal and this is undated: kept in history, without effect on the state. */
  appliedToState: boolean;
  /** The record that stands instead, where this one did not apply. */
  supersededBy: string | null;
  source: Source;
  givenAt: Instant;
  /** An import or a migration that did not say when it was given, so `givenAt` is when it was recorded. */
  undated?: true;
  recordedAt: Instant;
  expiresAt: Instant | null;
  jurisdiction?: Jurisdiction;
  collection?: Collection;
  /** What was shown, as the service itself had stated it; absent where no presentation token came with the decision. */
  presentation?: Presentation;
  signals?: Signals;
  actor: Actor;
  vendors?: VendorDecision[];
  evidence?: EvidenceItem[];
  metadata?: Record<string, unknown>;
  /** The purpose text that was in force, by its content hash in the locale that was shown. */
  notice: { locale: string; contentHash: string };
  provenance: Provenance;
}

export interface ConsentExpiredData {
  recordId: string;
  purpose: string;
  expiredAt: Instant;
}

export type ConsentRecorded = DomainEvent<'ConsentRecorded', ConsentRecordedData>;
export type ConsentExpired = DomainEvent<'ConsentExpired', ConsentExpiredData>;
export type ConsentEvent = ConsentRecorded | ConsentExpired;

/** How these events are stored, and what is encrypted with the subject's key before it reaches the log. */
export const CONSENT_EVENTS = [
  defineEvent({
    type: 'ConsentRecorded',
    version: 1,
    personal: [
      'actor.id',
      'actor.relationship',
      'collection.url',
      'collection.presentationToken',
      'evidence[].uri',
      'metadata',
      'provenance.ip',
      'provenance.userAgent',
    ],
  }),
  defineEvent({ type: 'ConsentExpired', version: 1, personal: [] }),
];
