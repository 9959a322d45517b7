import type { Credentials, ResolvedEvent } from '@eventstore/db-client';
import type { RecordedEvent, SubscribeOptions, Subscription } from '../../port.js';
import type { Position } from '../../../kernel/index.js';
import type { Connection } from './eventstoredb-connection.js';
import { positionOf, resolvedPosition, streamOf, unparsed } from './eventstoredb-events.js';
import { Feed } from './eventstoredb-feed.js';
import type { StreamNames } from './eventstoredb-names.js';
import { isRefused } from './eventstoredb-failures.js';

/** Most events of one batch, also where a follower asks for more. Twice as many wait on this side of a subscription. */
const BATCH_MAX = 500;
/**
 * How long a batch waits for more events until the server says that the subscription has caught up. Without it, batches
 * of a rebuild had 25 events, each batch a transaction in Postgres.
 */
const GATHER_MS = 25;
/** A subscription that got no message for this long reads the log itself. */
const LOOK_AFTER_MS = 500;
/** How long a wanted event may be in the log without arriving. After that the subscription is dead. */
const STALLED_AFTER_MS = 4000;
/** How long a node may take to confirm a subscription. After that it is frozen, or no longer part of the cluster. */
const CONFIRMED_WITHIN_MS = 4000;
/** How long the log may end before a delivered position. After that it is another log; a node that lags needs less. */
const REWOUND_AFTER_MS = 10_000;
/** After a subscription that lasted this long the next one begins at once, also where no event came. */
const STEADY_MS = 5000;
const BACK_OFF_MS = [50, 100, 250, 500, 1000, 2000] as const;

/** The calls of the log that a subscription uses. */
export interface LogAccess {
  connect: () => Connection;
  credentials: { credentials?: Credentials };
  names: StreamNames;
  head: () => Promise<Position>;
  /** A page of all events after a position, wanted or not: see Looks. */
  lookAfter: (position: Position) => Promise<ResolvedEvent[]>;
}

/** One subscription on the server. */
interface Opened {
  feed: Feed;
  /** Why it is over, once it is. */
  broken: { by: Error | null };
}

/** Ends a subscription for good; `reason` is for its owner. */
class Over extends Error {
  constructor(readonly reason: unknown) {
    super('the subscription is over');
  }
}

/**
 * Follows `$all` over a connection of its own, and begins again on a new one whenever that fails: the client's
 * subscriptions never do.
 *
 * Three things move `through`: a delivered event; a checkpoint, once every event before it was delivered; and, after a
 * while without messages, a read of the log. The read is needed because an idle server sends no checkpoint, and a busy
 * one sends it only after a whole window of events. It reads `$all` on from `through` and filters by itself. `$all` has
 * one order and shows only committed events, so no wanted event can still appear before the first wanted one of that
 * page. It does not depend on `caughtUp`, on the head, or on what the subscription should have sent. The subscription
 * delivers the wanted events that the read finds. If one does not arrive, the subscription is connected but dead.
 */
export class EventStoreDbSubscription implements Subscription {
  private through: Position;
  private stopping = false;
  private woken = false;
  /** The position at which the subscription waits for events; null while it works. */
  waitsAt: Position | null = null;
  private wakeUp: () => void = () => {};
  private missingSince: number | null = null;
  private rewoundSince: number | null = null;
  /** Time of the last message on the connection in use, of `performance.now()`. */
  private heardAt = 0;
  private giveUp: (by: Error) => void = () => {};
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

  /** Begins again on a new connection, unless a message came on this one after `since` (of `performance.now()`). */
  reconnectIfSilent(since: number): void {
    if (this.heardAt < since) this.giveUp(new Error('the event log is silent'));
  }

