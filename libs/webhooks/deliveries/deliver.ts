import { setTimeout as pause } from 'node:timers/promises';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
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
import { keysAt, type Receiver, type Receivers } from './receivers.js';

/** How soon an engine that is away is asked again. */
const AWAY_AGAIN_MS = 500;

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
    const prepared = await whileAway(() => prepare(of, delivery), signal);
    if (!prepared) return { outcome: 'failed', reason: 'endpoint_deleted', evidence: null };
    const { receiver, body } = prepared;
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

/** Finds out what to send where; null where the endpoint was deleted. */
async function prepare(
  { receivers, bodies, identified }: WebhookDelivering,
  delivery: Delivery,
): Promise<{ receiver: Receiver; body: string } | null> {
  const receiver = await receivers.find(delivery.endpoint);
  if (!receiver) return null;
  const { scope, sequence, subjectId } = delivery;
  if (sequence === null) throw new TypeError(`delivery ${delivery.id} names no event`);
  const body = await bodies.of(scope, sequence);
  const isNamed = receiver.includeIdentifiers && subjectId !== null;
  return { receiver, body: isNamed ? await identified.of(delivery, subjectId, body) : body };
}

/**
 * Asks again as long as the log or the database is away and the attempt lasts: the receiver would pay for a failure that
 * is not its own with a longer wait.
 */
async function whileAway<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const isAway = error instanceof LogUnavailable || error instanceof DependencyUnavailable;
      if (!isAway || signal.aborted) throw error;
      await pause(AWAY_AGAIN_MS);
    }
  }
}
