import { defineContext } from '../context/define-context.js';
import { WEBHOOK_ENDPOINT_EVENTS } from './events.js';
import { WEBHOOK_OPERATIONS } from './operations.js';
import { WebhooksReadModule } from './read/module.js';

/** Other systems learn of what happened. */
export const webhooksContext = defineContext({
  name: 'webhooks',
  events: WEBHOOK_ENDPOINT_EVENTS,
  streams: [{ name: 'webhooks', of: 'ENVIRONMENT' }],
  operations: WEBHOOK_OPERATIONS,
  headings: { Webhooks: 'What other systems are told of, and how.' },
  modules: { 'read-api': [WebhooksReadModule] },
});
