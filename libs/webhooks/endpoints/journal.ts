import { defineJournal } from '../../context/journal.js';
import type { WebhookEndpointEvent } from '../events.js';

const endpoint = (id: string) => ({ type: 'WEBHOOK_ENDPOINT', id }) as const;

/** Addresses stay out of it: receivers put tokens into them. */
export const webhookJournal = defineJournal<WebhookEndpointEvent>({
  WebhookEndpointCreated: ({ endpointId, types, description, includeIdentifiers }) => ({
    target: endpoint(endpointId),
    summary: 'Webhook endpoint created',
    after: { types, description, includeIdentifiers },
  }),
  WebhookEndpointChanged: ({ endpointId, changedAt: _, sealedUrl, ...settings }) => ({
    target: endpoint(endpointId),
    summary:
      sealedUrl === undefined ? 'Webhook endpoint changed' : 'Webhook endpoint changed, its address among the rest',
    after: settings,
  }),
  WebhookEndpointPaused: ({ endpointId }) => ({ target: endpoint(endpointId), summary: 'Webhook endpoint paused' }),
  WebhookEndpointResumed: ({ endpointId }) => ({ target: endpoint(endpointId), summary: 'Webhook endpoint resumed' }),
  // The service gives up on a receiver by itself.
  WebhookEndpointDisabled: null,
  WebhookSecretRotated: ({ endpointId, previousUntil, reason }) => ({
    target: endpoint(endpointId),
    summary: 'Secret of a webhook endpoint rotated',
    reason,
    after: { previousUntil },
  }),
  WebhookEndpointDeleted: ({ endpointId }) => ({ target: endpoint(endpointId), summary: 'Webhook endpoint deleted' }),
  WebhookTestRequested: ({ endpointId }) => ({ target: endpoint(endpointId), summary: 'Webhook test sent' }),
  WebhookReplayRequested: ({ endpointId, replayId, types }) => ({
    target: endpoint(endpointId),
    summary: 'Webhook events sent again',
    after: { replayId, types },
  }),
  WebhookDeliveryRetried: ({ endpointId, deliveryId }) => ({
    target: endpoint(endpointId),
    summary: 'Webhook delivery tried again',
    after: { deliveryId },
  }),
});
