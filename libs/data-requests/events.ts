import type { Jurisdiction } from '../consent/index.js';
import { defineEvent } from '../streams/codec.js';
import type { DomainEvent, Instant } from '../kernel/index.js';
import type { PeriodUnit } from '../policy/index.js';
import type { FieldValue } from '../preferences/index.js';

/** What people ask of a controller that processes data about them. */
export const DATA_REQUEST_TYPES = [
  'ACCESS',
  'PORTABILITY',
  'ERASURE',
  'RECTIFICATION',
  'RESTRICTION',
  'OBJECTION',
  'WITHDRAW_ALL',
  'OPT_OUT_SALE_SHARE',
  'OPT_OUT_TARGETED_ADS',
  'OPT_OUT_PROFILING',
  'LIMIT_SENSITIVE',
  'KNOW_CATEGORIES',
  'APPEAL',
  'COMPLAINT',
] as const;
export type DataRequestType = (typeof DATA_REQUEST_TYPES)[number];

export const DATA_REQUEST_STATES = [
  'RECEIVED',
  'AWAITING_VERIFICATION',
  'VERIFIED',
  'IN_PROGRESS',
  'ON_HOLD',
  'COMPLETED',
  'PARTIALLY_COMPLETED',
  'REJECTED',
  'CANCELED',
  'EXPIRED',
  'DUPLICATE',
] as const;
export type DataRequestStateName = (typeof DATA_REQUEST_STATES)[number];

/** How a request came in. */
export const REQUEST_SOURCES = ['API', 'PORTAL', 'EMAIL', 'PHONE', 'POST'] as const;
export type RequestSource = (typeof REQUEST_SOURCES)[number];

/** Who sent a request: the subject, or a person who acts for the subject. */
export const REQUESTER_TYPES = ['SELF', 'AGENT', 'GUARDIAN'] as const;
export type RequesterType = (typeof REQUESTER_TYPES)[number];

/** How it became known that the requester is the subject, or may act for the subject. */
export const REQUEST_VERIFICATIONS = ['EMAIL_CODE', 'IDENTITY_TOKEN', 'PORTAL_TOKEN', 'OPERATOR', 'DOCUMENT'] as const;
export type RequestVerification = (typeof REQUEST_VERIFICATIONS)[number];

/** Why a request waits. AWAITING_REQUESTER stops the clock where the law of the place says so. */
export const HOLD_REASONS = ['AWAITING_REQUESTER', 'AWAITING_THIRD_PARTY', 'LEGAL_REVIEW', 'OTHER'] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

export const REJECTION_REASONS = [
  'SUSPECTED_FRAUD',
  'INSUFFICIENT_VERIFICATION',
  'NO_MATCH',
  'CLAIM_NOT_COVERED',
  'OUTSIDE_JURISDICTION',
  'TOO_MANY_REQUESTS',
  'LEGAL_HOLD',
  'EXEMPTION',
  'MANIFESTLY_UNFOUNDED',
  'EXCESSIVE',
] as const;
export type RejectionReason = (typeof REJECTION_REASONS)[number];

/** SUBJECT_ERASED: the subject is gone. */
export const CANCELLATION_REASONS = ['WITHDRAWN_BY_REQUESTER', 'OPENED_BY_MISTAKE', 'SUBJECT_ERASED'] as const;
export type CancellationReason = (typeof CANCELLATION_REASONS)[number];

export const COMPLETION_OUTCOMES = ['COMPLETED', 'PARTIALLY_COMPLETED'] as const;
export type CompletionOutcome = (typeof COMPLETION_OUTCOMES)[number];

export interface Requester {
  type: RequesterType;
  /** Personal. */
  name?: string;
  /** Personal. */
  email?: string;
  /** What shows that the requester may act for the subject: a reference to a document, never the document. Personal. */
  evidence?: string;
}

/** One thing that is wrong about a subject, and what is right. */
export interface Correction {
  /** A kind of identifier; or `country`, `locale`, `preference`. */
  kind: string;
  /** What is right; null: nothing takes the place of what is wrong. Personal. */
  value: FieldValue;
  /** Of identifiers: the one that is wrong. Personal. */
  replaces?: string;
  /** Of preferences: `channels.<channel>.topics.<topic>`, or the key. Personal: as it was typed, perhaps no field at all. */
  field?: string;
}