  private async run(): Promise<void> {
    // Lets `subscribe` return before the handler is called.
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
        this.options.interrupted?.();
        // After any other error the next attempt starts at the last delivered position.
        if (this.through > before || performance.now() - begun > STEADY_MS) failures = 0;
        await this.pause(BACK_OFF_MS[Math.min(failures++, BACK_OFF_MS.length - 1)]!);
      }
    }
  }

  /** Delivers until `stop`. Rejects with the error that ended the subscription. */
  private async follow(): Promise<void> {
    const connection = this.log.connect();
    const opened = this.open(connection);
    const { feed, broken } = opened;
    this.missingSince = null;
    try {
      while (!this.stopping) {
        await this.gather(opened);
        // Lets the other events of this turn of the event loop join the batch.
        await new Promise(setImmediate);
        this.woken = false;
        const { events, through } = this.take(feed);
        if (through > this.through) {
          this.missingSince = null;
          await this.deliver(events, through);
        } else if (broken.by) {
          throw broken.by;
        } else await this.idle();
      }
    } finally {
      feed.cancel();
      void connection.close();
    }
  }

  private open(connection: Connection): Opened {
    const { prefixes, batchSize = BATCH_MAX } = this.options;
    const broken: Opened['broken'] = { by: null };
    const ended = (by: Error): void => {
      clearTimeout(unconfirmed);
      broken.by ??= isRefused(by) ? new Over(by) : by;
      this.wake();
    };
    this.giveUp = ended;
    this.heardAt = performance.now();
    const unconfirmed = setTimeout(() => ended(new Error('the subscription was not confirmed')), CONFIRMED_WITHIN_MS);
    unconfirmed.unref();
    const wanted = {
      after: this.through,
      prefixes: this.log.names.filterOf(prefixes),
      credentials: this.log.credentials,
      batchSize: Math.min(batchSize, BATCH_MAX),
    };
    const feed = new Feed(connection.client, wanted, {
      heard: () => (this.heardAt = performance.now()),
      confirmed: () => clearTimeout(unconfirmed),
      wake: () => this.wake(),
      ended,
    });
    return { feed, broken };
  }

  /** Lets a batch grow while the subscription catches up: old events are not urgent. */
  private async gather({ feed, broken }: Opened): Promise<void> {
    const until = performance.now() + GATHER_MS;
    const isEnough = (): boolean => feed.hasCaughtUp || feed.hasBatch || broken.by !== null || this.stopping;
    for (let left = GATHER_MS; left > 0 && !isEnough(); left = until - performance.now()) await this.wait(left);
  }

  /** Up to a batch of the wanted events that have arrived, and the position of the last event, wanted or not. */
  private take(feed: Feed): { events: RecordedEvent[]; through: Position } {
    const events: RecordedEvent[] = [];
    let { through } = this;
    for (const event of feed.take()) {
      if (event.position <= through) continue;
      through = positionOf(event);
      const stream = this.wantedStream(event);
      if (stream !== null) events.push(unparsed(event, stream));
    }
    // The feed is empty, so every event before its checkpoint has been taken.
    return { events, through: feed.isEmpty && feed.checkpoint > through ? feed.checkpoint : through };
  }

  private async deliver(events: RecordedEvent[], through: Position): Promise<void> {
    try {
      await this.options.onBatch(events, through);
    } catch (error) {
      throw new Over(error);
    }
    this.through = through;
  }

  private async idle(): Promise<void> {
    this.waitsAt = this.through;
    try {
      if (!(await this.wokenWithin(LOOK_AFTER_MS))) await this.look();
    } finally {
      this.waitsAt = null;
    }
  }

  /** Reads the log itself, see the class. Called only while no event waits to be delivered. */
  private async look(): Promise<void> {
    // An event that arrives meanwhile is delivered at once, and shows that the subscription lives.
    const page = await this.unlessWoken(this.page());
    if (page === null) return;
    if (this.rewoundSince !== null && performance.now() - this.rewoundSince > REWOUND_AFTER_MS) {
      throw new Over(
        new Error(
          `the event log ends before position ${this.through}, which was already dealt with: it is another log, or was restored from an older backup`,
        ),
      );
    }
    const first = page.findIndex(({ event }) => event && this.wantedStream(event) !== null);
    const clear = (first < 0 ? page : page.slice(0, first)).at(-1);
    if (first >= 0) this.missingSince ??= performance.now();
    if (clear && !this.stopping) await this.deliver([], resolvedPosition(clear));
    if (this.missingSince !== null && !this.woken && performance.now() - this.missingSince > STALLED_AFTER_MS)
      throw new Error('the subscription is stalled');
  }

  /** The events after `through`; null where the log does not answer: a lost connection ends the subscription by itself. */
  private async page(): Promise<ResolvedEvent[] | null> {
    try {
      const { through } = this;
      const head = await this.log.head();
      this.rewoundSince = head < through ? (this.rewoundSince ?? performance.now()) : null;
      return head > through ? await this.log.lookAfter(through) : [];
    } catch {
      return null;
    }
  }

  /** What `work` resolves to; null as soon as a message comes. */
  private async unlessWoken<R>(work: Promise<R>): Promise<R | null> {
    if (this.woken || this.stopping) return null;
    const woken = new Promise<null>((resolve) => (this.wakeUp = () => resolve(null)));
    try {
      return await Promise.race([work, woken]);
    } finally {
      this.wakeUp = () => {};
    }
  }

  /** The service's name of the stream of a wanted event; null where the event is not wanted. */
  private wantedStream(event: { streamId: string; type: string }): string | null {
    const { prefixes } = this.options;
    const stream = streamOf(event, this.log.names);
    if (stream === null) return null;
    return prefixes.length === 0 || prefixes.some((prefix) => stream.startsWith(prefix)) ? stream : null;
  }

  private wake(): void {
    this.woken = true;
    this.wakeUp();
  }

  private async wokenWithin(ms: number): Promise<boolean> {
    if (!this.woken && !this.stopping) await this.wait(ms);
    return this.woken || this.stopping;
  }

  /** Waits; `stop` ends it early. */
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
