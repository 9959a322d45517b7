import { announcedAs, defineAnnouncements } from '../context/webhook-types.js';
import { OneOf, Text, Timestamp } from '../http/contract/fields.js';
import {
  DISABLED_REASONS,
  type WebhookEndpointDisabledData,
  type WebhookEndpointEvent,
  type WebhookTestRequestedData,
} from './events.js';

export const ENDPOINT_ID = { example: 'whe_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 } as const;

export class WebhookTestDto {
  @OneOf(['webhook_endpoint'], { description: 'What this is.', example: 'webhook_endpoint' }) object!: string;
  @Text({ description: 'Id of the endpoint that is tried.', ...ENDPOINT_ID }) id!: string;
}

export class DisabledEndpointDto {
  @OneOf(['webhook_endpoint'], { description: 'What this is.', example: 'webhook_endpoint' }) object!: string;
  @Text({ description: 'Id of the endpoint.', ...ENDPOINT_ID }) id!: string;
  @OneOf(DISABLED_REASONS, {
    description: 'GONE: it answered 410. FAILING: nothing but failures for five days.',
    example: 'FAILING',
  })
  reason!: string;
  @Timestamp({ description: 'Since when nothing is sent to it.' }) disabledAt!: string;
}

const AT = '2026-11-21T12:00:00.000Z';
/** Never says where an endpoint is: receivers put tokens into addresses. */
const endpoint = (id: string) => ({ object: 'webhook_endpoint', id });

export const TEST_WEBHOOK = 'webhook.test';

/** What webhooks announce of their own endpoints. */
export const endpointAnnouncements = defineAnnouncements<WebhookEndpointEvent>({
  WebhookEndpointCreated: [],
  WebhookEndpointChanged: [],
  WebhookEndpointPaused: [],
  WebhookEndpointResumed: [],
  WebhookEndpointDisabled: [
    announcedAs<WebhookEndpointDisabledData>({
      webhook: {
        type: 'webhook.endpoint_disabled',
        description: 'An endpoint was disabled, because it is gone or failed for five days. Sent to the others.',
        isAboutSubject: false,
        object: DisabledEndpointDto,
        previous: null,
      },
      announce: ({ data: { endpointId, reason, at } }) => ({
        occurredAt: at,
        object: { ...endpoint(endpointId), reason, disabledAt: at },
        previous: null,
      }),
      sample: { endpointId: ENDPOINT_ID.example, reason: 'FAILING', at: AT },
    }),
  ],
  WebhookSecretRotated: [],
  WebhookEndpointDeleted: [],
  WebhookTestRequested: [
    announcedAs<WebhookTestRequestedData>({
      webhook: {
        type: TEST_WEBHOOK,
        description: 'Sent on demand, to try an endpoint; to that one alone, whatever its types are.',
        isAboutSubject: false,
        object: WebhookTestDto,
        previous: null,
      },
      announce: ({ data: { endpointId, requestedAt } }) => ({
        occurredAt: requestedAt,
        object: endpoint(endpointId),
        previous: null,
        endpoint: endpointId,
      }),
      sample: { endpointId: ENDPOINT_ID.example, requestedAt: AT },
    }),
  ],
  WebhookReplayRequested: [],
  WebhookDeliveryRetried: [],
});
