import type { Credentials } from '@eventstore/db-client';
import { serialiseAppend } from '../../append-limits.js';
import {
  LogUnavailable,
  type AppendOutcome,
  type Curtailed,
  type EventLog,
  type NewEvent,
  type ReadStream,
  type RecordedEvent,
  type SubscribeOptions,
  type Subscription,
} from '../../port.js';
import type { Position } from '../../../kernel/index.js';
import { streamsWithRules } from './eventstoredb-curtailed.js';
import { EventStoreDbAppends } from './eventstoredb-appends.js';
import { CLOSE_MS_MAX, Connection, credentialsOf } from './eventstoredb-connection.js';
import { Link } from './eventstoredb-link.js';
import { Looks } from './eventstoredb-looks.js';
import { StreamNames } from './eventstoredb-names.js';
import { EventStoreDbReads } from './eventstoredb-reads.js';
import { Reasons } from './eventstoredb-reasons.js';
import { EventStoreDbSubscription } from './eventstoredb-subscription.js';
import { within } from '../within.js';

export interface EventStoreDbOptions {
  /** `esdb://` or `esdb+discover://`, as EventStoreDB documents it. */
  url: string;
  /** Prefix of all stream names on the server, see StreamNames; default none. */
  prefix?: string;
  /** Which streams are the service's own; those of other applications on the server are skipped. Default: all. */
  isOwn?: (stream: string) => boolean;
  /** Name of the connections in the server's log. */
  connectionName?: string;
  /** Where they are not part of the URL. Without TLS they are ignored by the client. */
  credentials?: Credentials;
}

/**
 * The log in EventStoreDB (23.10 or newer).
 *
 * Every attempt stores an event under a new id; the event's own id stands in the metadata. The server answers a repeat of
 * the same ids as if it had just written them, even where their stream was softly deleted and nothing is there. With new
 * ids its answers are reliable: success means that this attempt wrote. A repeat is a conflict, and this adapter then
 * compares the events. Only a repeat costs that read.
 *
 * Neither the server nor this adapter looks for ids in an append at the stream's current revision. Events that are in the
 * stream already would be stored twice, so the caller must look into the stream first.
 */
export class EventStoreDbLog implements EventLog {
  /** Positions are bytes of the log: a recorded consent takes some 1,000 to 1,600. */
  readonly countsEvents = false;
  private readonly appends: EventStoreDbAppends;
  private readonly reads: EventStoreDbReads;
  private readonly looks: Looks;
  private readonly subscriptions = new Set<EventStoreDbSubscription>();
  private readonly name: string;
  private readonly names: StreamNames;
  private readonly credentials: { credentials?: Credentials };
  private closed = false;

  constructor(private readonly options: EventStoreDbOptions) {
    this.name = options.connectionName ?? 'assent';
    this.credentials = options.credentials ? { credentials: options.credentials } : {};
    const append = options.credentials ?? credentialsOf(options.url);
    this.names = new StreamNames(options.prefix ?? '', options.isOwn);
    const reasons = new Reasons(options.url);
    this.reads = new EventStoreDbReads(this.link('read'), this.credentials, this.names, reasons);
    this.looks = new Looks(
      (after, most) => this.reads.readAfter(after, most),
      () => [...this.subscriptions].flatMap(({ waitsAt }) => waitsAt ?? []),
    );
    this.appends = new EventStoreDbAppends(
      this.link('append'),
      { append, others: this.credentials },
      this.names,
      this.reads,
      reasons,
    );
  }

  async append(stream: string, expected: number, events: readonly NewEvent[], until?: number): Promise<AppendOutcome> {
    const serialised = serialiseAppend(stream, expected, events).events;
    this.ensureOpen();
    // Followers would skip such a stream.
    if (!this.names.isOwn(stream)) throw new TypeError(`no context declares streams that are called like ${stream}`);
    return this.appends.append(stream, expected, serialised, until);
  }

  async read(stream: string, options: ReadStream): Promise<RecordedEvent[]> {
    this.ensureOpen();
    return this.reads.read(stream, options);
  }

  async head(): Promise<Position> {
    this.ensureOpen();
    return this.reads.head();
  }

  async at(position: Position): Promise<RecordedEvent | null> {
    this.ensureOpen();
    return this.reads.at(position);
  }

  async readAt(positions: readonly Position[]): Promise<RecordedEvent[]> {
    this.ensureOpen();
    return this.reads.readAt(positions);
  }

  async ageAfter(position: Position): Promise<number | null> {
    this.ensureOpen();
    const [next] = await this.reads.readAfter(position, 1);
    return next?.event ? Math.max(0, Date.now() - next.event.created.getTime()) : null;
  }

  subscribe(options: SubscribeOptions): Subscription {
    this.ensureOpen();
    const subscription = new EventStoreDbSubscription(
      {
        connect: () => this.connect('subscribe'),
        credentials: this.credentials,
        names: this.names,
        head: () => this.reads.sharedHead(),
        lookAfter: (position) => this.looks.after(position),
      },
      options,
      () => this.subscriptions.delete(subscription),
    );
    this.subscriptions.add(subscription);
    return subscription;
  }

  async curtailed(): Promise<Curtailed> {
    this.ensureOpen();
    const connection = this.connect('look');
    try {
      return await streamsWithRules(connection, this.credentials, this.names);
    } catch (cause) {
      throw new LogUnavailable('the metadata of streams cannot be read', false, { cause });
    } finally {
      void connection.close();
    }
  }

  async tombstone(stream: string): Promise<void> {
    this.ensureOpen();
    return this.appends.tombstone(stream);
  }

  async close(): Promise<void> {
    this.closed = true;
    this.appends.refuseNew();
    this.reads.refuseNew();
    await Promise.all([...this.subscriptions].map((subscription) => subscription.stop()));
    await within(CLOSE_MS_MAX, Promise.all([this.appends.idle(), this.reads.idle()])).catch(() => undefined);
    await Promise.all([this.appends.close(), this.reads.close()]);
  }

  private connect(use: string): Connection {
    return new Connection(this.options.url, `${this.name}-${use}`);
  }

  /** When one connection is silent, those of subscriptions may be too: each checks whether a message came since. */
  private link(use: string): Link {
    return new Link(
      () => this.connect(use),
      (silentSince) => {
        for (const subscription of this.subscriptions) subscription.reconnectIfSilent(silentSince);
      },
    );
  }

  private ensureOpen(): void {
    if (this.closed) throw new LogUnavailable('the event log is closed', false);
  }
}
