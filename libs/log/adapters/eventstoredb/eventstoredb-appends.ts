import { setTimeout as pause } from 'node:timers/promises';
import {
  NO_STREAM as EXPECT_NO_STREAM,
  StreamDeletedError,
  WrongExpectedVersionError,
  type AppendResult,
  type Credentials,
} from '@eventstore/db-client';
import { APPEND_MS_MAX, type SerialisedEvent } from '../../append-limits.js';
import { LogTooSlow, LogUnavailable, NO_STREAM, type AppendOutcome, type RecordedEvent } from '../../port.js';
import { storedForm } from './eventstoredb-events.js';
import { isNotStored, isSilence } from './eventstoredb-failures.js';
import type { Link } from './eventstoredb-link.js';
import type { StreamNames } from './eventstoredb-names.js';
import type { EventStoreDbReads } from './eventstoredb-reads.js';
import type { Reasons } from './eventstoredb-reasons.js';
import { Lanes } from '../lanes.js';
import { TimedOut, within } from '../within.js';

/**
 * Appends under way at once; further ones wait on this side. The server carries about 100 calls per connection, and lets
 * more hang. An append that still waits here was certainly not stored, so its caller hears that the log is too busy
 * instead of an unknown outcome.
 */
const APPENDS_AT_ONCE = 48;
const WAITING_MAX = 2000;
/** Part of an append's time that is left for the answer to arrive: the call's own deadline ends so much before ours. */
const ANSWER_MS = 100;
/** An append with less time left is not sent, since its outcome would become unknown. */
const TOO_LATE_MS = 150;
/**
 * Longest that a call with several events stays open. A gRPC call whose deadline ends while it still sends first says
 * that no more events follow. The server may then store the events that have arrived: part of the append. Seen with
 * deadlines of 1.4 s on a process whose event loop lagged: 2 to 4 of 1,000 events. A call is still sending after this
 * long only where the server takes nothing any more.
 */
const SENT_MS_MAX = 10_000;
const TOMBSTONE_MS_MAX = 3000;
/** Longest pause between two looks for an event that is not visible yet. */
const VISIBLE_AGAIN_MS = 16;

export interface AppendCredentials {
  /** Given with every append: with credentials the client uses the classic call, whose promises belong to one client. */
  append: Credentials;
  /** Given with every other call. */
  others: { credentials?: Credentials };
}

/** Appends and tombstones, over one connection. */
export class EventStoreDbAppends {
  private readonly lanes = new Lanes(APPENDS_AT_ONCE, WAITING_MAX);
  /** Events that the server has named and reads do not show yet. */
  private readonly awaited = new Map<string, Promise<RecordedEvent>>();

  constructor(
    private readonly link: Link,
    private readonly credentials: AppendCredentials,
    private readonly names: StreamNames,
    private readonly reads: EventStoreDbReads,
    private readonly reasons: Reasons,
  ) {}

  async append(
    stream: string,
    expected: number,
    serialised: SerialisedEvent[],
    by: number = Infinity,
  ): Promise<AppendOutcome> {
    const until = Math.min(by, performance.now() + APPEND_MS_MAX);
    return this.lanes.pass(until - TOO_LATE_MS, async () => {
      try {
        const { nextExpectedRevision, position } = await this.send(stream, expected, serialised, until);
        // Only a repeat of ids in a softly deleted stream is answered without a position, and ids are never repeated here.
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
          return await this.repeatOrConflict(stream, expected, serialised, error, until);
        if (error instanceof LogUnavailable) throw error;
        throw await this.unavailable(error);
      }
    });
  }

