import {
  BACKWARDS,
  END,
  FORWARDS,
  START,
  StreamDeletedError,
  StreamNotFoundError,
  type Credentials,
  type ResolvedEvent,
} from '@eventstore/db-client';
import { checkedLimit } from '../append-limits.js';
import { LogUnavailable, type ReadStream, type RecordedEvent } from '../port.js';
import { BEGINNING, type Position } from '../../kernel/index.js';
import type { Connection } from './eventstoredb-connection.js';
import { positionOf, readPosition, recorded } from './eventstoredb-events.js';
import type { StreamNames } from './eventstoredb-names.js';
import type { Reasons } from './eventstoredb-reasons.js';
import { Lanes } from './lanes.js';
import { TimedOut, within } from './within.js';

/** See APPENDS_AT_ONCE. */
const READS_AT_ONCE = 40;
const WAITING_MAX = 2000;
const READ_MS_MAX = 3000;
const HEAD_SHARED_MS = 100;

/** Reads of streams and of `$all`, over one connection. */
export class EventStoreDbReads {
  private readonly lanes = new Lanes(READS_AT_ONCE, WAITING_MAX);
  private heard: { head: Promise<Position>; at: number } | null = null;
  /** From here on a reading can be cut short without an error. */
  private disposing = false;

  constructor(
    private readonly connection: Connection,
    private readonly credentials: { credentials?: Credentials },
    private readonly names: StreamNames,
    private readonly reasons: Reasons,
  ) {}

  async read(stream: string, { direction, from, limit }: ReadStream): Promise<RecordedEvent[]> {
    checkedLimit(limit);
    const forwards = direction === 'forwards';
    // A read forwards from END is an error on the server; backwards it is the last event.
    const fromRevision = from === undefined ? (forwards ? START : END) : BigInt(Math.max(from, 0));
    if (!forwards && from !== undefined && from < 0) return [];
    try {
      const events = await this.collect(() =>
        this.connection.client.readStream(this.names.onServer(stream), {
          direction: forwards ? FORWARDS : BACKWARDS,
          fromRevision,
          maxCount: limit,
          ...this.credentials,
        }),
      );
      return events.flatMap((event) => recorded(event, this.names) ?? []);
    } catch (error) {
      const cause = (error as { cause?: unknown }).cause;
      if (cause instanceof StreamNotFoundError || cause instanceof StreamDeletedError) return [];
      throw error;
    }
  }

  /** Of everything in the log, the events of the server and of other installations included: `through` moves past those as well. */
  async head(): Promise<Position> {
    const [last] = await this.collect(() =>
      this.connection.client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1, ...this.credentials }),
    );
    return last?.event ? positionOf(last) : BEGINNING;
  }

  /** Everything after a position, wanted or not. The client ignores filters of reads, so none is given. */
  async readAfter(position: Position, limit: number): Promise<ResolvedEvent[]> {
    const events = await this.collect(() =>
      this.connection.client.readAll({
        direction: FORWARDS,
        fromPosition: readPosition(position),
        maxCount: limit + 1,
        ...this.credentials,
      }),
    );
    // The server begins at the position itself.
    return events.filter((event) => positionOf(event) > position);
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
  }

  idle(): Promise<void> {
    return this.lanes.idle();
  }

  close(): Promise<void> {
    this.disposing = true;
    return this.connection.close();
  }

  /** A read to its end; one that is given up is cancelled, or the client could never be disposed of. */
  private collect<E extends ResolvedEvent>(open: () => Reading<E>): Promise<E[]> {
    return this.lanes.pass(performance.now() + READ_MS_MAX, async () => {
      const events: E[] = [];
      const reading = open();
      try {
        await within(
          READ_MS_MAX,
          new Promise<void>((resolve, reject) => {
            reading.on('data', (event: E) => events.push(event));
            reading.on('end', resolve);
            reading.on('error', reject);
          }),
        );
        // The client ends a cancelled reading as if it were complete; part of a stream must not pass for all of it.
        if (this.disposing) throw new Error('the event log was closed');
        return events;
      } catch (error) {
        if (error instanceof TimedOut) reading.cancel().catch(() => undefined);
        throw new LogUnavailable('the event log cannot be reached', false, { cause: await this.reasons.of(error) });
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
