import { SOURCES } from '../consent/index.js';
import { recordReceiptIssued } from '../context/receipt-issued.js';
import { RECEIPT_ID, RECORD_ID } from '../context/webhook-fields.js';
import {
  announcedAs,
  defineAnnouncements,
  type Announcement,
  type LoggedEvent,
  type WebhookType,
} from '../context/webhook-types.js';
import { Flag, ListOf, OneOf, Text, Timestamp, Whole } from '../http/contract/fields.js';
import { sameUlid } from '../kernel/index.js';
import {
  FIELD_STATES,
  TOPIC_STATES,
  type PreferenceChange,
  type PreferenceConfirmationExpiredData,
  type PreferenceConfirmationRequestedData,
  type PreferenceConfirmedData,
  type PreferenceEvent,
  type PreferenceSetData,
} from './events.js';

const STATES = [...new Set([...TOPIC_STATES, ...FIELD_STATES])];
const FIELD = { example: 'channels.email.topics.news', maxLength: 255 } as const;
const FIELDS_MAX = 500;

export class AnnouncedFieldDto {
  @Text({ description: 'Topic as `channels.<channel>.topics.<topic>`, or key of a field.', ...FIELD }) field!: string;
  @OneOf(STATES, { description: 'Its state since; null where that is not known.', example: 'GRANTED', nullable: true })
  state!: string | null;
}

/** What was set. What was typed is personal and left out; read it with the API. */
export class AnnouncedPreferencesDto {
  @OneOf(['preference_record'], { description: 'What this is.', example: 'preference_record' }) object!: string;
  @Text({ description: 'Id of the record.', ...RECORD_ID }) id!: string;
  @ListOf(() => AnnouncedFieldDto, { description: 'The fields that changed or wait.', maxItems: FIELDS_MAX })
  fields!: AnnouncedFieldDto[];
  @Flag({
    description: 'Whether everything is opted out of; null: the record does not say.',
    nullable: true,
    example: false,
  })
  globalOptOut!: boolean | null;
  @OneOf(SOURCES, { description: 'Who asserts the record.', example: 'API' }) source!: string;
  @Timestamp({ description: 'When it was decided.' }) givenAt!: string;
  @Timestamp({ description: 'When the service recorded it.' }) recordedAt!: string;
  @Whole({ description: 'Place in the subject’s history, counted from 0.', example: 2 }) sequence!: number;
  @Text({ description: 'Id of the receipt.', ...RECEIPT_ID }) receiptId!: string;
}

export class PreviousPreferencesDto {
  @ListOf(() => AnnouncedFieldDto, { description: 'The same fields, as they were.', maxItems: FIELDS_MAX })
  fields!: AnnouncedFieldDto[];
}

/** What waits for a confirmation. */
export class PendingPreferencesDto {
  @OneOf(['preference_request'], { description: 'What this is.', example: 'preference_request' }) object!: string;
  @Text({ description: 'Id of the request, or of the record that wished for it.', ...RECORD_ID }) id!: string;
  @ListOf(() => AnnouncedFieldDto, { description: 'The topics that wait.', maxItems: FIELDS_MAX })
  fields!: AnnouncedFieldDto[];
  @Timestamp({ description: 'Since when they wait.' }) requestedAt!: string;
  @Timestamp({ description: 'When the link runs out; null: none was made yet.', nullable: true }) expiresAt!:
    string | null;
}

export class ConfirmedPreferencesDto {
  @OneOf(['preference_confirmation'], { description: 'What this is.', example: 'preference_confirmation' })
  object!: string;
  @Text({ description: 'Id of the record.', ...RECORD_ID }) id!: string;
  @Text({ description: 'Id of the request that was answered.', ...RECORD_ID }) requestId!: string;
  @ListOf(() => AnnouncedFieldDto, { description: 'The topics.', maxItems: FIELDS_MAX }) fields!: AnnouncedFieldDto[];
  @OneOf(['PAGE', 'API'], { description: 'Confirmed on the page of the link, or by a program.', example: 'PAGE' })
  via!: string;
  @Timestamp({ description: 'When it was confirmed.' }) confirmedAt!: string;
  @Text({ description: 'Id of the receipt.', ...RECEIPT_ID }) receiptId!: string;
}

export class ExpiredConfirmationDto {
  @OneOf(['preference_request'], { description: 'What this is.', example: 'preference_request' }) object!: string;
  @Text({ description: 'Id of the request.', ...RECORD_ID }) id!: string;
  @ListOf(() => AnnouncedFieldDto, { description: 'The topics, with what is left of each.', maxItems: FIELDS_MAX })
  fields!: AnnouncedFieldDto[];
  @Timestamp({ description: 'When the link ran out.' }) expiredAt!: string;
}

type Set = Pick<PreferenceSetData, 'recordId' | 'changes' | 'globalOptOut' | 'source' | 'givenAt' | 'recordedAt'>;
type Requested = Pick<PreferenceConfirmationRequestedData, 'requestId' | 'fields' | 'requestedAt' | 'expiresAt'>;
type Confirmed = Omit<PreferenceConfirmedData, 'provenance'>;

const now = ({ field, state }: PreferenceChange): AnnouncedFieldDto => ({ field, state });
const before = ({ field, previousState }: Pick<PreferenceChange, 'field' | 'previousState'>): AnnouncedFieldDto => ({
  field,
  state: previousState,
});
const waits = ({ state, appliedToState }: PreferenceChange): boolean => appliedToState && state === 'PENDING';