  async tombstone(stream: string): Promise<void> {
    try {
      const until = performance.now() + TOMBSTONE_MS_MAX;
      await this.lanes.pass(until - TOO_LATE_MS, () =>
        this.link.call(until, (client) =>
          client.tombstoneStream(this.names.onServer(stream), {
            deadline: until - performance.now() - ANSWER_MS,
            requiresLeader: true,
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

  /** Refuses appends that wait for a lane. */
  refuseNew(): void {
    this.lanes.close();
  }

  idle(): Promise<void> {
    return this.lanes.idle();
  }

  close(): Promise<void> {
    return this.link.close();
  }

  private async unavailable(error: unknown): Promise<LogUnavailable> {
    const cause = await this.reasons.of(error);
    const isUnknown = !isNotStored(error);
    const Failure = isUnknown && isSilence(error) ? LogTooSlow : LogUnavailable;
    return new Failure('the event log cannot be reached', isUnknown, { cause });
  }

  private async send(
    stream: string,
    expected: number,
    events: SerialisedEvent[],
    until: number,
  ): Promise<AppendResult> {
    const messages = events.map(storedForm);
    return this.link.call(until, async (client) => {
      const left = Math.round(until - performance.now());
      // This process itself may be slow to begin an append. Nothing of it was sent so far.
      if (left < TOO_LATE_MS) throw new LogUnavailable('the event log is too busy', false);
      return client.appendToStream(this.names.onServer(stream), messages, {
        expectedRevision: expected === NO_STREAM ? EXPECT_NO_STREAM : BigInt(expected),
        deadline: messages.length === 1 ? left - ANSWER_MS : SENT_MS_MAX,
        requiresLeader: true,
        credentials: this.credentials.append,
      });
    });
  }

  /**
   * Finds out which events made the server refuse an append for its revision: these very events, or others. The server
   * refuses because of events that it has accepted and may not have made visible yet (29 ms at most on a real one). It
   * names the revision that the stream will have, so this waits until reads show that revision.
   *
   * Reads the first event and the last one only. An id is given once, and an append that stored its last event stored all
   * before it. Reading a whole long append takes as long as sending it: a caller that was too slow for the answer would
   * be too slow at every repeat.
   */
  private async repeatOrConflict(
    stream: string,
    expected: number,
    events: SerialisedEvent[],
    { actualVersion }: WrongExpectedVersionError,
    until: number,
  ): Promise<AppendOutcome> {
    const revision = typeof actualVersion === 'bigint' ? Number(actualVersion) : NO_STREAM;
    const conflict: AppendOutcome = { outcome: 'conflict', revision };
    // The stream ends before the expected revision, so no event of this append is in it.
    if (revision <= expected) return conflict;
    try {
      const newest = await this.visible(stream, revision, until);
      const last = expected + events.length;
      if (revision < last) return conflict;
      const at = async (place: number): Promise<RecordedEvent | undefined> =>
        place === revision
          ? newest
          : (await this.reads.read(stream, { direction: 'forwards', from: place, limit: 1, until }))[0];
      // Mostly other events conflict, and the first one shows that.
      const first = await at(expected + 1);
      if (first?.revision !== expected + 1 || first.id !== events[0]!.id) return conflict;
      const held = await at(last);
      if (held?.revision === last && held.id === events.at(-1)!.id)
        return { outcome: 'appended', revision: last, position: held.position, already: true };
      return conflict;
    } catch (error) {
      const Failure = error instanceof LogTooSlow || error instanceof TimedOut ? LogTooSlow : LogUnavailable;
      throw new Failure('the event log did not say what stands there', true, { cause: error });
    }
  }

  /** The event at a revision that the server has named, as soon as reads show it. All that wait for it share the reads. */
  private visible(stream: string, revision: number, until: number): Promise<RecordedEvent> {
    const name = `${revision} of ${stream}`;
    const known = this.awaited.get(name);
    const shown = known ?? this.shown(stream, revision).finally(() => this.awaited.delete(name));
    if (!known) this.awaited.set(name, shown);
    return within(until - performance.now(), shown);
  }

  private async shown(stream: string, revision: number): Promise<RecordedEvent> {
    const until = performance.now() + APPEND_MS_MAX;
    for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, VISIBLE_AGAIN_MS)) {
      const [there] = await this.reads.read(stream, { direction: 'forwards', from: revision, limit: 1, until });
      if (there) return there;
      if (performance.now() + pauseMs > until) throw new TimedOut(`revision ${revision} did not become visible`);
      await pause(pauseMs);
    }
  }
}
