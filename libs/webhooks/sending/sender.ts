import type { Attempted } from '../../deliveries/delivery.js';
import { Outbound } from '../../engines/outbound/outbound.js';
import { resolver, type Resolve } from '../../engines/outbound/resolve.js';
import type { KeptLimits } from '../../engines/outbound/kept-connections.js';
import { faultOfTarget, faultOfUrl, isLocalName, type AddressRules } from '../endpoints/address.js';
import { ANSWER_BYTES_MAX, DELIVERY_CONTRACT, TIMEOUT_S } from '../deliveries/delivery-contract.js';
import { signatureHeaders } from './signature.js';
import { outcomeOf, type WebhookEvidence } from './outcome.js';

/** One attempt to deliver one event to one endpoint. */
export interface Sending {
  url: string;
  /** `evt_…`: the same on every attempt. */
  eventId: string;
  /** The same bytes on every attempt. */
  body: Uint8Array;
  /** Keys of the endpoint: one, or two while its secret is rotated. */
  keys: readonly Uint8Array[];
  /** Where deliveries of its environment may go. */
  rules: AddressRules;
}

export interface Sent {
  attempted: Attempted<WebhookEvidence>;
  /** What the answer began with. It may repeat what was sent, so it is kept sealed only. */
  answer: Buffer;
}

export interface SenderOptions extends KeptLimits {
  /** Milliseconds since 1970. */
  nowMs: () => number;
  /** Default: name servers and system. */
  resolve?: Resolve;
  /** Default: as promised, 15 s. */
  totalMs?: number;
  connectMs?: number;
}

/** Of an answer, so many bytes are kept for an operator who looks for what is wrong. */
export const ANSWER_KEPT_BYTES = 1_024;

/** Signs events and posts them. One for the whole process: it keeps connections to receivers. */
export class WebhookSender {
  private readonly outbound: Outbound;

  constructor(private readonly options: SenderOptions) {
    this.outbound = new Outbound({
      resolve: resolver({ isLocal: isLocalName }),
      totalMs: TIMEOUT_S * 1_000,
      ...options,
      readBytes: ANSWER_BYTES_MAX,
      keptBytes: ANSWER_KEPT_BYTES,
    });
  }

  /** Never rejects, and is done within the time that is promised. Aborting the signal ends it at once. */
  async send({ url, eventId, body, keys, rules }: Sending, signal?: AbortSignal): Promise<Sent> {
    // Own addresses and what is allowed can have changed since the endpoint was created.
    if (faultOfUrl(url, rules) !== null) return NOT_ALLOWED;
    const timestampS = Math.floor(this.options.nowMs() / 1_000);
    const answer = await this.outbound.post({
      url: new URL(url),
      headers: {
        'Content-Type': DELIVERY_CONTRACT.contentType,
        'User-Agent': 'Assent-Webhooks',
        ...signatureHeaders({ id: eventId, timestampS, body }, keys),
      },
      body,
      isAllowed: (target) => faultOfTarget(target, rules) === null,
      ...(signal && { signal }),
    });
    return { attempted: outcomeOf(answer, this.options.nowMs()), answer: answer.firstBytes };
  }

  /** Closes all connections, those in use too. */
  close(): void {
    this.outbound.close();
  }
}

const NOT_ALLOWED: Sent = {
  attempted: { outcome: 'retry', reason: 'address_not_allowed', evidence: { status: null, durationMs: 0 } },
  answer: Buffer.alloc(0),
};