/** What the law of the place says of a request, as it was when the request came in. */
export interface RequestTerms {
  /** The rule, as `GET /v1/policy` names it: `DE.always`. */
  rule: string;
  /** Null where the law sets no period. */
  dueDays: number | null;
  unit: PeriodUnit;
  /** Null where the period cannot be extended. */
  extensionDays: number | null;
  acknowledgement: { dueDays: number | null; unit: PeriodUnit } | null;
  /** Whether the period stands still while the requester is waited for. */
  clockStops: boolean;
  /** IANA zone at whose midnight days end. */
  zone: string;
  /** 0 is Sunday. */
  weekend: readonly number[];
}

/** What every event after the first one repeats, so that a receiver of it needs no other event. */
export interface RequestFacts {
  requestId: string;
  subjectId: string;
  type: DataRequestType;
  receivedAt: Instant;
  /** When it must be answered, extensions and pauses included; null: the clock stands still, or the law sets no period. */
  dueAt: Instant | null;
}

/** Why a proof has not shown the requester to be the subject. */
export const UNPROVEN_REASONS = ['ADDRESS_NOT_VERIFIED'] as const;
/** What a requester proved, where it is not enough. */
export interface Unproven {
  reason: (typeof UNPROVEN_REASONS)[number];
  /** To whose mailbox a code went. */
  identifierId: string;
}

/** Where the requester is. `source`: how that is known; absent where the request did not say. */
export interface RequestPlace {
  country: string;
  region?: string;
  source?: Jurisdiction['source'];
}

export interface DataRequestReceivedData extends RequestFacts {
  regulation: string | null;
  jurisdiction: RequestPlace | null;
  terms: RequestTerms;
  acknowledgeBy: Instant | null;
  /** Whether the requester has to be known as the subject. */
  verificationRequired: boolean;
  /** Absent: it was proven, or nothing was. */
  unproven?: Unproven;
  source: RequestSource;
  /** Language of the requester, BCP 47. Personal. */
  locale?: string;
  requester: Requester;
  /** In the requester's words. Personal. */
  details?: string;
  /** Of a RECTIFICATION: what the requester wants to be put right. */
  corrections?: readonly Correction[];
}

/** What is left of a request after it was answered. */
export interface RequestEffect {
  /** NONE: this service itself had nothing to do. */
  kind: 'NONE' | 'ERASURE' | 'RESTRICTION' | 'RECTIFICATION' | 'DECISIONS' | 'ARCHIVE';
  /** ERASURE: id of its receipt. */
  receiptId?: string;
  /** DECISIONS: ids of the records that were written; RECTIFICATION: of the record of preferences. */
  recordIds?: readonly string[];
  /** RECTIFICATION: ids of the identifiers that were added. */
  identifierIds?: readonly string[];
  /** RECTIFICATION: ids of those that were removed. */
  removedIdentifierIds?: readonly string[];
  /** RECTIFICATION: what else of the subject was put right. */
  rectified?: readonly ('locale' | 'country')[];
  /** ARCHIVE: SHA-256 of what was handed out, as hex, and its size. */
  archive?: { sha256: string; bytes: number };
}

export type DataRequestReceived = DomainEvent<'DataRequestReceived', DataRequestReceivedData>;
export type DataRequestVerificationRequested = DomainEvent<
  'DataRequestVerificationRequested',
  RequestFacts & { requestedAt: Instant; expiresAt: Instant }
>;
export type DataRequestVerified = DomainEvent<
  'DataRequestVerified',
  RequestFacts & { method: RequestVerification; verifiedAt: Instant }
>;
export type DataRequestExpired = DomainEvent<'DataRequestExpired', RequestFacts & { expiredAt: Instant }>;
export type DataRequestStarted = DomainEvent<'DataRequestStarted', RequestFacts & { startedAt: Instant }>;
export type DataRequestHeld = DomainEvent<
  'DataRequestHeld',
  RequestFacts & { heldAt: Instant; reason: HoldReason; stopsClock: boolean; note?: string }
>;
export type DataRequestResumed = DomainEvent<
  'DataRequestResumed',
  RequestFacts & { resumedAt: Instant; firstDueAt: Instant | null }
>;
export type DataRequestExtended = DomainEvent<
  'DataRequestExtended',
  RequestFacts & { state: DataRequestStateName; extendedAt: Instant; note?: string }
