import { happened, plusMs, type Decision, type Instant, type Refusal } from '../kernel/index.js';
import { acknowledgeBy, datesOf, isOptOut } from './dates.js';
import type {
  CancellationReason,
  CompletionOutcome,
  Correction,
  DataRequestEvent,
  DataRequestReceivedData,
  DataRequestStateName,
  DataRequestType,
  HoldReason,
  RejectionReason,
  RequestEffect,
  Requester,
  RequestFacts,
  RequestSource,
  RequestTerms,
  RequestVerification,
  RequestPlace,
  Unproven,
} from './events.js';
import { dataRequestRefusals } from './refusals.js';
import { dueSoonAt, isOpen, type DataRequest, type RequestState } from './state.js';

const FUTURE_TOLERANCE_MS = 5 * 60_000;

export interface ReceiveRequest {
  type: 'receive';
  requestId: string;
  subjectId: string;
  requestType: DataRequestType;
  /** As the caller says; null: that of the place. */
  regulation: string | null;
  jurisdiction: RequestPlace | null;
  terms: RequestTerms;
  /** Short name of the act of the place; null where none is known. */
  regulationOfPlace: string | null;
  receivedAt: Instant;
  source: RequestSource;
  locale?: string;
  requester: Requester;
  details?: string;
  corrections?: readonly Correction[];
  verifiedBy?: RequestVerification;
  unproven?: Unproven;
  awaitsProofUntil?: Instant;
  /** Completes it in the same breath, where that may be. */
  atOnce?: true;
}

/** What can be done with a request that was received. `note`: in the words of the operator who works on it. */
export type RequestCommand =
  | { type: 'verify'; method: RequestVerification }
  | { type: 'start' }
  | { type: 'hold'; reason: HoldReason; note?: string }
  | { type: 'resume' }
  | { type: 'extend'; note?: string }
  | { type: 'beginCompletion'; outcome: CompletionOutcome; note?: string; corrections?: readonly Correction[] }
  | { type: 'stopCompletion'; code: string }
  | { type: 'complete'; effect: RequestEffect }
  | { type: 'reject'; reasonCode: RejectionReason; note?: string }
  | { type: 'cancel'; reason: CancellationReason; note?: string }
  | { type: 'markDuplicate'; duplicateOf: string }
  | { type: 'assign'; assignee: string | null }
  /** `by`: who writes it down, as the metadata of the event names them. */
  | { type: 'note'; note: string; by: string }
  /** What time demands: expiry, and telling the operator of dates. */
  | { type: 'look' };

/** Whether it must be known that the subject sent a request before anything is disclosed or changed. */
export const needsVerification = (type: DataRequestType): boolean => !isOptOut(type);

type Checked = Pick<ReceiveRequest, 'receivedAt' | 'requester' | 'requestType' | 'corrections'>;

/** What needs no history: asked before anything is written, so that a refused request leaves no subject behind. */
export function checkReceived(
  { receivedAt, requester, requestType, corrections }: Checked,
  at: Instant,
): Refusal | null {
  if (corrections && requestType !== 'RECTIFICATION') return dataRequestRefusals.correctionsNotTaken();
  if (receivedAt > plusMs(at, FUTURE_TOLERANCE_MS)) return dataRequestRefusals.receivedInFuture();
  return requester.type !== 'SELF' && requester.evidence === undefined ? dataRequestRefusals.evidenceMissing() : null;
}

/** Takes a request in; nothing where it is there already. */
export function receiveRequest(command: ReceiveRequest, state: RequestState, at: Instant): Decision<DataRequestEvent> {
  if (state) return happened();
  const refused = checkReceived(command, at);
  if (refused) return refused;
  const { requestId, subjectId, requestType, terms, receivedAt, verifiedBy, awaitsProofUntil } = command;
  const { jurisdiction, source, locale, requester, details, corrections, unproven } = command;
  const { dueAt } = datesOf(terms, receivedAt, { extended: false, pauses: [] });
  const facts: RequestFacts = { requestId, subjectId, type: requestType, receivedAt, dueAt };
  const data: DataRequestReceivedData = {
    ...facts,
    regulation: command.regulation ?? command.regulationOfPlace,
    jurisdiction,
    terms,
    acknowledgeBy: acknowledgeBy(terms, receivedAt),
    verificationRequired: needsVerification(requestType),
    ...(unproven && { unproven }),
    source,
    requester,
    ...(locale !== undefined && { locale }),
    ...(details !== undefined && { details }),
    ...(corrections && { corrections }),
  };
  const then = laterOf(receivedAt, at);
  const events: DataRequestEvent[] = [{ type: 'DataRequestReceived', data }];
  if (verifiedBy)
    events.push({ type: 'DataRequestVerified', data: { ...facts, method: verifiedBy, verifiedAt: then } });
  else if (awaitsProofUntil)
    events.push({
      type: 'DataRequestVerificationRequested',
      data: { ...facts, requestedAt: then, expiresAt: awaitsProofUntil },
    });
  if (command.atOnce && !awaitsProofUntil && (verifiedBy || !data.verificationRequired))
    events.push({ type: 'DataRequestCompletionBegun', data: { ...facts, outcome: 'COMPLETED', begunAt: then } });
  return happened(...events);
}

