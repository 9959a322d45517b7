import {
  CONSENT_STATES,
  DECISIONS,
  recordView,
  SOURCES,
  type ConsentExpiredData,
  type ConsentRecordedData,
  type ConsentStateName,
} from '../../consent/index.js';
import { Flag, OneOf, Text, Timestamp, Whole } from '../../http/contract/fields.js';
import { defineWebhook, type LoggedEvent, type Told, type WebhookType } from './webhook-type.js';
import { RECEIPT_ID, RECORD_ID, PURPOSE_KEY } from './fields.js';

/** A decision, as recording it answered. */
export class ToldConsentDto {
  @OneOf(['consent_record'], { description: 'What this is.', example: 'consent_record' }) object!: string;
  @Text({ description: 'Id of the record.', ...RECORD_ID }) id!: string;
  @Text({ description: 'Key of the purpose.', ...PURPOSE_KEY }) purpose!: string;
  @Whole({ description: 'Version of the purpose.', example: 1 }) purposeVersion!: number;
  @OneOf(DECISIONS, { description: 'The decision.', example: 'GRANTED' }) decision!: string;
  @OneOf(CONSENT_STATES, { description: 'State of the purpose after this record.', example: 'GRANTED' }) state!: string;
  @OneOf(SOURCES, { description: 'Who asserts the record.', example: 'API' }) source!: string;
  @Timestamp({ description: 'When it was decided.' }) givenAt!: string;
  @Timestamp({ description: 'When the service recorded it.' }) recordedAt!: string;
  @Timestamp({ description: 'When the grant ends; null for no end.', nullable: true }) expiresAt!: string | null;
  @Whole({ description: 'Place in the subject’s history, counted from 0.', example: 2 }) sequence!: number;
  @Text({ description: 'Id of the receipt.', ...RECEIPT_ID }) receiptId!: string;
  @Flag({ description: 'False where a newer decision already stood.', example: true }) appliedToState!: boolean;
  @Text({ description: 'The record that stands instead.', ...RECORD_ID, nullable: true }) supersededBy!: string | null;
}

/** How a purpose stood before. */
export class PreviousConsentDto {
  @OneOf(CONSENT_STATES, { description: 'State before.', example: 'NOT_COLLECTED' }) state!: string;
}

/** A grant that ran out. */
export class ExpiredConsentDto {
  @OneOf(['consent_record'], { description: 'What this is.', example: 'consent_record' }) object!: string;
  @Text({ description: 'The record that ran out.', ...RECORD_ID }) id!: string;
  @Text({ description: 'Key of the purpose.', ...PURPOSE_KEY }) purpose!: string;
  @OneOf(CONSENT_STATES, { description: 'State since then.', example: 'EXPIRED' }) state!: string;
  @Timestamp({ description: 'When it ran out.' }) expiredAt!: string;
}

/** What is looked at. */
type Recorded = Omit<ConsentRecordedData, 'provenance' | 'actor' | 'notice'>;

const SAMPLE: Recorded = {
  recordId: RECORD_ID.example,
  purpose: 'analytics',
  purposeVersion: 1,
  decision: 'GRANTED',
  previousState: 'NOT_COLLECTED',
  state: 'GRANTED',
  appliedToState: true,
  supersededBy: null,
  source: 'API',
  givenAt: '2026-11-21T12:00:00.000Z',
  recordedAt: '2026-11-21T12:00:00.000Z',
  expiresAt: '2027-11-21T12:00:00.000Z',
};

function told({ data, subjectId, revision }: LoggedEvent<Recorded>): Told {
  const { subject: _, previousState, ...object } = recordView(subjectId!, revision, data as ConsentRecordedData);
  return { occurredAt: data.givenAt, object, previous: { state: previousState } };
}

/** A decision that applied, and left the purpose in one of these states. */
const came = (type: string, states: readonly ConsentStateName[], description: string, sample: Recorded): WebhookType =>
  defineWebhook<Recorded>({
    type,
    description,
    object: ToldConsentDto,
    previous: PreviousConsentDto,
    on: ['ConsentRecorded'],
    when: ({ data }) => data.appliedToState && states.includes(data.state),
    tells: told,
    sample,
  });

export const CONSENT_WEBHOOKS: readonly WebhookType[] = [
  defineWebhook<Recorded>({
    type: 'consent.recorded',
    description:
      'A decision was recorded, whichever it was, also one that did not apply because a newer one already stood.',
    object: ToldConsentDto,
    previous: PreviousConsentDto,
    on: ['ConsentRecorded'],
    tells: told,
    sample: SAMPLE,
  }),
  came('consent.granted', ['GRANTED'], 'A decision applied, and the purpose is granted since.', SAMPLE),
  came(
    'consent.denied',
    ['DENIED', 'OBJECTED'],
    'A decision applied, and the purpose is denied or objected to since.',
    { ...SAMPLE, decision: 'DENIED', state: 'DENIED', expiresAt: null },
  ),
  came('consent.withdrawn', ['WITHDRAWN'], 'A decision applied, and the purpose that was granted is so no more.', {
    ...SAMPLE,
    decision: 'WITHDRAWN',
    previousState: 'GRANTED',
    state: 'WITHDRAWN',
    expiresAt: null,
  }),
  defineWebhook<ConsentExpiredData>({
    type: 'consent.expired',
    description: 'A grant ran out.',
    object: ExpiredConsentDto,
    previous: PreviousConsentDto,
    on: ['ConsentExpired'],
    tells: ({ data: { recordId, purpose, expiredAt } }) => ({
      occurredAt: expiredAt,
      object: { object: 'consent_record', id: recordId, purpose, state: 'EXPIRED', expiredAt },
      previous: { state: 'GRANTED' },
    }),
    sample: { recordId: RECORD_ID.example, purpose: 'analytics', expiredAt: '2027-11-21T12:00:00.000Z' },
  }),
];
