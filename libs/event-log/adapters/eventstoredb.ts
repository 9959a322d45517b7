import { randomUUID } from 'node:crypto';
import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  FORWARDS,
  NO_STREAM as EXPECT_NO_STREAM,
  START,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
  excludeSystemEvents,
  streamNameFilter,
  type AllStreamSubscription,
  type AppendResult,
  type Credentials,
  type EventData,
  type ReadPosition,
  type ResolvedEvent,
} from '@eventstore/db-client';
import { APPEND_MS_MAX, checkedLimit, serialiseAppend, type SerialisedEvent } from '../append-limits.js';
import {
  LogUnavailable,
  NO_STREAM,
  type AppendOutcome,
  type EventLog,
  type EventMetadata,
  type NewEvent,
  type ReadStream,
  type RecordedEvent,
  type SubscribeOptions,
  type Subscription,
} from '../port.js';
import { shardOfStream } from '../stream-shard.js';
import { BEGINNING, type Position } from '../../kernel/index.js';

/**
 * The server carries about 100 calls per connection, and what is beyond that hangs: more wait on this side. Of those
 * that wait it is known that they were not sent, so a server that is too slow is told apart from one that is silent.
 */
const APPENDS_AT_ONCE = 48;
const READS_AT_ONCE = 40;
const WAITING_MAX = 2000;
/** What of an append's time is kept for the answer to arrive: the call's own deadline comes before ours. */
const ANSWER_MS = 100;
/** An append with less time than this left is not sent any more: its outcome would only become unknown. */
const TOO_LATE_MS = 150;
const READ_MS_MAX = 3000;
/** What `close` waits for calls that are open. */
const CLOSE_MS_MAX = 2000;

/** Events that the server looks at between two checkpoints. Measured: its default of 32 makes catching up past 270,000 unwanted events half a second slower. */
const SEARCH_WINDOW = 256;
/** Most events that wait on this side of a subscription, twice (bytes and objects); then the server is made to wait. */
const BUFFERED_MAX = 500;
/** A subscription on which nothing came for this long looks into the log itself. */
const LOOK_AFTER_MS = 500;
/** More than the search window: a checkpoint comes before such a look falls behind. */
const LOOK_EVENTS_MAX = 512;
/** A wanted event is known to be in the log for this long and does not come: the subscription is dead. */
const STALLED_AFTER_MS = 4000;
/** The log ends before what was already dealt with, for this long: it is another log. Shorter would blame a follower that lags. */
const REWOUND_AFTER_MS = 10_000;
const HEAD_SHARED_MS = 100;
/** A subscription that lasted this long was a good one: the next is tried at once, also where nothing came. */
const STEADY_MS = 5000;
const BACK_OFF_MS = [50, 100, 250, 500, 1000, 2000] as const;

/** Servers up to 24.10.4 report it as a checkpoint where nothing matched: the end of everything, never to be kept. */
const END_OF_ALL = 18446744073709551615n;
/** The client refuses less, and takes -1 for never. */
const KEEP_ALIVE_MS_MIN = 10_000;

export interface EventStoreDbOptions {
  /** `esdb://` or `esdb+discover://`, as EventStoreDB documents it. */
  url: string;
  /** How its connections are called in the server's log. */
  connectionName?: string;
  /** Where they are not part of the URL. Without TLS they are ignored by the client. */
  credentials?: Credentials;
}

/**
 * The log in EventStoreDB (23.10 or newer).
 *
 * An event is stored under an id that is new for every attempt; its own id stands in the metadata. The server answers
 * a repeat of the same ids as if it had just written them, and where their stream was softly deleted it says so
 * although nothing is there. With new ids its answers mean what they say: success is that this attempt wrote, and a
 * repeat is found as a conflict, whose events are then compared. That costs a read where somebody repeats and nothing
 * where nobody does.
 *
 * Neither the server nor this adapter looks for ids at the revision where the stream stands: whoever appends there
 * events that are in the stream already stores them twice. The caller looks into the stream first.
 */