>;
/** The operator is warned of a date. `state`: how far the request is by then. */
export type RequestNotice = RequestFacts & { state: DataRequestStateName; noticedAt: Instant };
export type DataRequestDueSoon = DomainEvent<'DataRequestDueSoon', RequestNotice>;
export type DataRequestOverdue = DomainEvent<'DataRequestOverdue', RequestNotice>;
/** The commit point of a completion: its effects are carried out from here on, also where the process dies. */
export type DataRequestCompletionBegun = DomainEvent<
  'DataRequestCompletionBegun',
  RequestFacts & {
    outcome: CompletionOutcome;
    begunAt: Instant;
    note?: string;
    /** Absent: those that came with the request. */
    corrections?: readonly Correction[];
  }
>;
/** What was to be done was refused meanwhile: the request goes on as it was. */
export type DataRequestCompletionStopped = DomainEvent<
  'DataRequestCompletionStopped',
  RequestFacts & { code: string; stoppedAt: Instant }
>;
export type DataRequestCompleted = DomainEvent<
  'DataRequestCompleted',
  RequestFacts & { outcome: CompletionOutcome; completedAt: Instant; effect: RequestEffect }
>;
export type DataRequestRejected = DomainEvent<
  'DataRequestRejected',
  RequestFacts & { reasonCode: RejectionReason; rejectedAt: Instant; note?: string }
>;
export type DataRequestCanceled = DomainEvent<
  'DataRequestCanceled',
  RequestFacts & { reason: CancellationReason; canceledAt: Instant; note?: string }
>;
export type DataRequestMarkedDuplicate = DomainEvent<
  'DataRequestMarkedDuplicate',
  RequestFacts & { duplicateOf: string; markedAt: Instant }
>;
/** `assignee`: id of the operator who works on it; null: none does. */
export type DataRequestAssigned = DomainEvent<
  'DataRequestAssigned',
  RequestFacts & { assignee: string | null; assignedAt: Instant }
>;
/** An operator, or a system with a secret key, wrote down something about it. `by`: as the metadata of the event names them. */
export type DataRequestNoted = DomainEvent<
  'DataRequestNoted',
  RequestFacts & { note: string; by: string; notedAt: Instant }
>;

export type DataRequestEvent =
  | DataRequestReceived
  | DataRequestVerificationRequested
  | DataRequestVerified
  | DataRequestExpired
  | DataRequestStarted
  | DataRequestHeld
  | DataRequestResumed
  | DataRequestExtended
  | DataRequestDueSoon
  | DataRequestOverdue
  | DataRequestCompletionBegun
  | DataRequestCompletionStopped
  | DataRequestCompleted
  | DataRequestRejected
  | DataRequestCanceled
  | DataRequestMarkedDuplicate
  | DataRequestAssigned
  | DataRequestNoted;

/** Personal fields are sealed with the key of the subject: erasing the subject makes them unreadable. */
const PERSONAL: Readonly<Record<DataRequestEvent['type'], readonly string[]>> = {
  DataRequestReceived: [
    ...['locale', 'details', 'requester.name', 'requester.email', 'requester.evidence'],
    ...['corrections[].value', 'corrections[].replaces', 'corrections[].field'],
  ],
  DataRequestVerificationRequested: [],
  DataRequestVerified: [],
  DataRequestExpired: [],
  DataRequestStarted: [],
  DataRequestHeld: ['note'],
  DataRequestResumed: [],
  DataRequestExtended: ['note'],
  DataRequestDueSoon: [],
  DataRequestOverdue: [],
  DataRequestCompletionBegun: ['note', 'corrections[].value', 'corrections[].replaces', 'corrections[].field'],
  DataRequestCompletionStopped: [],
  DataRequestCompleted: [],
  DataRequestRejected: ['note'],
  DataRequestCanceled: ['note'],
  DataRequestMarkedDuplicate: [],
  DataRequestAssigned: [],
  DataRequestNoted: ['note'],
};

export const DATA_REQUEST_EVENT_TYPES = Object.keys(PERSONAL) as DataRequestEvent['type'][];
export const DATA_REQUEST_EVENTS = DATA_REQUEST_EVENT_TYPES.map((type) =>
  defineEvent({ type, version: 1, personal: PERSONAL[type] }),
);
