import type { Fold, Instant, Scope } from '../kernel/index.js';
import type { Pause } from '../policy/index.js';
import type {
  CancellationReason,
  CompletionOutcome,
  DataRequestEvent,
  DataRequestStateName,
  DataRequestType,
  HoldReason,
  RejectionReason,
  Requester,
  RequestEffect,
  RequestSource,
  RequestTerms,
  RequestVerification,
  RequestPlace,
  Unproven,
} from './events.js';
import { dueSoonFrom } from './dates.js';

/** In these a request still waits for an operator or the requester. */
export const OPEN_STATES: readonly DataRequestStateName[] = [
  'RECEIVED',
  'AWAITING_VERIFICATION',
  'VERIFIED',
  'IN_PROGRESS',
  'ON_HOLD',
];

/** Texts that people wrote, as they stand in the events: sealed in a state that is kept. */
export interface RequestTexts {
  locale?: unknown;
  details?: unknown;
  requesterName?: unknown;
  requesterEmail?: unknown;
  requesterEvidence?: unknown;
  /** The last note of an operator. */
  note?: unknown;
  /** As the requester wants them. */
  proposed?: readonly KeptCorrection[];
  /** Of the completion that was begun, where other ones were sent with it. */
  corrections?: readonly KeptCorrection[];
  /** What was written down about it, oldest first. */
  notes?: readonly KeptNote[];
}

export interface KeptNote {
  at: Instant;
  by: string;
  text: unknown;
}

export interface KeptCorrection {
  kind: string;
  value: unknown;
  replaces?: unknown;
  field?: unknown;
}

/** A request that was received. */
export interface DataRequest {
  id: string;
  subjectId: string;
  type: DataRequestType;
  state: DataRequestStateName;
  regulation: string | null;
  jurisdiction: RequestPlace | null;
  terms: RequestTerms;
  source: RequestSource;
  requesterType: Requester['type'];
  texts: RequestTexts;
  receivedAt: Instant;
  changedAt: Instant;
  acknowledgeBy: Instant | null;
  /** When it must be answered without an extension. Null: the clock stands still, or the law sets no period. */
  firstDueAt: Instant | null;
  /** When it must be answered. */
  dueAt: Instant | null;
  extendedAt: Instant | null;
  pauses: readonly Pause[];
  holdReason: HoldReason | null;
  verification: {
    required: boolean;
    method: RequestVerification | null;
    verifiedAt: Instant | null;
    expiresAt: Instant | null;
    /** What the requester proved, where it is not enough. */
    unproven?: Unproven;
  };
  /** The due dates of which the operator was warned. */
  toldDueSoon: Instant | null;
  toldOverdue: Instant | null;
  /** The completion that is under way. */
  completing: { outcome: CompletionOutcome; begunAt: Instant } | null;
  /** Why the last completion was refused; null: it was not. */
  stoppedBy: string | null;
  effect: RequestEffect | null;
  reasonCode: RejectionReason | CancellationReason | null;
  duplicateOf: string | null;
  closedAt: Instant | null;
  /** Id of the operator who works on it. Absent: none does. */
  assignee?: string;
  /** Every state that it came to, and when. */
  history: readonly { state: DataRequestStateName; at: Instant }[];
}

/** Null before the first event. */
export type RequestState = DataRequest | null;

export const REQUEST_PREFIX = 'request-';
export const requestStream = ({ site, env }: Scope, requestId: string): string =>
  `${REQUEST_PREFIX}${site}.${env}.${requestId}`;

/** A requester tried to prove to be the subject and did not: it may be another person's request. */
export const isDoubtful = ({ verification: { unproven, verifiedAt } }: Pick<DataRequest, 'verification'>): boolean =>
  unproven !== undefined && verifiedAt === null;

/** Whether a reader of the mail of this identifier made it, who has shown no more. Null: of any requester. */
export const wasMadeUnder = (
  { verification }: Pick<DataRequest, 'verification'>,
  identifierId: string | null,
): boolean => identifierId === null || verification.unproven?.identifierId === identifierId;

export const isOpen = ({ state }: Pick<DataRequest, 'state'>): boolean => OPEN_STATES.includes(state);

export const requestFold = {
  initial: (): RequestState => null,
  evolve: (state: RequestState, event: DataRequestEvent): RequestState =>
    event.type === 'DataRequestReceived' ? received(event.data) : state && evolve(state, event),
} satisfies Fold<RequestState, DataRequestEvent>;

type Received = Extract<DataRequestEvent, { type: 'DataRequestReceived' }>['data'];

function received(data: Received): DataRequest {
  const { requester, details, verificationRequired, unproven, receivedAt } = data;
  const { requestId: id, subjectId, type, regulation, jurisdiction, terms, source, locale, acknowledgeBy } = data;
  const texts: RequestTexts = {
    ...(locale !== undefined && { locale }),
    ...(details !== undefined && { details }),
    ...(data.corrections && { proposed: data.corrections }),
    ...(requester.name !== undefined && { requesterName: requester.name }),
    ...(requester.email !== undefined && { requesterEmail: requester.email }),
    ...(requester.evidence !== undefined && { requesterEvidence: requester.evidence }),
  };
  return {
    ...{ id, subjectId, type, regulation, jurisdiction, terms, source, texts, receivedAt, acknowledgeBy },
    state: 'RECEIVED',
    requesterType: requester.type,
    changedAt: receivedAt,
    firstDueAt: data.dueAt,
    dueAt: data.dueAt,
    extendedAt: null,
    pauses: [],
    holdReason: null,
    verification: {
      required: verificationRequired,
      method: null,
      verifiedAt: null,
      expiresAt: null,
      ...(unproven && { unproven }),
    },
    toldDueSoon: null,
    toldOverdue: null,
    completing: null,
    stoppedBy: null,
    effect: null,
    reasonCode: null,
    duplicateOf: null,
    closedAt: null,
    history: [{ state: 'RECEIVED', at: receivedAt }],
  };
}

