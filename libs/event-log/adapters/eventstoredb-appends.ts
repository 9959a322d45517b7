import {
  NO_STREAM as EXPECT_NO_STREAM,
  StreamDeletedError,
  WrongExpectedVersionError,
  type AppendResult,
  type Credentials,
} from '@eventstore/db-client';
import { APPEND_MS_MAX, type SerialisedEvent } from '../append-limits.js';
import { LogUnavailable, NO_STREAM, type AppendOutcome } from '../port.js';
import type { Connection } from './eventstoredb-connection.js';
import { storedForm } from './eventstoredb-events.js';
import { isNotStored } from './eventstoredb-failures.js';
import type { StreamNames } from './eventstoredb-names.js';
import type { EventStoreDbReads } from './eventstoredb-reads.js';
import type { Reasons } from './eventstoredb-reasons.js';
import { Lanes } from './lanes.js';
import { within } from './within.js';

/**
 * The server carries about 100 calls per connection, and what is beyond that hangs: more wait on this side. Of those
 * that wait it is known that they were not sent, so a server that is too slow is told apart from one that is silent.
 */
const APPENDS_AT_ONCE = 48;
const WAITING_MAX = 2000;
/** What of an append's time is kept for the answer to arrive: the call's own deadline comes before ours. */
const ANSWER_MS = 100;
/** An append with less time than this left is not sent any more: its outcome would only become unknown. */
const TOO_LATE_MS = 150;
/**
 * Longest that a call with several events stays open. Where gRPC ends a call in the middle of sending, it says that
 * nothing more follows before it takes the call back, and the server may have stored the events that had arrived by
 * then. Seen with deadlines of 1.4 s on a process whose event loop lagged: 2 to 4 of 1,000 events. Nothing is so late
 * that it is still sending after this long, unless the server takes nothing any more.
 */
const SENT_MS_MAX = 10_000;
const TOMBSTONE_MS_MAX = 3000;

export interface AppendCredentials {
  /** Given with every append: with credentials the client takes the classic call, whose promises belong to one client. */
  append: Credentials;
  /** Given with every other call. */
  others: { credentials?: Credentials };
}

/** Appends and tombstones, over one connection. */
export class EventStoreDbAppends {
  private readonly lanes = new Lanes(APPENDS_AT_ONCE, WAITING_MAX);

  constructor(
    private readonly connection: Connection,
    private readonly credentials: AppendCredentials,
    private readonly names: StreamNames,
    private readonly reads: EventStoreDbReads,
    private readonly reasons: Reasons,
  ) {}

  async append(stream: string, expected: number, serialised: SerialisedEvent[]): Promise<AppendOutcome> {
    const until = performance.now() + APPEND_MS_MAX;
    return this.lanes.pass(until - TOO_LATE_MS, async () => {
      try {
        const { nextExpectedRevision, position } = await this.send(stream, expected, serialised, until);
        // Only a repeat of ids in a softly deleted stream has none, and there are no repeats here.
        if (!position) throw new LogUnavailable('the event log did not say where it appended', true);
        return {
          outcome: 'appended',
          revision: Number(nextExpectedRevision),
          position: position.commit,
          already: false,
        };
      } catch (error) {
        if (error instanceof StreamDeletedError) return { outcome: 'deleted' };
        if (error instanceof WrongExpectedVersionError)
          return this.repeatOrConflict(stream, expected, serialised, error);
        if (error instanceof LogUnavailable) throw error;
        throw await this.unavailable(error);
      }
    });
  }

  async tombstone(stream: string): Promise<void> {
    try {
      await this.lanes.pass(performance.now() + APPEND_MS_MAX, () =>
        within(
          TOMBSTONE_MS_MAX,
          this.connection.client.tombstoneStream(this.names.onServer(stream), {
            deadline: TOMBSTONE_MS_MAX - ANSWER_MS,
            ...this.credentials.others,
          }),
        ),
      );
    } catch (error) {
      if (error instanceof StreamDeletedError) return;
      if (error instanceof LogUnavailable) throw error;
      throw await this.unavailable(error);
    }
  }

  /** Refuses whoever waits for a lane. */
  refuseNew(): void {
    this.lanes.close();
  }

  idle(): Promise<void> {
    return this.lanes.idle();
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  private async unavailable(error: unknown): Promise<LogUnavailable> {
    const cause = await this.reasons.of(error);
    return new LogUnavailable('the event log cannot be reached', !isNotStored(error), { cause });
  }

  private async send(
    stream: string,
    expected: number,
    events: SerialisedEvent[],
    until: number,
  ): Promise<AppendResult> {
    const messages = events.map(storedForm);
    for (let attempt = 1; ; attempt++) {
      const left = Math.round(until - performance.now());
      // The turn of an append may come late where this process itself is slow. Nothing of it was stored so far.
      if (left < TOO_LATE_MS) throw new LogUnavailable('the event log is too busy', false);
      const appended = this.connection.client.appendToStream(this.names.onServer(stream), messages, {
        expectedRevision: expected === NO_STREAM ? EXPECT_NO_STREAM : BigInt(expected),
        deadline: messages.length === 1 ? left - ANSWER_MS : SENT_MS_MAX,
        credentials: this.credentials.append,
      });
      try {
        // The call's deadline does not count the search for a node, nor an answer that is none.
        return await within(left, appended);
      } catch (error) {
        // Nothing was written; the client has turned to the leader by now.
        if ((error as { type?: string }).type !== 'not-leader' || attempt > 1) throw error;
      }
    }
  }

  private async repeatOrConflict(
    stream: string,
    expected: number,
    events: SerialisedEvent[],
    { actualVersion }: WrongExpectedVersionError,
  ): Promise<AppendOutcome> {
    const revision = typeof actualVersion === 'bigint' ? Number(actualVersion) : NO_STREAM;
    if (revision < expected + events.length) return { outcome: 'conflict', revision };
    // What conflicts is mostly something else, so the first event tells; only then are all of them read.
    for (const limit of new Set([1, events.length])) {
      const held = await this.reads
        .read(stream, { direction: 'forwards', from: expected + 1, limit })
        .catch((error: unknown) => {
          throw new LogUnavailable('the event log did not say what stands there', true, { cause: error });
        });
      const same =
        held.length === limit &&
        held.every((event, i) => event.id === events[i]!.id && event.revision === expected + 1 + i);
      if (!same) return { outcome: 'conflict', revision };
      if (limit === events.length)
        return { outcome: 'appended', revision: held.at(-1)!.revision, position: held.at(-1)!.position, already: true };
    }
    return { outcome: 'conflict', revision };
  }
}
