import { isIP } from 'node:net';
import { exchange, type Exchanged, type ExchangeLimits, type Get, type Post } from './exchange.js';
import { KeptConnections, type KeptLimits } from './kept-connections.js';

export interface OutboundOptions extends Omit<ExchangeLimits, 'connectMs'>, KeptLimits {
  /** Default 5 s. */
  connectMs?: number;
  /** From the first look at the host to the last byte of the answer. */
  totalMs: number;
}

/** What came back. */
export type Answer = Omit<Exchanged, 'isStale'> & { durationMs: number };

/**
 * Posts to hosts that callers or other services have named, and gets from them. Follows no redirect, uses no proxy of the
 * environment, and dials only allowed addresses.
 *
 * Made of `node:https`, which every release of Node that we run on has: there a lookup of one's own decides what is
 * dialled, and an agent keeps connections. `fetch` takes neither without the package undici, whose supported releases need
 * a newer Node than ours.
 */
export class Outbound {
  private readonly kept: KeptConnections;
  private readonly limits: ExchangeLimits;

  constructor(private readonly options: OutboundOptions) {
    this.kept = new KeptConnections(options);
    this.limits = { ...options, connectMs: options.connectMs ?? 5_000 };
  }

  /** Never rejects. */
  post(post: Post): Promise<Answer> {
    return this.answered(post);
  }

  /** Never rejects. */
  get(get: Get): Promise<Answer> {
    return this.answered(get);
  }

  private async answered(sent: Get | Post): Promise<Answer> {
    const from = performance.now();
    const cutting = new AbortController();
    const cut = (): void => cutting.abort();
    const timer = setTimeout(cut, this.options.totalMs);
    sent.signal?.addEventListener('abort', cut);
    if (sent.signal?.aborted) cut();
    try {
      const { isStale: _, ...answer } = await this.exchanged(sent, cutting.signal);
      return { ...answer, durationMs: Math.round(performance.now() - from) };
    } finally {
      clearTimeout(timer);
      sent.signal?.removeEventListener('abort', cut);
    }
  }

  /** How many connections are idle. */
  get keptConnections(): number {
    return this.kept.size;
  }

  /** Closes all connections, those in use too. */
  close(): void {
    this.kept.close();
  }

  private async exchanged(sent: Get | Post, signal: AbortSignal): Promise<Exchanged> {
    const isPlain = sent.url.protocol === 'http:';
    // A literal is dialled without a lookup.
    const address = sent.url.hostname.replace(/^\[|\]$/g, '');
    const port = Number(sent.url.port) || (isPlain ? 80 : 443);
    if (isIP(address) !== 0 && !sent.isAllowed({ address, port, isPlain })) return REFUSED;
    for (;;) {
      const answered = await exchange(sent, this.kept.agent(isPlain), this.limits, signal);
      // The receiver closed a kept connection while we sent: send once more. Each round has one kept connection less.
      if (!answered.isStale) return answered;
    }
  }
}

const REFUSED: Exchanged = {
  status: null,
  headers: {},
  firstBytes: Buffer.alloc(0),
  fault: 'address_not_allowed',
  isStale: false,
};