function evolve(state: DataRequest, event: Exclude<DataRequestEvent, { type: 'DataRequestReceived' }>): DataRequest {
  switch (event.type) {
    case 'DataRequestVerificationRequested': {
      const { requestedAt, expiresAt } = event.data;
      const waiting = { ...state, verification: { ...state.verification, expiresAt } };
      return moved(waiting, 'AWAITING_VERIFICATION', requestedAt);
    }
    case 'DataRequestVerified': {
      const { method, verifiedAt } = event.data;
      const verified = { ...state, verification: { ...state.verification, method, verifiedAt, expiresAt: null } };
      return moved(verified, 'VERIFIED', verifiedAt);
    }
    case 'DataRequestExpired':
      return closed(state, 'EXPIRED', event.data.expiredAt);
    case 'DataRequestStarted':
      return moved(state, 'IN_PROGRESS', event.data.startedAt);
    case 'DataRequestHeld': {
      const { heldAt, reason, stopsClock, note, dueAt } = event.data;
      const pauses = stopsClock ? [...state.pauses, { from: heldAt, to: null }] : state.pauses;
      const firstDueAt = stopsClock ? null : state.firstDueAt;
      return moved({ ...noted(state, note), holdReason: reason, pauses, firstDueAt, dueAt }, 'ON_HOLD', heldAt);
    }
    case 'DataRequestResumed': {
      const { resumedAt, firstDueAt, dueAt } = event.data;
      const pauses = state.pauses.map((pause) => (pause.to === null ? { ...pause, to: resumedAt } : pause));
      return moved({ ...state, holdReason: null, pauses, firstDueAt, dueAt }, 'IN_PROGRESS', resumedAt);
    }
    case 'DataRequestExtended': {
      const { extendedAt, dueAt, note } = event.data;
      return { ...noted(state, note), extendedAt, dueAt, changedAt: extendedAt };
    }
    case 'DataRequestDueSoon':
      return { ...state, toldDueSoon: event.data.dueAt };
    case 'DataRequestOverdue':
      return { ...state, toldOverdue: event.data.dueAt };
    case 'DataRequestCompletionBegun': {
      const { outcome, begunAt, note, corrections } = event.data;
      const { texts, ...begun } = noted(state, note);
      return {
        ...begun,
        texts: { ...texts, ...(corrections && { corrections }) },
        completing: { outcome, begunAt },
        stoppedBy: null,
        changedAt: begunAt,
      };
    }
    case 'DataRequestCompletionStopped':
      return { ...state, completing: null, stoppedBy: event.data.code, changedAt: event.data.stoppedAt };
    case 'DataRequestCompleted': {
      const { outcome, completedAt, effect } = event.data;
      return closed({ ...state, completing: null, effect }, outcome, completedAt);
    }
    case 'DataRequestRejected': {
      const { reasonCode, rejectedAt, note } = event.data;
      return closed({ ...noted(state, note), reasonCode }, 'REJECTED', rejectedAt);
    }
    case 'DataRequestCanceled': {
      const { reason, canceledAt, note } = event.data;
      return closed({ ...noted(state, note), reasonCode: reason }, 'CANCELED', canceledAt);
    }
    case 'DataRequestAssigned': {
      const { assignee: _, ...unassigned } = state;
      const { assignee, assignedAt } = event.data;
      return { ...unassigned, ...(assignee !== null && { assignee }), changedAt: assignedAt };
    }
    case 'DataRequestNoted': {
      const { note: text, by, notedAt: at } = event.data;
      return {
        ...state,
        texts: { ...state.texts, notes: [...(state.texts.notes ?? []), { at, by, text }] },
        changedAt: at,
      };
    }
    case 'DataRequestMarkedDuplicate':
      return closed({ ...state, duplicateOf: event.data.duplicateOf }, 'DUPLICATE', event.data.markedAt);
  }
}

const noted = (state: DataRequest, note: unknown): DataRequest =>
  note === undefined ? state : { ...state, texts: { ...state.texts, note } };

const moved = (state: DataRequest, to: DataRequestStateName, at: Instant): DataRequest => ({
  ...state,
  state: to,
  changedAt: at,
  history: [...state.history, { state: to, at }],
});

const closed = (state: DataRequest, to: DataRequestStateName, at: Instant): DataRequest => ({
  ...moved(state, to, at),
  closedAt: at,
});

/** From when on the operator is to be warned that it is due soon; null: never, or that was done. */
export const dueSoonAt = ({ receivedAt, dueAt, toldDueSoon, toldOverdue }: DataRequest): Instant | null =>
  dueAt === null || toldDueSoon === dueAt || toldOverdue === dueAt ? null : dueSoonFrom(receivedAt, dueAt);

/** How long a completion may take to get its lease, in ms. From then on a dispatcher looks whether its process still holds it. */
const LEASED_WITHIN_MS = 10_000;

/** When a dispatcher has something to do about it; null: never, as it stands. */
export function nextChoreAt(request: DataRequest): Instant | null {
  if (!isOpen(request)) return null;
  const { completing, verification, state, dueAt, toldOverdue } = request;
  const at = [
    completing && new Date(Date.parse(completing.begunAt) + LEASED_WITHIN_MS).toISOString(),
    state === 'AWAITING_VERIFICATION' ? verification.expiresAt : null,
    dueSoonAt(request),
    toldOverdue === dueAt ? null : dueAt,
  ];
  return at.filter((each) => each !== null).sort()[0] ?? null;
}
