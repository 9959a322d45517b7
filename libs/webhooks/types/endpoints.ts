import { DISABLED_REASONS, type WebhookEndpointDisabledData, type WebhookTestRequestedData } from '../events.js';
import { OneOf, Text, Timestamp } from '../../http/contract/fields.js';
import { defineWebhook, type WebhookType } from './webhook-type.js';
import { ENDPOINT_ID } from './fields.js';

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
/** Its owner, or the service, tells of an endpoint without saying where it is: receivers put tokens into addresses. */
const endpoint = (id: string) => ({ object: 'webhook_endpoint', id });

export const TEST_WEBHOOK = 'webhook.test';

export const ENDPOINT_WEBHOOKS: readonly WebhookType[] = [
  defineWebhook<WebhookTestRequestedData>({
    type: TEST_WEBHOOK,
    description: 'Sent on demand, to try an endpoint; to that one alone, whatever its types are.',
    object: WebhookTestDto,
    previous: null,
    on: ['WebhookTestRequested'],
    tells: ({ data: { endpointId, requestedAt } }) => ({
      occurredAt: requestedAt,
      object: endpoint(endpointId),
      previous: null,
      endpoint: endpointId,
    }),
    sample: { endpointId: ENDPOINT_ID.example, requestedAt: AT },
  }),
  defineWebhook<WebhookEndpointDisabledData>({
    type: 'webhook.endpoint_disabled',
    description: 'An endpoint was disabled, because it is gone or failed for five days. Sent to the others.',
    object: DisabledEndpointDto,
    previous: null,
    on: ['WebhookEndpointDisabled'],
    tells: ({ data: { endpointId, reason, at } }) => ({
      occurredAt: at,
      object: { ...endpoint(endpointId), reason, disabledAt: at },
      previous: null,
    }),
    sample: { endpointId: ENDPOINT_ID.example, reason: 'FAILING', at: AT },
  }),
];