/** What becomes of a request; nothing where it is so already, so that a repeated command does no harm. */
export function decideRequest(command: RequestCommand, state: RequestState, now: Instant): Decision<DataRequestEvent> {
  if (!state) return dataRequestRefusals.notFound();
  const at = laterOf(state.changedAt, now);
  if (command.type === 'look') return look(state, now);
  if (command.type === 'complete' || command.type === 'stopCompletion') return endCompletion(command, state, at);
  // Also after it was closed: people come back to it.
  if (command.type === 'note') return noteDown(command, state, at);
  if (isSo(command, state)) return happened();
  if (!isOpen(state)) return dataRequestRefusals.notNow(state.state, DONE[command.type]);
  if (state.completing) return dataRequestRefusals.beingCompleted();
  if (!(FROM[command.type] ?? [state.state]).includes(state.state))
    return dataRequestRefusals.notNow(state.state, DONE[command.type]);
  return happen(command, state, at);
}

type Asked = Exclude<RequestCommand, { type: 'look' | 'complete' | 'stopCompletion' | 'note' }>;

/** The states from which it can be done; absent: from every open one. */
const FROM: Readonly<Partial<Record<Asked['type'], readonly DataRequestStateName[]>>> = {
  verify: ['RECEIVED', 'AWAITING_VERIFICATION'],
  start: ['RECEIVED', 'VERIFIED'],
  hold: ['IN_PROGRESS'],
  resume: ['ON_HOLD'],
  beginCompletion: ['RECEIVED', 'VERIFIED', 'IN_PROGRESS'],
};

const DONE: Readonly<Record<Asked['type'], string>> = {
  verify: 'verified',
  start: 'started',
  hold: 'put on hold',
  resume: 'resumed',
  extend: 'extended',
  beginCompletion: 'completed',
  reject: 'rejected',
  cancel: 'canceled',
  markDuplicate: 'marked as a duplicate',
  assign: 'assigned',
};

/** Whether a command finds what it wants. */
function isSo(command: Asked, request: DataRequest): boolean {
  const { state, verification, completing, reasonCode, duplicateOf, assignee = null } = request;
  switch (command.type) {
    case 'verify':
      return verification.verifiedAt !== null && (state === 'VERIFIED' || state === 'IN_PROGRESS');
    case 'start':
      return state === 'IN_PROGRESS' && !completing;
    case 'hold':
      return state === 'ON_HOLD';
    case 'resume':
      return state === 'IN_PROGRESS' && !completing;
    case 'beginCompletion':
      return state === command.outcome || completing?.outcome === command.outcome;
    case 'reject':
      return state === 'REJECTED' && reasonCode === command.reasonCode;
    case 'cancel':
      return state === 'CANCELED' && reasonCode === command.reason;
    case 'markDuplicate':
      return state === 'DUPLICATE' && duplicateOf === command.duplicateOf;
    case 'assign':
      return assignee === command.assignee;
    case 'extend':
      return false;
  }
}