export class EventStoreDbLog implements EventLog {
  private readonly appends: Connection;
  private readonly reads: Connection;
  private readonly appendLanes = new Lanes(APPENDS_AT_ONCE, WAITING_MAX);
  private readonly readLanes = new Lanes(READS_AT_ONCE, WAITING_MAX);
  private readonly subscriptions = new Set<EventStoreDbSubscription>();
  private readonly name: string;
  /** Given with every append: with credentials the client takes the classic call, whose promises belong to one client. */
  private readonly appendCredentials: Credentials;
  private readonly credentials: { credentials?: Credentials };
  private heard: { head: Promise<Position>; at: number } | null = null;
  private closed = false;
  /** From here on a reading can be cut short without an error. */
  private disposing = false;

  constructor(private readonly options: EventStoreDbOptions) {
    this.name = options.connectionName ?? 'assent';
    this.credentials = options.credentials ? { credentials: options.credentials } : {};
    this.appendCredentials = options.credentials ?? credentialsOf(options.url);
    this.appends = new Connection(options.url, `${this.name}-append`);
    this.reads = new Connection(options.url, `${this.name}-read`);
  }

  async append(stream: string, expected: number, events: readonly NewEvent[]): Promise<AppendOutcome> {
    const serialised = serialiseAppend(stream, expected, events).events;
    this.ensureOpen();
    const until = performance.now() + APPEND_MS_MAX;
    return this.appendLanes.pass(until - TOO_LATE_MS, async () => {
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
        throw new LogUnavailable('the event log cannot be reached', !isNotStored(error), { cause: error });
      }
    });
  }

  async read(stream: string, { direction, from, limit }: ReadStream): Promise<RecordedEvent[]> {
    checkedLimit(limit);
    const forwards = direction === 'forwards';
    // A read forwards from END is an error on the server; backwards it is the last event.
    const fromRevision = from === undefined ? (forwards ? START : END) : BigInt(Math.max(from, 0));
    if (!forwards && from !== undefined && from < 0) return [];
    try {
      const events = await this.collect(() =>
        this.reads.client.readStream(stream, {
          direction: forwards ? FORWARDS : BACKWARDS,
          fromRevision,
          maxCount: limit,
          ...this.credentials,
        }),
      );
      return events.flatMap((event) => recorded(event) ?? []);
    } catch (error) {
      const cause = (error as { cause?: unknown }).cause;
      if (cause instanceof StreamNotFoundError || cause instanceof StreamDeletedError) return [];
      throw error;
    }
  }

  /** Of everything in the log, the server's own events included: `through` moves past those as well. */
  async head(): Promise<Position> {
    const [last] = await this.collect(() =>
      this.reads.client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1, ...this.credentials }),
    );
    return last?.event ? positionOf(last) : BEGINNING;
  }

  subscribe(options: SubscribeOptions): Subscription {
    this.ensureOpen();
    const subscription = new EventStoreDbSubscription(
      {
        connect: () => new Connection(this.options.url, `${this.name}-subscribe`),
        credentials: this.credentials,
        head: () => this.sharedHead(),
        readAfter: (position, limit) => this.readAfter(position, limit),
      },
      options,
      () => this.subscriptions.delete(subscription),
    );
    this.subscriptions.add(subscription);
    return subscription;
  }

  async tombstone(stream: string): Promise<void> {
    this.ensureOpen();
    try {
      await this.appendLanes.pass(performance.now() + APPEND_MS_MAX, () =>
        within(
          READ_MS_MAX,
          this.appends.client.tombstoneStream(stream, { deadline: READ_MS_MAX - ANSWER_MS, ...this.credentials }),
        ),
      );
    } catch (error) {
      if (error instanceof StreamDeletedError) return;
      if (error instanceof LogUnavailable) throw error;
      throw new LogUnavailable('the event log cannot be reached', !isNotStored(error), { cause: error });
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    this.appendLanes.close();
    this.readLanes.close();
    await Promise.all([...this.subscriptions].map((subscription) => subscription.stop()));
    await within(CLOSE_MS_MAX, Promise.all([this.appendLanes.idle(), this.readLanes.idle()])).catch(() => undefined);
    this.disposing = true;
    await Promise.all([this.appends.close(), this.reads.close()]);
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
      const appended = this.appends.client.appendToStream(stream, messages, {
        expectedRevision: expected === NO_STREAM ? EXPECT_NO_STREAM : BigInt(expected),
        deadline: left - ANSWER_MS,
        credentials: this.appendCredentials,
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
      const held = await this.read(stream, { direction: 'forwards', from: expected + 1, limit }).catch(
        (error: unknown) => {
          throw new LogUnavailable('the event log did not say what stands there', true, { cause: error });
        },
      );
      const same =
        held.length === limit &&
        held.every((event, i) => event.id === events[i]!.id && event.revision === expected + 1 + i);
      if (!same) return { outcome: 'conflict', revision };
      if (limit === events.length)
        return { outcome: 'appended', revision: held.at(-1)!.revision, position: held.at(-1)!.position, already: true };
    }
    return { outcome: 'conflict', revision };
  }

  /** Everything after a position, wanted or not. The client ignores filters of reads, so none is given. */
  private async readAfter(position: Position, limit: number): Promise<ResolvedEvent[]> {
    const events = await this.collect(() =>
      this.reads.client.readAll({
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
  private sharedHead(): Promise<Position> {
    const now = performance.now();
    if (!this.heard || now - this.heard.at > HEAD_SHARED_MS) {
      const head = this.head();
      head.catch(() => (this.heard = null));
      this.heard = { head, at: now };
    }
    return this.heard.head;
  }

  /** A read to its end; one that is given up is cancelled, or the client could never be disposed of. */
  private collect<E extends ResolvedEvent>(open: () => Reading<E>): Promise<E[]> {
    this.ensureOpen();
    return this.readLanes.pass(performance.now() + READ_MS_MAX, async () => {
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
        throw new LogUnavailable('the event log cannot be reached', false, { cause: error });
      }
    });
  }

  private ensureOpen(): void {
    if (this.closed) throw new LogUnavailable('the event log is closed', false);
  }
}

/** What this file uses of the client's readings. */
interface Reading<E> {
  on(event: 'data', listener: (event: E) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  cancel(): Promise<void>;
}

let connectionsMade = 0;

/**
 * A client with a connection of its own. gRPC shares one connection among all channels of equal settings, and the
 * client closes its channel whenever one call fails; so each gets a keep-alive interval that no other has.
 */
class Connection {
  readonly client: EventStoreDBClient;

  constructor(url: string, name: string) {
    const asked = Number(/[?&]keepAliveInterval=(-?\d+)/i.exec(url)?.[1] ?? 0);
    const settings = new URLSearchParams({
      keepAliveInterval: `${Math.max(asked, KEEP_ALIVE_MS_MIN) + (connectionsMade++ % 10_000)}`,
      throwOnAppendFailure: 'true',
    });
    if (!/[?&]connectionName=/i.test(url)) settings.set('connectionName', name);
    const base = url.trim().replace(/\/+$/, '');
    // Of a setting that is given twice the last counts.
    this.client = EventStoreDBClient.connectionString(`${base}${base.includes('?') ? '&' : '?'}${settings}`);
  }

  /** Never hangs: the client's own `dispose` waits for ever where a read was left in the middle. */
  async close(): Promise<void> {
    await within(CLOSE_MS_MAX, this.client.dispose()).catch(() => undefined);
    // It leaves its channel open and offers no way to close it. Without one it would look for a node just to be closed.
    const inside = this.client as unknown as {
      getChannel(): Promise<{ close(): void }>;
      resolveUri: () => Promise<never>;
    };
    inside.resolveUri = () => Promise.reject(new Error('the connection is closed'));
    await inside.getChannel().then(
      (channel) => channel.close(),
      () => undefined,
    );
  }
}

/** What a subscription needs of its log. */
interface LogAccess {
  connect: () => Connection;
  credentials: { credentials?: Credentials };
  head: () => Promise<Position>;
  readAfter: (position: Position, limit: number) => Promise<ResolvedEvent[]>;
}

/** Ends a subscription; `reason` is what its owner is told. */
class Over extends Error {
  constructor(readonly reason: unknown) {
    super('the subscription is over');
  }
}

/**
 * Follows `$all` over a connection of its own, and begins again on a new one whenever that fails: the client's
 * subscriptions never do.
 *
 * How far `through` may move is known from three sources: an event that was delivered; a checkpoint, once everything
 * that came before it was delivered; and, where nothing comes for a while, a look into the log: the server sends no
 * checkpoint while idle, nor before it has looked at a whole window of events. Such a look reads `$all` on from
 * `through` and filters by itself. `$all` has one order and shows only what is committed, so up to the first wanted
 * event of that page there is none that could still come. It does not lean on `caughtUp`, on the head, nor on what the
 * subscription should have sent. A wanted event it finds is left to the subscription; one that does not come is how a
 * subscription is found out that stays connected and says nothing.
 */
class EventStoreDbSubscription implements Subscription {
  private through: Position;
  private stopping = false;
  private woken = false;
  private wakeUp: () => void = () => {};
  private missingSince: number | null = null;
  private rewoundSince: number | null = null;
  private readonly ended: Promise<void>;

  constructor(
    private readonly log: LogAccess,
    private readonly options: SubscribeOptions,
    unregister: () => void,
  ) {
    this.through = options.after;
    this.ended = this.run().finally(unregister);
  }

  stop(): Promise<void> {
    this.stopping = true;
    this.wake();
    return this.ended;
  }

  private async run(): Promise<void> {
    // Never calls the handler before `subscribe` has returned.
    await new Promise(setImmediate);
    for (let failures = 0; !this.stopping;) {
      const [before, begun] = [this.through, performance.now()];
      try {
        await this.follow();
      } catch (error) {
        if (error instanceof Over) {
          this.stopping = true;
          this.options.failed?.(error.reason);
          return;
        }
        // Whatever else it is, the next attempt starts at the last position that was delivered.
        if (this.through > before || performance.now() - begun > STEADY_MS) failures = 0;
        await this.pause(BACK_OFF_MS[Math.min(failures++, BACK_OFF_MS.length - 1)]!);
      }
    }
  }

  /** Delivers until stopped, or throws what ended it. */
  private async follow(): Promise<void> {
    const connection = this.log.connect();
    let checkpoint = BEGINNING;
    const reached = (position: Position): void => {
      if (position === END_OF_ALL || position <= checkpoint) return;
      checkpoint = position;
      this.wake();
    };
    const { live, broken } = this.open(connection, reached);
    this.missingSince = null;
    try {
      while (!this.stopping) {
        // Lets the rest of what this turn of the event loop brings join the batch.
        await new Promise(setImmediate);
        this.woken = false;
        // Asked before the events are taken: only those that came before it are certain to be among them.
        const passed = checkpoint;
        const { events, last, all } = this.take(live);
        const through = max(this.through, last, all ? passed : BEGINNING);
        if (through > this.through) {
          this.missingSince = null;
          await this.deliver(events, through);
        } else if (broken.by) {
          throw broken.by;
        } else if (!(await this.wokenWithin(LOOK_AFTER_MS))) await this.look();
      }
    } finally {
      live.unsubscribe().catch(() => undefined);
      void connection.close();
    }
  }

  private open(
    connection: Connection,
    reached: (position: Position) => void,
  ): { live: AllStreamSubscription; broken: { by: Error | null } } {
    const { prefixes, batchSize = 1000 } = this.options;
    // The prepare position of a checkpoint can be 0 where nothing matched; only the commit position is true.
    const checkpointReached = async (_: unknown, { commit }: { commit: bigint }): Promise<void> => reached(commit);
    const filtering = { maxSearchWindow: SEARCH_WINDOW, checkpointInterval: 1, checkpointReached };
    const filter =
      prefixes.length === 0
        ? excludeSystemEvents(filtering)
        : streamNameFilter({ prefixes: [...prefixes], ...filtering });
    const live = connection.client.subscribeToAll(
      { fromPosition: readPosition(this.through), filter, ...this.log.credentials },
      { highWaterMark: Math.min(batchSize, BUFFERED_MAX) },
    );
    const broken: { by: Error | null } = { by: null };
    const ended = (by: Error): void => {
      broken.by ??= isRefused(by) ? new Over(by) : by;
      this.wake();
    };
    live.on('readable', () => this.wake());
    live.on('error', ended);
    live.on('end', () => ended(new Error('the subscription ended')));
    live.on('close', () => ended(new Error('the subscription was closed')));
    return { live, broken };
  }

  /** What has arrived, up to a full batch. `all`: nothing is left. `last` counts unwanted events too. */
  private take(live: AllStreamSubscription): { events: RecordedEvent[]; last: Position; all: boolean } {
    const { batchSize = 1000 } = this.options;
    const events: RecordedEvent[] = [];
    let last = BEGINNING;
    for (let resolved: ResolvedEvent | null; events.length < batchSize;) {
      resolved = live.read() as ResolvedEvent | null;
      if (resolved === null) return { events, last, all: true };
      const position = positionOf(resolved);
      if (position <= max(this.through, last)) continue;
      last = position;
      const event = this.wanted(resolved);
      if (event) events.push(event);
    }
    return { events, last, all: false };
  }

  private async deliver(events: RecordedEvent[], through: Position): Promise<void> {
    try {
      await this.options.onBatch(events, through);
    } catch (error) {
      throw new Over(error);
    }
    this.through = through;
  }

  /** See the class. Called only while nothing waits to be delivered. */
  private async look(): Promise<void> {
    let page: ResolvedEvent[];
    try {
      const head = await this.log.head();
      this.rewoundSince = head < this.through ? (this.rewoundSince ?? performance.now()) : null;
      page = head > this.through ? await this.log.readAfter(this.through, LOOK_EVENTS_MAX) : [];
    } catch {
      // Then nothing is known; a connection that is gone ends the subscription by itself.
      return;
    }
    if (this.rewoundSince !== null && performance.now() - this.rewoundSince > REWOUND_AFTER_MS) {
      throw new Over(
        new Error(
          `the event log ends before position ${this.through}, which was already dealt with: it is another log, or was restored from an older backup`,
        ),
      );
    }
    const first = page.findIndex((event) => this.wanted(event) !== null);
    const clear = (first < 0 ? page : page.slice(0, first)).at(-1);
    if (first >= 0) this.missingSince ??= performance.now();
    if (clear && !this.stopping) await this.deliver([], positionOf(clear));
    if (this.missingSince !== null && !this.woken && performance.now() - this.missingSince > STALLED_AFTER_MS)
      throw new Error('the subscription is stalled');
  }

  private wanted(resolved: ResolvedEvent): RecordedEvent | null {
    const { prefixes, shard } = this.options;
    const event = recorded(resolved);
    if (!event || (shard && shardOfStream(event.stream, shard.of) !== shard.index)) return null;
    return prefixes.length === 0 || prefixes.some((prefix) => event.stream.startsWith(prefix)) ? event : null;
  }

  private wake(): void {
    this.woken = true;
    this.wakeUp();
  }

  private async wokenWithin(ms: number): Promise<boolean> {
    if (!this.woken && !this.stopping) await this.wait(ms);
    return this.woken || this.stopping;
  }

  /** Cut short only by `stop`. */
  private async pause(ms: number): Promise<void> {
    for (const until = performance.now() + ms; !this.stopping && performance.now() < until;)
      await this.wait(until - performance.now());
  }

  private async wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.wakeUp = () => {};
  }
}

/** Lets so many calls run at a time; the others wait in line, or are told at once that the line is too long. */
class Lanes {
  private running = 0;
  private closed = false;
  private readonly line: (() => void)[] = [];
  private quiet: (() => void)[] = [];

  constructor(
    private readonly lanes: number,
    private readonly longest: number,
  ) {}

  /** `startBy`, of performance.now(): whoever still waits then is refused, and nothing was sent. */
  async pass<R>(startBy: number, call: () => Promise<R>): Promise<R> {
    if (this.line.length >= this.longest) throw new LogUnavailable('too much is waiting for the event log', false);
    if (this.running >= this.lanes) await this.turn(startBy);
    else this.running++;
    try {
      if (this.closed) throw new LogUnavailable('the event log is closed', false);
      return await call();
    } finally {
      // Whoever is next takes the lane over.
      const next = this.line.shift();
      if (next) next();
      else if (--this.running === 0) for (const resolve of this.quiet.splice(0)) resolve();
    }
  }

  /** Refuses whoever waits. */
  close(): void {
    this.closed = true;
  }

  async idle(): Promise<void> {
    if (this.running > 0) await new Promise<void>((resolve) => this.quiet.push(resolve));
  }

  private turn(startBy: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.line.splice(this.line.indexOf(go), 1);
        reject(new LogUnavailable('the event log is too busy', false));
      }, startBy - performance.now());
      const go = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.line.push(go);
    });
  }
}

