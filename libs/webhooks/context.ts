import { defineContext } from '../context/define-context.js';
import { webhookJournal } from './endpoints/journal.js';
import { Announcer } from './announced-events.js';
import { beginAnew } from './begin-anew.js';
import { forgetDeliveries } from './deliveries/forget.js';
import { ENDPOINT_OPERATIONS } from './endpoints/operations.js';
import { WEBHOOK_ENDPOINT_EVENTS } from './events.js';
import { WEBHOOK_OPERATIONS } from './operations.js';
import { startWebhooks } from './sending/webhook-worker.js';
import { WebhooksReadModule } from './read/module.js';
import { webhookSink } from './webhook-sink.js';
import { WEBHOOKS, WEBHOOKS_PROGRESS } from './webhooks-progress.js';
import { CreateWebhooks1763840000001 } from './webhooks.migration.js';
import { DisableFailingEndpoints } from './write/disable-failing.handler.js';
import { WebhooksDispatcherModule, WebhooksWriteModule } from './write/module.js';
import { endpointAnnouncements } from './endpoint-announcements.js';

// What the composition uses by itself.
export { faultOfTarget } from './endpoints/address.js';
export { ADDRESS_RULES, addressRules, type AddressRulesOf, type WebhookReach } from './endpoints/address-rules.js';
export { webhookHealth } from './deliveries/health-counts.js';

/** Other systems learn of what happened. */
export const webhooksContext = defineContext({
  name: 'webhooks',
  events: WEBHOOK_ENDPOINT_EVENTS,
  streams: [{ name: 'webhooks', of: 'ENVIRONMENT' }],
  journal: webhookJournal,
  webhooks: endpointAnnouncements,
  sinks: (types) => [
    {
      name: WEBHOOKS,
      streams: types.streams,
      progress: WEBHOOKS_PROGRESS,
      open: ({ database, codec }) => webhookSink(database, new Announcer(codec, types)),
      acceptLog: ({ database, log, codec }, through) => beginAnew({ database, log, codec, types }, through),
    },
  ],
  operations: [...WEBHOOK_OPERATIONS, ...ENDPOINT_OPERATIONS],
  entities: async () => Object.values(await import('./read/entities.js')),
  headings: { Webhooks: 'What other systems are sent, and how.' },
  migrations: [CreateWebhooks1763840000001],
  forget: ({ database }, { subjectIds }) => forgetDeliveries(database, subjectIds),
  chores: [{ name: 'endpoints of webhooks to give up', everyMs: 5_000, command: () => new DisableFailingEndpoints() }],
  worker: startWebhooks,
  modules: {
    'write-api': [WebhooksWriteModule],
    'read-api': [WebhooksReadModule],
    dispatcher: [WebhooksDispatcherModule],
  },
});