/** What holds since. A topic that waits for a confirmation has an announcement of its own. */
function updated({ data, revision }: LoggedEvent<Set>): Announcement | null {
  const { recordId, globalOptOut, source, givenAt, recordedAt } = data;
  const changed = data.changes.filter((change) => change.appliedToState && !waits(change));
  const isOptOut = globalOptOut?.appliedToState === true;
  if (changed.length === 0 && !isOptOut) return null;
  return {
    occurredAt: givenAt,
    object: {
      object: 'preference_record',
      id: recordId,
      fields: changed.map(now),
      globalOptOut: isOptOut ? globalOptOut.wanted : null,
      source,
      givenAt,
      recordedAt,
      sequence: revision,
      receiptId: sameUlid('rct', recordId),
    },
    previous: { fields: changed.map(before) },
  };
}

const pending = (id: string, fields: readonly { field: string }[], at: string, expiresAt: string | null): object => ({
  object: 'preference_request',
  id,
  fields: fields.map(({ field }) => ({ field, state: 'PENDING' })),
  requestedAt: at,
  expiresAt,
});

/** A link was made. */
function requested({ data: { requestId, fields, requestedAt, expiresAt } }: LoggedEvent<Requested>): Announcement {
  const object = pending(requestId, fields, requestedAt, expiresAt);
  return { occurredAt: requestedAt, object, previous: { fields: fields.map(before) } };
}

/** Topics were wished for where the template demands a confirmation. */
function wished({ data }: LoggedEvent<Set>): Announcement | null {
  const waiting = data.changes.filter(waits);
  if (waiting.length === 0) return null;
  const object = pending(data.recordId, waiting, data.givenAt, null);
  return { occurredAt: data.givenAt, object, previous: { fields: waiting.map(before) } };
}

const NEWS = { channel: 'email', topic: 'news', field: FIELD.example } as const;
const AT = '2026-11-21T12:00:00.000Z';

const PENDING: WebhookType = {
  type: 'preference.pending',
  description:
    'Topics wait for a confirmation: they were wished for where the template demands one (`expiresAt` null), or a link was made.',
  isAboutSubject: true,
  object: PendingPreferencesDto,
  previous: PreviousPreferencesDto,
};

/** What webhooks announce of preferences. */
export const preferenceAnnouncements = defineAnnouncements<PreferenceEvent>({
  PreferenceSet: [
    announcedAs<Set>({
      webhook: {
        type: 'preference.updated',
        description: 'Topics, fields or the global opt-out were set, and hold since. What was typed is left out.',
        isAboutSubject: true,
        object: AnnouncedPreferencesDto,
        previous: PreviousPreferencesDto,
      },
      announce: updated,
      sample: {
        recordId: RECORD_ID.example,
        changes: [
          { kind: 'topic', ...NEWS, previousState: 'GRANTED', state: 'DENIED', wanted: false, appliedToState: true },
        ],
        source: 'API',
        givenAt: AT,
        recordedAt: AT,
      },
    }),
    announcedAs<Set>({ webhook: PENDING, announce: wished }),
    recordReceiptIssued('PREFERENCES'),
  ],
  PreferenceConfirmationRequested: [
    announcedAs<Requested>({
      webhook: PENDING,
      announce: requested,
      sample: {
        requestId: RECORD_ID.example,
        fields: [{ ...NEWS, previousState: 'UNSET' }],
        requestedAt: AT,
        expiresAt: '2026-11-23T12:00:00.000Z',
      },
    }),
  ],
  PreferenceConfirmationMailed: [],
  PreferenceConfirmed: [
    announcedAs<Confirmed>({
      webhook: {
        type: 'preference.confirmed',
        description: 'The confirmation link was used, and the topics are granted since.',
        isAboutSubject: true,
        object: ConfirmedPreferencesDto,
        previous: PreviousPreferencesDto,
      },
      announce: ({ data: { recordId, requestId, fields, via, confirmedAt } }) => ({
        occurredAt: confirmedAt,
        object: {
          object: 'preference_confirmation',
          id: recordId,
          requestId,
          fields: fields.map(({ field }) => ({ field, state: 'GRANTED' })),
          via,
          confirmedAt,
          receiptId: sameUlid('rct', recordId),
        },
        previous: { fields: fields.map(before) },
      }),
      sample: {
        recordId: RECORD_ID.example,
        requestId: 'rec_01KAK3V0ZC8W9J2M4N6P8Q0R2R',
        fields: [{ ...NEWS, previousState: 'PENDING' }],
        confirmedAt: AT,
        via: 'PAGE',
      },
    }),
    recordReceiptIssued('CONFIRMATION'),
  ],
  PreferenceConfirmationExpired: [
    announcedAs<PreferenceConfirmationExpiredData>({
      webhook: {
        type: 'preference.confirmation_expired',
        description: 'A confirmation link ran out unused.',
        isAboutSubject: true,
        object: ExpiredConfirmationDto,
        previous: null,
      },
      announce: ({ data: { requestId, fields, expiredAt } }) => ({
        occurredAt: expiredAt,
        object: {
          object: 'preference_request',
          id: requestId,
          fields: fields.map(({ field, state = null }) => ({ field, state })),
          expiredAt,
        },
        previous: null,
      }),
      sample: { requestId: RECORD_ID.example, fields: [{ ...NEWS, state: 'EXPIRED' }], expiredAt: AT },
    }),
  ],
});
