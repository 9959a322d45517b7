import type { StreamFold } from '../streams/stream-fold.js';
import { WEBHOOK_ENDPOINT_EVENTS, type WebhookEndpointEvent } from './events.js';
import { webhookRefusals } from './refusals.js';
import { webhooksFold, type WebhooksState } from './state.js';

/** How streams of endpoints are loaded. Each test, replay and retry makes them longer, so their states are kept. */
export const WEBHOOKS_STREAM_FOLD: StreamFold<WebhooksState, WebhookEndpointEvent> = {
  ...webhooksFold,
  on: WEBHOOK_ENDPOINT_EVENTS.map(({ type }) => type as WebhookEndpointEvent['type']),
  snapshots: { name: 'webhooks', version: '1' },
  contended: webhookRefusals.contended,
};
