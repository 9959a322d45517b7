import {
  BACKWARDS,
  END,
  FORWARDS,
  START,
  StreamDeletedError,
  StreamNotFoundError,
  type Credentials,
  type EventStoreDBClient,
  type ResolvedEvent,
} from '@eventstore/db-client';
import { checkedLimit, READ_MS_MAX } from '../../append-limits.js';
import { LogTooSlow, LogUnavailable, type ReadStream, type RecordedEvent } from '../../port.js';
import { BEGINNING, type Position } from '../../../kernel/index.js';
import { recorded, recordedOf, readPosition, resolvedPosition } from './eventstoredb-events.js';
import { isRefused } from './eventstoredb-failures.js';
import type { Link } from './eventstoredb-link.js';
import type { StreamNames } from './eventstoredb-names.js';
import type { Reasons } from './eventstoredb-reasons.js';
import { Lanes } from '../lanes.js';
import { TimedOut } from '../within.js';

/** See APPENDS_AT_ONCE. */
const READS_AT_ONCE = 40;
/**
 * Looks at `$all`, by which the process knows that it misses nothing, have lanes of their own. In line with the reads of
 * requests they would come too late just when there is much to do, and the process would call itself not ready.
 */
const LOOKS_AT_ONCE = 8;
const WAITING_MAX = 2000;
/** What looks at `$all` may take. */
const LOOK_MS_MAX = 3000;
const HEAD_SHARED_MS = 100;

/** Reads of streams and of `$all`, over one connection. All ask the leader: another node may not have all that was acknowledged. */
export class EventStoreDbReads {
  private readonly lanes = new Lanes(READS_AT_ONCE, WAITING_MAX);
  private readonly lookLanes = new Lanes(LOOKS_AT_ONCE, WAITING_MAX);
  private heard: { head: Promise<Position>; at: number } | null = null;
  /** From here on a reading can be cut short without an error. */
  private disposing = false;

  constructor(
    private readonly link: Link,
    private readonly credentials: { credentials?: Credentials },
    private readonly names: StreamNames,
    private readonly reasons: Reasons,
  ) {}

  async read(stream: string, { direction, from, limit, until = Infinity }: ReadStream): Promise<RecordedEvent[]> {
    checkedLimit(limit);
    const forwards = direction === 'forwards';
    // A read forwards from END is an error on the server; backwards it is the last event.
    const fromRevision = from === undefined ? (forwards ? START : END) : BigInt(Math.max(from, 0));
    if (!forwards && from !== undefined && from < 0) return [];
    try {
      const events = await this.collect(this.lanes, Math.min(until, performance.now() + READ_MS_MAX), (client) =>
        client.readStream(this.names.onServer(stream), {
          direction: forwards ? FORWARDS : BACKWARDS,
          fromRevision,
          maxCount: limit,
          requiresLeader: true,
          ...this.credentials,
        }),
      );
      return events.flatMap((event) => recordedOf(stream, event) ?? []);
    } catch (error) {
      const cause = (error as { cause?: unknown }).cause;
      if (cause instanceof StreamNotFoundError || cause instanceof StreamDeletedError) return [];
      throw error;
    }
  }

  /** Of everything in the log, the events of the server and of other installations included: `through` moves past those as well. */
  async head(): Promise<Position> {
    const [last] = await this.collect(this.lookLanes, performance.now() + LOOK_MS_MAX, (client) =>
      client.readAll({
        direction: BACKWARDS,
        fromPosition: END,
        maxCount: 1,
        requiresLeader: true,
        ...this.credentials,
      }),
    );
    return last?.event ? resolvedPosition(last) : BEGINNING;
  }

  /** What stands at a position; null where that is none of this log, or holds what is not ours. */
  async at(position: Position): Promise<RecordedEvent | null> {
    if (position < 0n) return null;
    try {
      const [first] = await this.readAll(position, 1);
      return first && resolvedPosition(first) === position ? recorded(first, this.names) : null;
    } catch (error) {
      if (isRefused((error as { cause?: unknown }).cause)) return null;
      throw error;
    }
  }

  /** Everything after a position, wanted or not. The client ignores filters of reads, so none is given. */
  async readAfter(position: Position, limit: number): Promise<ResolvedEvent[]> {
    const events = await this.readAll(position, limit + 1);
    // The server begins at the position itself.
    return events.filter((event) => resolvedPosition(event) > position);
  }

  private readAll(from: Position, maxCount: number): Promise<ResolvedEvent[]> {
    return this.collect(this.lookLanes, performance.now() + LOOK_MS_MAX, (client) =>
      client.readAll({
        direction: FORWARDS,
        fromPosition: readPosition(from),
        maxCount,
        requiresLeader: true,
        ...this.credentials,
      }),
    );
  }

  /** Many subscriptions ask at the same time. */
  sharedHead(): Promise<Position> {
    const now = performance.now();
    if (!this.heard || now - this.heard.at > HEAD_SHARED_MS) {
      const head = this.head();
      head.catch(() => (this.heard = null));
      this.heard = { head, at: now };
    }
    return this.heard.head;
  }

  /** Refuses whoever waits for a lane. */
  refuseNew(): void {
    this.lanes.close();
    this.lookLanes.close();
  }

  async idle(): Promise<void> {
    await Promise.all([this.lanes.idle(), this.lookLanes.idle()]);
  }

  close(): Promise<void> {
    this.disposing = true;
    return this.link.close();
  }

  /** A read to its end; one that is given up is cancelled, or the client could never be disposed of. */
  private collect<E extends ResolvedEvent>(
    lanes: Lanes,
    until: number,
    open: (client: EventStoreDBClient) => Reading<E>,
  ): Promise<E[]> {
    // Waiting for a lane and the read share one time.
    return lanes.pass(until, async () => {
      let reading: Reading<E> | undefined;
      try {
        return await this.link.call(until, (client) => {
          const events: E[] = [];
          const begun = open(client);
          reading = begun;
          return new Promise<E[]>((resolve, reject) => {
            begun.on('data', (event: E) => events.push(event));
            begun.on('end', () => {
              // The client ends a cancelled reading as if it were complete; part of a stream must not pass for all of it.
              if (this.disposing) reject(new Error('the event log was closed'));
              else resolve(events);
            });
            begun.on('error', reject);
          });
        });
      } catch (error) {
        if (error instanceof TimedOut) reading?.cancel().catch(() => undefined);
        const cause = await this.reasons.of(error);
        const Failure = cause instanceof TimedOut ? LogTooSlow : LogUnavailable;
        throw new Failure('the event log cannot be reached', false, { cause });
      }
    });
  }
}

/** What this file uses of the client's readings. */
interface Reading<E> {
  on(event: 'data', listener: (event: E) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  cancel(): Promise<void>;
}
