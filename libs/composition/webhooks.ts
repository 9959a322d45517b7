import type { INestApplication } from '@nestjs/common';
import type { Logger } from '../engines/telemetry/logger.js';
import { ADDRESS_RULES, type AddressRulesOf } from '../webhooks/endpoints/address-rules.js';
import { WEBHOOK_CHANNEL } from '../webhooks/deliveries/channel.js';
import { WebhookEnqueuer } from '../webhooks/deliveries/enqueuer.js';
import { webhookRunner } from '../webhooks/deliveries/webhook-runner.js';
import { webhookEventsIn } from '../webhooks/webhook-events.js';
import { WebhookSender } from '../webhooks/sending/sender.js';
import type { Infrastructure } from './infrastructure/infrastructure.js';

/** Fills the queues of the endpoints of webhooks, and sends what is in them. */
export function startWebhooks(
  { background: database, log, codec, vault, master, metrics }: Infrastructure,
  app: INestApplication,
  logger: Logger,
): { stop(): Promise<void> } {
  const nowMs = (): number => Date.now();
  const warn = (fault: string, error: unknown): void => logger.warn({ error: (error as Error).name }, fault);
  const events = webhookEventsIn(log, codec);
  const sender = new WebhookSender({ nowMs });
  const enqueuer = new WebhookEnqueuer({ database, events, warn });
  const runner = webhookRunner({
    database,
    events,
    vault,
    master,
    send: (sending, signal) => sender.send(sending, signal),
    rulesOf: app.get<AddressRulesOf>(ADDRESS_RULES),
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
}
