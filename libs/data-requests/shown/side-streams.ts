import { defineSideStreams, type TimelineSays } from '../../context/timeline-item.js';
import { isForgotten, type Instant } from '../../kernel/index.js';
import type { DataRequestEvent, RequestFacts } from '../events.js';
import { subjectOfRequestEvent } from '../requests-of.js';
import { REQUEST_PREFIX } from '../state.js';

/** What a timeline shows of data requests: how far each is, and nothing that its requester wrote. */
export const requestSideStreams = defineSideStreams<DataRequestEvent>({
  prefix: REQUEST_PREFIX,
  subjectOf: subjectOfRequestEvent,
  displays: {
    DataRequestReceived: {
      headline: 'A data request came in',
      says: ({ source, regulation, ...facts }) =>
        says(facts, facts.receivedAt, { state: 'RECEIVED', source, regulation }),
    },
    DataRequestVerificationRequested: {
      headline: 'The requester was asked to prove who they are',
      says: ({ requestedAt, expiresAt, ...facts }) =>
        says(facts, requestedAt, { state: 'AWAITING_VERIFICATION', expiresAt }),
    },
    DataRequestVerified: {
      headline: 'The requester proved to be the person',
      says: ({ verifiedAt, method, ...facts }) => says(facts, verifiedAt, { state: 'VERIFIED', method }),
    },
    DataRequestExpired: {
      headline: 'A data request was not verified in time',
      says: ({ expiredAt, ...facts }) => says(facts, expiredAt, { state: 'EXPIRED' }),
    },
    DataRequestStarted: {
      headline: 'Work on a data request began',
      says: ({ startedAt, ...facts }) => says(facts, startedAt, { state: 'IN_PROGRESS' }),
    },
    DataRequestHeld: {
      headline: 'A data request was put on hold',
      says: ({ heldAt, reason, note, ...facts }) => says(facts, heldAt, { state: 'ON_HOLD', reason, ...noted(note) }),
    },
    DataRequestResumed: {
      headline: 'Work on a data request went on',
      says: ({ resumedAt, ...facts }) => says(facts, resumedAt, { state: 'IN_PROGRESS' }),
    },
    DataRequestExtended: {
      headline: 'A data request may be answered later',
      says: ({ extendedAt, state, note, ...facts }) => says(facts, extendedAt, { state, ...noted(note) }),
    },
    DataRequestDueSoon: {
      headline: 'A data request is due soon',
      says: ({ noticedAt, state, ...facts }) => says(facts, noticedAt, { state }),
    },
    DataRequestOverdue: {
      headline: 'A data request is overdue',
      says: ({ noticedAt, state, ...facts }) => says(facts, noticedAt, { state }),
    },
    DataRequestCompletionBegun: {
      headline: 'The completion of a data request began',
      says: ({ begunAt, outcome, note, ...facts }) => says(facts, begunAt, { outcome, ...noted(note) }),
    },
    DataRequestCompletionStopped: {
      headline: 'The completion of a data request was refused',
      says: ({ stoppedAt, code, ...facts }) => says(facts, stoppedAt, { reason: code }),
    },
    DataRequestCompleted: {
      headline: 'A data request was answered',
      says: ({ completedAt, outcome, effect, ...facts }) =>
        says(facts, completedAt, { state: outcome, outcome, effect }),
    },
    DataRequestRejected: {
      headline: 'A data request was rejected',
      says: ({ rejectedAt, reasonCode, note, ...facts }) =>
        says(facts, rejectedAt, { state: 'REJECTED', reason: reasonCode, ...noted(note) }),
    },
    DataRequestCanceled: {
      headline: 'A data request was canceled',
      says: ({ canceledAt, reason, note, ...facts }) =>
        says(facts, canceledAt, { state: 'CANCELED', reason, ...noted(note) }),
    },
    DataRequestMarkedDuplicate: {
      headline: 'A data request was found to be there already',
      says: ({ markedAt, duplicateOf, ...facts }) => says(facts, markedAt, { state: 'DUPLICATE', duplicateOf }),
    },
    DataRequestAssigned: {
      headline: 'A data request was given to an operator',
      says: ({ assignedAt, assignee, ...facts }) => says(facts, assignedAt, { assignee }),
    },
    DataRequestNoted: {
      headline: 'Something was noted about a data request',
      says: ({ notedAt, note, ...facts }) => says(facts, notedAt, noted(note)),
    },
  },
});

function says({ requestId: id, type, receivedAt, dueAt }: RequestFacts, at: Instant, more: object): TimelineSays {
  return { at, request: { id, type, receivedAt, dueAt, ...more } };
}

/** Null: forgotten. */
const noted = (note: unknown): { note?: string | null } =>
  note === undefined ? {} : { note: note === null || isForgotten(note) ? null : String(note) };
