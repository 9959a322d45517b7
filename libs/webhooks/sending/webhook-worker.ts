import { WebhookTypes } from '../../context/webhook-types.js';
import type { StartWorker } from '../../context/worker.js';
import { Announcer } from '../announced-events.js';
import { WEBHOOK_CHANNEL } from '../deliveries/channel.js';
import { WebhookEnqueuer } from '../deliveries/enqueuer.js';
import { webhookRunner } from '../deliveries/webhook-runner.js';
import { ADDRESS_RULES, type AddressRulesOf } from '../endpoints/address-rules.js';
import { webhookEventsIn } from '../webhook-events.js';
import { WebhookSender } from './sender.js';

/** Fills the queues of the endpoints of webhooks, and sends what is in them. */
export const startWebhooks: StartWorker = ({
  background: database,
  log,
  codec,
  vault,
  master,
  metrics,
  logger,
  get,
}) => {
  const nowMs = (): number => Date.now();
  const warn = (fault: string, error: unknown): void => logger.warn({ error: (error as Error).name }, fault);
  const events = webhookEventsIn(log, new Announcer(codec, get(WebhookTypes)));
  const sender = new WebhookSender({ nowMs });
  const enqueuer = new WebhookEnqueuer({ database, events, warn });
  const runner = webhookRunner({
    database,
    events,
    vault,
    master,
    send: (sending, signal) => sender.send(sending, signal),
    rulesOf: get<AddressRulesOf>(ADDRESS_RULES),
    nowMs,
    observed: (outcome, seconds) => metrics.delivered(WEBHOOK_CHANNEL, outcome, seconds),
    warn,
  });
  enqueuer.start();
  runner.start();
  return {
    stop: async () => {
      await Promise.all([enqueuer.stop(), runner.stop()]);
      sender.close();
    },
  };
};
