import { SUBJECT_ID } from '../context/webhook-fields.js';
import { defineAnnouncements, type AnnouncedAs } from '../context/webhook-types.js';
import { OneOf, Text, Timestamp } from '../http/contract/fields.js';
import type { Instant } from '../kernel/index.js';
import {
  DATA_REQUEST_STATES,
  DATA_REQUEST_TYPES,
  type DataRequestEvent,
  type DataRequestStateName,
  type RequestFacts,
} from './events.js';

/** A request, without what people wrote, which is personal. */
export class AnnouncedDataRequestDto {
  @OneOf(['data_request'], { description: 'What this is.', example: 'data_request' }) object!: string;
  @Text({ description: 'Id of the request.', example: 'dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 }) id!: string;
  @OneOf(DATA_REQUEST_TYPES, { description: 'What is requested.', example: 'ACCESS' }) type!: string;
  @OneOf(DATA_REQUEST_STATES, { description: 'How far it is.', example: 'RECEIVED' }) state!: string;
  @Timestamp({ description: 'When it came.' }) receivedAt!: string;
  @Timestamp({
    description: 'When it has to be answered; null while its clock stands still, and where the law sets no period.',
    example: '2026-12-21T23:00:00.000Z',
    nullable: true,
  })
  dueAt!: string | null;
}

type DataOf<T extends DataRequestEvent['type']> = Extract<DataRequestEvent, { type: T }>['data'];

const AT = '2026-11-21T12:00:00.000Z';
const FACTS: RequestFacts = {
  requestId: 'dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
  subjectId: SUBJECT_ID.example,
  type: 'ACCESS',
  receivedAt: AT,
  dueAt: '2026-12-21T23:00:00.000Z',
};

interface RequestAnnouncement<T extends DataRequestEvent['type']> {
  name: string;
  description: string;
  /** How far the request is then. */
  state: (data: DataOf<T>) => DataRequestStateName;
  at: (data: DataOf<T>) => Instant;
  sample: Omit<DataOf<T>, keyof RequestFacts>;
}

const announced = <T extends DataRequestEvent['type']>({
  name,
  description,
  state,
  at,
  sample,
}: RequestAnnouncement<T>): AnnouncedAs<DataOf<T>> => ({
  webhook: {
    type: `data_request.${name}`,
    description,
    isAboutSubject: true,
    object: AnnouncedDataRequestDto,
    previous: null,
  },
  announce: ({ data }) => ({
    occurredAt: at(data),
    object: {
      object: 'data_request',
      id: data.requestId,
      type: data.type,
      state: state(data),
      receivedAt: data.receivedAt,
      dueAt: data.dueAt,
    },
    previous: null,
  }),
  sample: { ...FACTS, ...sample },
});

/** What webhooks announce of data requests. */
export const dataRequestAnnouncements = defineAnnouncements<DataRequestEvent>({
  DataRequestReceived: [
    announced<'DataRequestReceived'>({
      name: 'received',
      description: 'A data request came in.',
      state: () => 'RECEIVED',
      at: ({ receivedAt }) => receivedAt,
      sample: {} as Omit<DataOf<'DataRequestReceived'>, keyof RequestFacts>,
    }),
  ],
  DataRequestVerificationRequested: [],
  DataRequestVerified: [
    announced<'DataRequestVerified'>({
      name: 'verified',
      description: 'The requester of a data request proved to be the subject.',
      state: () => 'VERIFIED',
      at: ({ verifiedAt }) => verifiedAt,
      sample: { method: 'EMAIL_CODE', verifiedAt: AT },
    }),
  ],
  DataRequestExpired: [],
  DataRequestStarted: [],
  DataRequestHeld: [],
  DataRequestResumed: [],
  DataRequestExtended: [
    announced<'DataRequestExtended'>({
      name: 'extended',
      description: 'A data request may be answered later.',
      state: ({ state }) => state,
      at: ({ extendedAt }) => extendedAt,
      sample: { state: 'IN_PROGRESS', extendedAt: AT },
    }),
  ],
  DataRequestDueSoon: [
    announced<'DataRequestDueSoon'>({
      name: 'due_soon',
      description: 'A data request has to be answered soon. Sent once for each due date.',
      state: ({ state }) => state,
      at: ({ noticedAt }) => noticedAt,
      sample: { state: 'IN_PROGRESS', noticedAt: AT },
    }),
  ],
  DataRequestOverdue: [
    announced<'DataRequestOverdue'>({
      name: 'overdue',
      description: 'A data request should have been answered by now. Sent once for each due date.',
      state: ({ state }) => state,
      at: ({ noticedAt }) => noticedAt,
      sample: { state: 'IN_PROGRESS', noticedAt: AT },
    }),
  ],
  DataRequestCompletionBegun: [],
  DataRequestCompletionStopped: [],
  DataRequestCompleted: [
    announced<'DataRequestCompleted'>({
      name: 'completed',
      description: 'A data request was answered.',
      state: ({ outcome }) => outcome,
      at: ({ completedAt }) => completedAt,
      sample: { outcome: 'COMPLETED', completedAt: AT, effect: { kind: 'NONE' } },
    }),
  ],
  DataRequestRejected: [
    announced<'DataRequestRejected'>({
      name: 'rejected',
      description: 'A data request was rejected.',
      state: () => 'REJECTED',
      at: ({ rejectedAt }) => rejectedAt,
      sample: { reasonCode: 'SUSPECTED_FRAUD', rejectedAt: AT },
    }),
  ],
  DataRequestCanceled: [],
  DataRequestMarkedDuplicate: [],
  // Matters of the operators alone.
  DataRequestAssigned: [],
  DataRequestNoted: [],
});