class TimedOut extends Error {}

function within<R>(ms: number, work: Promise<R>): Promise<R> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>(
    (_, reject) => (timer = setTimeout(() => reject(new TimedOut('no answer in time')), ms)),
  );
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** The name of the metadata member that holds an event's own id. */
const OWN_ID = 'eventId';

const storedForm = ({ id, type, data, metadata }: SerialisedEvent): EventData =>
  ({
    contentType: 'application/json',
    id: randomUUID(),
    type,
    data: JSON.parse(data) as object,
    // As bytes, which the client takes as they are. It is an object with members, so the id goes in front of them.
    metadata: Uint8Array.from(Buffer.from(`{"${OWN_ID}":"${id}"${metadata === '{}' ? '' : ','}${metadata.slice(1)}`)),
  }) as EventData;

/** Null for what is the server's own: metadata of streams, tombstones, links, statistics. */
function recorded({ event }: ResolvedEvent): RecordedEvent | null {
  if (!event || event.type.startsWith('$') || event.streamId.startsWith('$')) return null;
  const { [OWN_ID]: id = event.id, ...metadata } = (event.metadata ?? {}) as Record<string, unknown>;
  return {
    stream: event.streamId,
    revision: Number(event.revision),
    position: positionOf({ event } as ResolvedEvent),
    id: id as string,
    type: event.type,
    data: event.data,
    metadata: metadata as unknown as EventMetadata,
  };
}

