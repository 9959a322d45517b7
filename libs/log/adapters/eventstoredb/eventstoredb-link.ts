import type { EventStoreDBClient } from '@eventstore/db-client';
import type { Connection } from './eventstoredb-connection.js';
import { isNotLeader, isSilence } from './eventstoredb-failures.js';
import { LogUnavailable } from '../../port.js';
import { within } from '../within.js';

/**
 * How long all calls of a connection may stay without an answer before a new connection replaces it. Keep-alive alone
 * would need up to 12 s, and the other nodes of a cluster elect a new leader after some 5 s.
 */
const SILENT_MS = 1000;

interface Used {
  connection: Connection;
  calls: number;
  /** Start of the oldest call since the last answer, of `performance.now()`; null while no call is open. */
  silentSince: number | null;
}

/**
 * Makes calls over one connection, and replaces it when it is silent. A frozen node, or a network that drops packets,
 * looks like an idle connection, which the client would keep. A new connection asks the cluster for its leader.
 */
export class Link {
  private used: Used;

  /** @param left is called when the connection was replaced, with the time since which it was silent */
  constructor(
    private readonly connect: () => Connection,
    private readonly left: (silentSince: number) => void,
  ) {
    this.used = this.begin();
  }

  /**
   * Makes one call, and repeats it once where a node answers that it is not the leader: it did nothing. `until` is of
   * `performance.now()`. Rejects with TimedOut then, without cancelling the call.
   */
  async call<R>(until: number, begin: (client: EventStoreDBClient) => Promise<R>): Promise<R> {
    for (let attempt = 1; ; attempt++) {
      const { used } = this;
      used.calls++;
      used.silentSince ??= performance.now();
      try {
        // A time-out of our own: the call's deadline counts neither the search for a node nor a wait without an answer.
        const answer = await within(until - performance.now(), begin(used.connection.client));
        this.heard(used);
        return answer;
      } catch (error) {
        if (isSilence(error)) this.unheard(used);
        else if (!(error instanceof LogUnavailable)) this.heard(used);
        if (!isNotLeader(error) || attempt > 1) throw error;
        // One turn later the client has connected to the leader.
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
