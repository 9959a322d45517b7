import { defineJournal, type JournalSays } from '../../context/journal.js';
import type { DataRequestEvent, RequestFacts } from '../events.js';

const says = ({ requestId: id, dueAt }: RequestFacts, summary: string, after: object = {}): JournalSays => ({
  target: { type: 'DATA_REQUEST', id },
  summary,
  after: { dueAt, ...after },
});

/** How far a request is. What was written about it stands in the request, sealed with the key of the person. */
export const dataRequestJournal = defineJournal<DataRequestEvent>({
  DataRequestReceived: (data) =>
    says(data, 'Data request taken in', { type: data.type, source: data.source, regulation: data.regulation }),
  DataRequestVerificationRequested: (data) => says(data, 'Requester asked for a proof', { expiresAt: data.expiresAt }),
  DataRequestVerified: (data) => says(data, 'Requester proved to be the person', { method: data.method }),
  DataRequestExpired: null,
  DataRequestStarted: (data) => says(data, 'Work on a data request begun'),
  DataRequestHeld: (data) => says(data, 'Data request put on hold', { hold: data.reason }),
  DataRequestResumed: (data) => says(data, 'Work on a data request resumed'),
  DataRequestExtended: (data) => says(data, 'Period of a data request extended'),
  DataRequestDueSoon: null,
  DataRequestOverdue: null,
  DataRequestCompletionBegun: (data) => says(data, 'Completion of a data request begun', { outcome: data.outcome }),
  DataRequestCompletionStopped: (data) => says(data, 'Completion of a data request stopped', { code: data.code }),
  DataRequestCompleted: (data) =>
    says(data, 'Data request completed', { outcome: data.outcome, effect: data.effect.kind }),
  DataRequestRejected: (data) => ({ ...says(data, 'Data request rejected'), reason: data.reasonCode }),
  DataRequestCanceled: (data) => ({ ...says(data, 'Data request canceled'), reason: data.reason }),
  DataRequestMarkedDuplicate: (data) =>
    says(data, 'Data request marked as a duplicate', { duplicateOf: data.duplicateOf }),
  DataRequestAssigned: (data) =>
    says(data, data.assignee === null ? 'Data request given back' : 'Data request assigned', {
      assignee: data.assignee,
    }),
  DataRequestNoted: (data) => says(data, 'Note added to a data request'),
});