function positionOf({ event }: ResolvedEvent): Position {
  const commit = event?.position?.commit;
  if (commit === undefined || commit === END_OF_ALL)
    throw new Error('this EventStoreDB does not say where an event stands; it must be 23.10 or newer');
  return commit;
}

const readPosition = (after: Position): ReadPosition => (after < 0n ? START : { commit: after, prepare: after });
const max = (first: bigint, ...others: bigint[]): bigint =>
  others.reduce((most, each) => (each > most ? each : most), first);

/** A position that is none (of another log): asking again gets the same answer. */
const isRefused = (error: unknown): boolean => (error as { code?: number }).code === 3;

/**
 * Whether an append that failed is certain to have had no effect: no connection was made, no lane on it was free, or
 * the server said so. An end of time, a broken connection and a server that gave up on its own write are not.
 */
function isNotStored(error: unknown): boolean {
  const { code, type, message } = error as { code?: number; type?: string; message?: string };
  if (type === 'not-leader' || type === 'access-denied' || type === 'maximum-append-size-exceeded') return true;
  if (code === 4)
    return (
      /waiting for (name resolution|metadata filters|LB pick)/i.test(message ?? '') &&
      !/previous attempts/.test(message ?? '')
    );
  if (code === 14)
    return /No connection established|Channel closed before call started|Name resolution failed|Server Is Not Ready/i.test(
      message ?? '',
    );
  return false;
}

/**
 * Those of the URL. Without TLS the client sends none, so any will do to get the classic call. With TLS and no
 * credentials every append would go through the shared call instead, whose promises a failure elsewhere can reject.
 */
function credentialsOf(url: string): Credentials {
  const [, username, password] = /^[^:]+:\/\/([^:@/]+):([^@]+)@/.exec(url) ?? [];
  if (username !== undefined && password !== undefined)
    return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  if (/[?&]tls=false/i.test(url)) return { username: 'none', password: 'none' };
  throw new TypeError('the EventStoreDB URL needs a user and a password where TLS is on');
}
