import type { Environment } from '../../kernel/index.js';
import type { Database } from '../../engines/database/database.js';
import { DeliveryRunner, type RunnerOptions } from '../../deliveries/runner.js';
import type { MasterKey } from '../../vault/master-key.js';
import type { Vault } from '../../vault/vault.js';
import type { AddressRules } from '../endpoints/address.js';
import { TIMEOUT_S } from './delivery-contract.js';
import type { WebhookEvents } from '../webhook-events.js';
import { RETRY_SCHEDULE_S } from '../sending/retry-schedule.js';
import type { WebhookEvidence } from '../sending/outcome.js';
import type { Sending, Sent } from '../sending/sender.js';
import { Answers } from './answers.js';
import { noteAttempts } from './attempt-log.js';
import { WEBHOOK_CHANNEL } from './channel.js';
import { deliverWebhook } from './deliver.js';
import { EventBodies } from './event-bodies.js';
import { IdentifiedBodies } from './identified-body.js';
import { Receivers } from './receivers.js';

/**
 * At once in one process. An attempt that waits for its receiver costs a socket and some kilobytes, so there is room for
 * hundreds of receivers that hang, each with the one attempt that it is left.
 */
const CONCURRENCY = 512;
/** Rows of an endpoint that are taken with one statement. */
const AHEAD = 128;
/** A sender ends each attempt itself; this is for one that does not. */
const ATTEMPT_MS = TIMEOUT_S * 1_000 + 5_000;
/** Another runner takes the deliveries of a killed one after this. */
const LEASE_MS = ATTEMPT_MS + 15_000;
const SCHEDULE_MS = RETRY_SCHEDULE_S.slice(1).map((seconds) => seconds * 1_000);

type Tuning = Pick<RunnerOptions<WebhookEvidence>, 'random' | 'scheduleMs' | 'attemptMs' | 'leaseMs' | 'graceMs'>;

export interface WebhookRunnerOptions
  extends Pick<RunnerOptions<WebhookEvidence>, 'observed' | 'warn'>, Partial<Tuning> {
  /** A pool whose budget is that of background work. */
  database: Database;
  events: WebhookEvents;
  vault: Pick<Vault, 'cipherOf' | 'identifiersOf'>;
  master: Pick<MasterKey, 'openSecret'>;
  /** One attempt. Never rejects. */
  send: (sending: Sending, signal: AbortSignal) => Promise<Sent>;
  /** Where deliveries of an environment may go. */
  rulesOf: (env: Environment) => AddressRules;
  nowMs: () => number;
}

/** Delivers webhooks that are enqueued, in any number of processes at once. */
export function webhookRunner({
  events,
  vault,
  master,
  send,
  rulesOf,
  nowMs,
  ...options
}: WebhookRunnerOptions): DeliveryRunner<WebhookEvidence> {
  const { database } = options;
  const receivers = new Receivers(database, master);
  const bodies = new EventBodies(events);
  const deliver = deliverWebhook({
    receivers,
    bodies,
    identified: new IdentifiedBodies(database, vault),
    answers: new Answers(vault),
    send,
    rulesOf,
    nowMs,
  });
  return new DeliveryRunner<WebhookEvidence>({
    channel: WEBHOOK_CHANNEL,
    deliver,
    concurrency: CONCURRENCY,
    ahead: AHEAD,
    prepare: (deliveries) => bodies.prepare(deliveries),
    limits: (endpoints) => receivers.limits(endpoints),
    onAttempts: noteAttempts,
    scheduleMs: SCHEDULE_MS,
    attemptMs: ATTEMPT_MS,
    leaseMs: LEASE_MS,
    ...options,
  });
}