function happen(command: Asked, state: DataRequest, at: Instant): Decision<DataRequestEvent> {
  const facts = factsOf(state);
  const note = 'note' in command && command.note !== undefined ? { note: command.note } : {};
  switch (command.type) {
    case 'verify':
      return happened({ type: 'DataRequestVerified', data: { ...facts, method: command.method, verifiedAt: at } });
    case 'start':
      if (!isProven(state)) return dataRequestRefusals.notVerified('started');
      return happened({ type: 'DataRequestStarted', data: { ...facts, startedAt: at } });
    case 'hold': {
      const stopsClock = state.terms.clockStops && command.reason === 'AWAITING_REQUESTER';
      const dueAt = stopsClock ? null : state.dueAt;
      return happened({
        type: 'DataRequestHeld',
        data: { ...facts, dueAt, heldAt: at, reason: command.reason, stopsClock, ...note },
      });
    }
    case 'resume': {
      const pauses = state.pauses.map((pause) => ({ ...pause, to: pause.to ?? at }));
      const dates = datesOf(state.terms, state.receivedAt, { extended: state.extendedAt !== null, pauses });
      return happened({ type: 'DataRequestResumed', data: { ...facts, ...dates, resumedAt: at } });
    }
    case 'extend':
      return extend(state, at, note);
    case 'beginCompletion': {
      const { outcome, corrections } = command;
      if (!isProven(state)) return dataRequestRefusals.notVerified('completed');
      if (corrections && state.type !== 'RECTIFICATION') return dataRequestRefusals.correctionsNotTaken();
      return happened({
        type: 'DataRequestCompletionBegun',
        data: { ...facts, outcome, begunAt: at, ...note, ...(corrections && { corrections }) },
      });
    }
    case 'reject':
      return happened({
        type: 'DataRequestRejected',
        data: { ...facts, reasonCode: command.reasonCode, rejectedAt: at, ...note },
      });
    case 'cancel':
      return happened({
        type: 'DataRequestCanceled',
        data: { ...facts, reason: command.reason, canceledAt: at, ...note },
      });
    case 'assign':
      return happened({ type: 'DataRequestAssigned', data: { ...facts, assignee: command.assignee, assignedAt: at } });
    case 'markDuplicate':
      if (command.duplicateOf === state.id) return dataRequestRefusals.duplicateOfItself();
      return happened({
        type: 'DataRequestMarkedDuplicate',
        data: { ...facts, duplicateOf: command.duplicateOf, markedAt: at },
      });
  }
}

/** Most notes of one request: it is loaded whole. */
const NOTES_MAX = 200;

function noteDown(
  { note, by }: Extract<RequestCommand, { type: 'note' }>,
  state: DataRequest,
  at: Instant,
): Decision<DataRequestEvent> {
  if ((state.texts.notes?.length ?? 0) >= NOTES_MAX) return dataRequestRefusals.tooManyNotes(NOTES_MAX);
  return happened({ type: 'DataRequestNoted', data: { ...factsOf(state), note, by, notedAt: at } });
}

/** Once, and before the first period ends (GDPR art. 12(3)). */
function extend(state: DataRequest, at: Instant, note: { note?: string }): Decision<DataRequestEvent> {
  const { terms, extendedAt, dueAt: before, receivedAt, pauses } = state;
  if (extendedAt !== null) return dataRequestRefusals.extendedBefore();
  if (terms.extensionDays === null || terms.dueDays === null) return dataRequestRefusals.notExtendable();
  if (before !== null && before <= at) return dataRequestRefusals.extendedTooLate();
  const { dueAt } = datesOf(terms, receivedAt, { extended: true, pauses });
  return happened({
    type: 'DataRequestExtended',
    data: { ...factsOf(state), state: state.state, dueAt, extendedAt: at, ...note },
  });
}

/** Ends what `beginCompletion` began; nothing where no completion began, or it was ended before. */
function endCompletion(
  command: Extract<RequestCommand, { type: 'complete' | 'stopCompletion' }>,
  state: DataRequest,
  at: Instant,
): Decision<DataRequestEvent> {
  if (!state.completing) return happened();
  const facts = factsOf(state);
  if (command.type === 'stopCompletion')
    return happened({ type: 'DataRequestCompletionStopped', data: { ...facts, code: command.code, stoppedAt: at } });
  const { outcome } = state.completing;
  return happened({
    type: 'DataRequestCompleted',
    data: { ...facts, outcome, completedAt: at, effect: command.effect },
  });
}

/** What the clock alone demands: each thing is said once for each date. */
function look(state: DataRequest, at: Instant): Decision<DataRequestEvent> {
  if (!isOpen(state) || state.completing) return happened();
  const facts = factsOf(state);
  const { verification, dueAt, toldOverdue } = state;
  if (state.state === 'AWAITING_VERIFICATION' && verification.expiresAt !== null && verification.expiresAt <= at)
    return happened({ type: 'DataRequestExpired', data: { ...facts, expiredAt: laterOf(state.changedAt, at) } });
  if (dueAt !== null && dueAt <= at)
    return toldOverdue === dueAt
      ? happened()
      : happened({ type: 'DataRequestOverdue', data: { ...facts, state: state.state, noticedAt: at } });
  const soon = dueSoonAt(state);
  return soon !== null && soon <= at
    ? happened({ type: 'DataRequestDueSoon', data: { ...facts, state: state.state, noticedAt: at } })
    : happened();
}

const isProven = ({ verification }: DataRequest): boolean => !verification.required || verification.verifiedAt !== null;

const factsOf = ({ id, subjectId, type, receivedAt, dueAt }: DataRequest): RequestFacts => ({
  requestId: id,
  subjectId,
  type,
  receivedAt,
  dueAt,
});

const laterOf = (a: Instant, b: Instant): Instant => (a > b ? a : b);
