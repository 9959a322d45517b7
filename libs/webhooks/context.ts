import { defineContext } from '../context/define-context.js';
import { WEBHOOK_OPERATIONS } from './operations.js';
import { WebhooksReadModule } from './read/module.js';

/** Other systems learn of what happened. */
export const webhooksContext = defineContext({
  name: 'webhooks',
  operations: WEBHOOK_OPERATIONS,
  headings: { Webhooks: 'What other systems are told of, and how.' },
  modules: { 'read-api': [WebhooksReadModule] },
});
