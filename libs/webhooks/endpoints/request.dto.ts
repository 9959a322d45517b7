import { ListOf, Text, Timestamp, Whole } from '../../http/contract/fields.js';
import { ENDPOINT_ID } from '../endpoint-announcements.js';
import { PATTERNS_MAX } from '../types/type-patterns.js';

/* Answers to requests for sending: tests, replays, retries. */

export const DELIVERY_ID = {
  example: `${ENDPOINT_ID.example}.evt_01KAK3V0ZC8W9J2M4N6P8Q0R2S`,
  maxLength: 100,
} as const;
export const REPLAY_ID = { example: 'whr_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 } as const;
const ENDPOINT = { description: 'Id of the endpoint.', ...ENDPOINT_ID };
const REQUESTED = { description: 'When it was asked for.' };

export class RequestedWebhookTestDto {
  @Text(ENDPOINT) endpointId!: string;
  @Text({
    description: 'Id of the `webhook.test` that is sent.',
    example: 'evt_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
    maxLength: 30,
  })
  eventId!: string;
  @Whole({ description: 'Its sequence.', example: 672 }) sequence!: number;
  @Text({
    description: 'Id of its delivery, by which the deliveries of the endpoint show how it went.',
    ...DELIVERY_ID,
  })
  deliveryId!: string;
  @Timestamp(REQUESTED) requestedAt!: string;
}

export class WebhookReplayDto {
  @Text({ description: 'Id of the replay; deliveries that it makes name it.', ...REPLAY_ID }) id!: string;
  @Text(ENDPOINT) endpointId!: string;
  @Whole({ description: 'The first sequence that is sent again.', example: 656 }) fromSequence!: number;
  @Whole({ description: 'The last one; what comes later is delivered anyway.', example: 671 }) throughSequence!: number;
  @ListOf(() => 'string', {
    description: 'Only events of these; null: all that the endpoint wants.',
    example: null,
    maxItems: PATTERNS_MAX,
    nullable: true,
  })
  types!: string[] | null;
  @Timestamp(REQUESTED) requestedAt!: string;
}

export class RetriedWebhookDeliveryDto {
  @Text({ description: 'Id of the delivery.', ...DELIVERY_ID }) id!: string;
  @Text(ENDPOINT) endpointId!: string;
  @Timestamp(REQUESTED) requestedAt!: string;
}
