import type { EventStoreDBClient } from '@eventstore/db-client';
import type { Connection } from './eventstoredb-connection.js';
import { isNotLeader, isSilence } from './eventstoredb-failures.js';
import { LogUnavailable } from '../../port.js';
import { within } from '../within.js';

/**
 * A connection whose calls got no answer at all for this long is left for a new one. Keep-alive alone would need up to
 * 12 s, and the other nodes of a cluster have elected a new leader after some 5 s.
 */
const SILENT_MS = 1000;

interface Used {
  connection: Connection;
  calls: number;
  /** Of `performance.now()`: when the first call began since which nothing was answered; null while none is open. */
  silentSince: number | null;
}

/**
 * Calls over one connection at a time. A frozen node, or a wire that swallows everything, looks like a connection on
 * which nothing happens; the client would go on using it. A new connection asks the cluster who leads now.
 */
export class Link {
  private used: Used;

  /** `left`: told that the connection was left, and since when nothing had come. */
  constructor(
    private readonly connect: () => Connection,
    private readonly left: (silentSince: number) => void,
  ) {
    this.used = this.begin();
  }

  /**
   * One call, begun a second time where it met a node that does not lead: nothing was done there. `until` is of
   * `performance.now()`. Rejects with TimedOut then; the call itself is not cancelled.
   */
  async call<R>(until: number, begin: (client: EventStoreDBClient) => Promise<R>): Promise<R> {
    for (let attempt = 1; ; attempt++) {
      const { used } = this;
      used.calls++;
      used.silentSince ??= performance.now();
      try {
        // The deadline of a call does not count the search for a node, nor an answer that is none.
        const answer = await within(until - performance.now(), begin(used.connection.client));
        this.heard(used);
        return answer;
      } catch (error) {
        if (isSilence(error)) this.unheard(used);
        else if (!(error instanceof LogUnavailable)) this.heard(used);
        if (!isNotLeader(error) || attempt > 1) throw error;
        // By then the client has turned to the leader.
        await new Promise(setImmediate);
      } finally {
        used.calls--;
        if (used.calls === 0 && used !== this.used) void used.connection.close();
      }
    }
  }

  close(): Promise<void> {
    return this.used.connection.close();
  }

  private begin(): Used {
    return { connection: this.connect(), calls: 0, silentSince: null };
  }

  private heard(used: Used): void {
    used.silentSince = used.calls > 1 ? performance.now() : null;
  }

  private unheard(used: Used): void {
    if (used !== this.used || used.silentSince === null || performance.now() - used.silentSince < SILENT_MS) return;
    this.used = this.begin();
    this.left(used.silentSince);
  }
}
