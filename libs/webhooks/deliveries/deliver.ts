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
    const body = await bodyOf(of, delivery, receiver.includeIdentifiers);
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
): Promise<string> {
  const { scope, sequence, subjectId } = delivery;
  if (sequence === null) throw new TypeError(`delivery ${delivery.id} names no event`);
  const body = await bodies.of(scope, sequence);
  return withIdentifiers && subjectId !== null ? identified.of(delivery, subjectId, body) : body;
}
