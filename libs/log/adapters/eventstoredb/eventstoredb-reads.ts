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
import { checkedLimit, inOrder, READ_MS_MAX } from '../../append-limits.js';
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
 * Lanes for reads of `$all`, by which followers notice events that they missed. In line with the reads of requests they
 * would come too late under load, and the process would call itself not ready.
 */
const LOOKS_AT_ONCE = 8;
const WAITING_MAX = 2000;
/** How long a read of `$all` may take. */
const LOOK_MS_MAX = 3000;
const HEAD_SHARED_MS = 100;
/** Positions are bytes of the log. Events that lie closer than this are read together with what lies between them. */
const APART_BYTES_MAX = 32_768n;
/** Events of one read of such a stretch, at most: so few that also a slow machine reads them in LOOK_MS_MAX. */
const STRETCH_EVENTS = 64;

/** Reads of streams and of `$all`, over one connection to the leader: other nodes may lack acknowledged events. */
export class EventStoreDbReads {
  private readonly lanes = new Lanes(READS_AT_ONCE, WAITING_MAX);
  private readonly lookLanes = new Lanes(LOOKS_AT_ONCE, WAITING_MAX);
  private heard: { head: Promise<Position>; at: number } | null = null;
  /** While it is true, the client may end a read early without an error. */
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

  /** Position of the last event of the log, of the server and other installations too: `through` moves past all of them. */
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

  /** The event at a position; null where this log has no such position, or the event is not ours. */
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

  /**
   * What stands at these positions. Those that lie close together are read as one stretch of `$all`, with what lies
   * between them; the stretches side by side.
   */
  async readAt(positions: readonly Position[]): Promise<RecordedEvent[]> {
    const stretches: Position[][] = [];
    for (const position of inOrder(positions).filter((each) => each >= 0n)) {
      const last = stretches.at(-1);
      if (last && position - last.at(-1)! <= APART_BYTES_MAX) last.push(position);
      else stretches.push([position]);
    }
    return (await Promise.all(stretches.map((stretch) => this.readStretch(stretch)))).flat();
  }

  /** In the order of the log. */
  private async readStretch(positions: readonly Position[]): Promise<RecordedEvent[]> {
    const wanted = new Set(positions);
    const found: RecordedEvent[] = [];
    const end = positions.at(-1)!;
    try {
      for (let from = positions[0]!, size = positions.length; wanted.size > 0; size = STRETCH_EVENTS) {
        const events = await this.readAll(from, Math.min(size, STRETCH_EVENTS), this.lanes);
        for (const event of events) {
          const own = wanted.delete(resolvedPosition(event)) ? recorded(event, this.names) : null;
          if (own) found.push(own);
        }
        const last = events.at(-1);
        // The next read begins at the last event of this one.
        if (!last || events.length === 1 || resolvedPosition(last) >= end) break;
        from = resolvedPosition(last);
      }
    } catch (error) {
      if (!isRefused((error as { cause?: unknown }).cause)) throw error;
    }
    return found;
  }

  /** Everything after a position, wanted or not. The client ignores filters of reads, so none is given. */
  async readAfter(position: Position, limit: number): Promise<ResolvedEvent[]> {
    const events = await this.readAll(position, limit + 1);
    // The server begins at the position itself.
    return events.filter((event) => resolvedPosition(event) > position);
  }

  private readAll(from: Position, maxCount: number, lanes = this.lookLanes): Promise<ResolvedEvent[]> {
    return this.collect(lanes, performance.now() + LOOK_MS_MAX, (client) =>
      client.readAll({
        direction: FORWARDS,
        fromPosition: readPosition(from),
        maxCount,
        requiresLeader: true,
        ...this.credentials,
      }),
    );
  }

  /** `head`, shared by subscriptions that ask at the same time. */
  sharedHead(): Promise<Position> {
    const now = performance.now();
    if (!this.heard || now - this.heard.at > HEAD_SHARED_MS) {
      const head = this.head();
      head.catch(() => (this.heard = null));
      this.heard = { head, at: now };
    }
    return this.heard.head;
  }

  /** Refuses reads that wait for a lane. */
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

  /** Collects a read to its end. Cancels it after `until`, because the client's `dispose` waits for open reads. */
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
              // The client ends a cancelled read as if it were complete. Part of a stream must not count as all of it.
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

/** The part of the client's reads that this file uses. */
interface Reading<E> {
  on(event: 'data', listener: (event: E) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  cancel(): Promise<void>;
}
