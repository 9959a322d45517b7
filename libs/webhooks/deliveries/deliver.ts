import { setTimeout as pause } from 'node:timers/promises';
import { LogUnavailable } from '../../log/port.js';
import type { Deliver } from '../../deliveries/attempts.js';
import type { Attempted, Delivery } from '../../deliveries/delivery.js';
import { readDeliveryKey } from './delivery-id.js';
import type { WebhookEvidence } from '../sending/outcome.js';
import type { Sending, Sent } from '../sending/sender.js';
import type { AddressRules } from '../endpoints/address.js';
import type { Environment } from '../../kernel/index.js';
import type { Answers } from './answers.js';
import type { EventBodies } from './event-bodies.js';
import type { IdentifiedBodies } from './identified-body.js';
import { keysAt, type Receivers } from './receivers.js';

/** How soon a log that is away is asked again. */
const LOG_AGAIN_MS = 500;

export interface WebhookDelivering {
  receivers: Receivers;
  bodies: EventBodies;
  identified: IdentifiedBodies;
  answers: Answers;
  send: (sending: Sending, signal: AbortSignal) => Promise<Sent>;
  /** Where deliveries of an environment may go. */
  rulesOf: (env: Environment) => AddressRules;
  nowMs: () => number;
}

/** One attempt at a row of the queue: finds out what to send where, sends it, and keeps the answer. */
export function deliverWebhook(of: WebhookDelivering): Deliver<WebhookEvidence> {
  return async (delivery, signal): Promise<Attempted<WebhookEvidence>> => {
    const receiver = await of.receivers.find(delivery.endpoint);
    if (!receiver) return { outcome: 'failed', reason: 'endpoint_deleted', evidence: null };
    const body = await bodyOf(of, delivery, receiver.includeIdentifiers, signal);
    const { attempted, answer } = await of.send(
      {
        url: receiver.url,
        eventId: readDeliveryKey(delivery.key).eventId,
        body: Buffer.from(body),
        keys: keysAt(receiver, of.nowMs()),
        rules: of.rulesOf(receiver.env),
      },
      signal,
    );
    // An attempt that was made is noted, whatever becomes of its answer.
    const kept = await of.answers.seal(delivery, answer).catch(() => null);
    return { ...attempted, ...(kept && { answer: kept }) };
  };
}

async function bodyOf(
  { bodies, identified }: WebhookDelivering,
  delivery: Delivery,
  withIdentifiers: boolean,
  signal: AbortSignal,
): Promise<string> {
  const { scope, sequence, subjectId } = delivery;
  if (sequence === null) throw new TypeError(`delivery ${delivery.id} names no event`);
  const body = await whileAway(() => bodies.of(scope, sequence), signal);
  return withIdentifiers && subjectId !== null ? identified.of(delivery, subjectId, body) : body;
}

/** Asks again as long as the log is away and the attempt lasts: the receiver would pay for a failure with a longer wait. */
async function whileAway<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof LogUnavailable) || signal.aborted) throw error;
      await pause(LOG_AGAIN_MS);
    }
  }
}
