import { Flag, ListOf, Nested, OneOf, Text, Timestamp, Whole } from '../../http/contract/fields.js';
import { DELIVERY_STATES, type DeliveryState } from '../deliveries/listing.js';
import { SUBJECT_ID } from '../../context/webhook-fields.js';
import { DELIVERY_ID, REPLAY_ID } from './request.dto.js';

/** Far more than a delivery is tried by itself: an operator may have it tried again and again. */
const ATTEMPTS_MAX = 10_000;

export class WebhookAttemptDto {
  @Whole({ description: 'From 1.', min: 1, example: 1 }) number!: number;
  @Timestamp({ description: 'When it began.' }) at!: string;
  @Whole({ description: 'How long it took, in milliseconds.', example: 48 }) durationMs!: number;
  @Whole({ description: 'Status of the answer; null: none came.', example: 503, nullable: true }) status!:
    number | null;
  @Text({
    description: 'Why it failed: the status, or a word such as `timed_out` or `tls_failed`; null: it did not.',
    example: '503',
    maxLength: 60,
    nullable: true,
  })
  reason!: string | null;
  @Text({
    description: 'What the answer began with; null where it was empty, or the subject was erased since.',
    example: 'Try again later.',
    maxLength: 8192,
    nullable: true,
  })
  answer!: string | null;
  @Timestamp({
    description: 'When it was to be tried again; null: no other attempt followed by itself.',
    nullable: true,
  })
  nextAttemptAt!: string | null;
}

class DeliveredSubjectDto {
  @Text({ description: 'Id of the subject.', ...SUBJECT_ID }) id!: string;
}

export class WebhookDeliveryDto {
  @Text({ description: 'Id of the delivery.', ...DELIVERY_ID }) id!: string;
  @Text({ description: 'Id of the event: `webhook-id`.', example: 'evt_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 })
  eventId!: string;
  @Text({
    description: 'The replay that sends it again; null: it is the first time.',
    ...REPLAY_ID,
    example: null,
    nullable: true,
  })
  replayId!: string | null;
  @Text({ description: 'Type of the event.', example: 'consent.granted', maxLength: 60 }) type!: string;
  @Whole({ description: 'Sequence of the event.', example: 656 }) sequence!: number;
  @Nested(() => DeliveredSubjectDto, { description: 'The subject of the event; null: it has none.', nullable: true })
  subject!: DeliveredSubjectDto | null;
  @OneOf(DELIVERY_STATES, {
    description:
      '`WAITING`: for its first or another attempt, or on its way. `FAILED`: given up, or dropped because its endpoint was deleted.',
    example: 'WAITING',
  })
  state!: DeliveryState;
  @Timestamp({ description: 'When it was put into the queue.' }) createdAt!: string;
  @Timestamp({ description: 'When it is tried next; null: it is over, or on its way.', nullable: true })
  nextAttemptAt!: string | null;
  @Timestamp({
    description: 'When it was over; null: it is not. 30 days later it is forgotten.',
    nullable: true,
    example: null,
  })
  finishedAt!: string | null;
  @ListOf(() => WebhookAttemptDto, { description: 'Each attempt, the first one first.', maxItems: ATTEMPTS_MAX })
  attempts!: WebhookAttemptDto[];
}

export class WebhookDeliveryListDto {
  @ListOf(() => WebhookDeliveryDto, { description: 'Newest first.', maxItems: 200 }) data!: WebhookDeliveryDto[];
  @Text({ description: 'Where to go on; null on the last page.', example: null, maxLength: 200, nullable: true })
  nextCursor!: string | null;
  @Flag({ description: 'Whether there are more.', example: false }) hasMore!: boolean;
}
