import type { Credentials, ResolvedEvent } from '@eventstore/db-client';
import type { RecordedEvent, SubscribeOptions, Subscription } from '../../port.js';
import { shardOfStream } from '../../stream-shard.js';
import type { Position } from '../../../kernel/index.js';
import type { Connection } from './eventstoredb-connection.js';
import { positionOf, resolvedPosition, streamOf, unparsed } from './eventstoredb-events.js';
import { Feed } from './eventstoredb-feed.js';
import type { StreamNames } from './eventstoredb-names.js';
import { isRefused } from './eventstoredb-failures.js';

/** Most events of one batch, whatever is asked for. Twice as many wait on this side of a subscription. */
const BATCH_MAX = 500;
/**
 * Until the server says that a subscription has caught up, a batch waits so long for more. Taken as they arrived, batches
 * of a rebuild had 25 events, each of them a transaction in Postgres.
 */
const GATHER_MS = 25;
/** A subscription on which nothing came for this long looks into the log itself. */
const LOOK_AFTER_MS = 500;
/** A wanted event is known to be in the log for this long and does not come: the subscription is dead. */
const STALLED_AFTER_MS = 4000;
/** A node that does not even confirm a subscription for this long is frozen, or was left behind by its cluster. */
const CONFIRMED_WITHIN_MS = 4000;
/** The log ends before what was already dealt with, for this long: it is another log. Shorter would blame a follower that lags. */
const REWOUND_AFTER_MS = 10_000;
/** A subscription that lasted this long was a good one: the next is tried at once, also where nothing came. */
const STEADY_MS = 5000;
const BACK_OFF_MS = [50, 100, 250, 500, 1000, 2000] as const;

/** What a subscription needs of its log. */
export interface LogAccess {
  connect: () => Connection;
  credentials: { credentials?: Credentials };
  names: StreamNames;
  head: () => Promise<Position>;
  /** A page of what comes after a position, wanted or not: see Looks. */
  lookAfter: (position: Position) => Promise<ResolvedEvent[]>;
}

/** A subscription as the server has it. */
interface Opened {
  feed: Feed;
  /** Why it is over, once it is. */
  broken: { by: Error | null };
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
export class EventStoreDbSubscription implements Subscription {
  private through: Position;
  private stopping = false;
  private woken = false;
  /** Where it stands while it waits for something to come; null while it has something to do. */
  waitsAt: Position | null = null;
  private wakeUp: () => void = () => {};
  private missingSince: number | null = null;
  private rewoundSince: number | null = null;
  /** Of `performance.now()`: when anything came last on the connection in use. */
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

  /** Begins again on a new connection, unless something came on this one since then (of `performance.now()`). */
  reconnectIfSilent(since: number): void {
    if (this.heardAt < since) this.giveUp(new Error('the event log is silent'));
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
        this.options.interrupted?.();
        // Whatever else it is, the next attempt starts at the last position that was delivered.
        if (this.through > before || performance.now() - begun > STEADY_MS) failures = 0;
        await this.pause(BACK_OFF_MS[Math.min(failures++, BACK_OFF_MS.length - 1)]!);
      }
    }
  }

  /** Delivers until stopped, or throws what ended it. */
  private async follow(): Promise<void> {
    const connection = this.log.connect();
    const opened = this.open(connection);
    const { feed, broken } = opened;
    this.missingSince = null;
    try {
      while (!this.stopping) {
        await this.gather(opened);
        // Lets the rest of what this turn of the event loop brings join the batch.
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

  /** Lets a batch grow while the subscription catches up: what is old already does not have to be quick. */
  private async gather({ feed, broken }: Opened): Promise<void> {
    const until = performance.now() + GATHER_MS;
    const isEnough = (): boolean => feed.hasCaughtUp || feed.hasBatch || broken.by !== null || this.stopping;
    for (let left = GATHER_MS; left > 0 && !isEnough(); left = until - performance.now()) await this.wait(left);
  }

  /** What has arrived and is wanted, up to a batch, and how far that goes: unwanted events count too. */
  private take(feed: Feed): { events: RecordedEvent[]; through: Position } {
    const events: RecordedEvent[] = [];
    let { through } = this;
    for (const event of feed.take()) {
      if (event.position <= through) continue;
      through = positionOf(event);
      const stream = this.wantedStream(event);
      if (stream !== null) events.push(unparsed(event, stream));
    }
    // All that came before a checkpoint has been taken as soon as nothing is left.
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

  /** See the class. Called only while nothing waits to be delivered. */
  private async look(): Promise<void> {
    // What comes meanwhile is not kept waiting by a log that is slow to answer. It also shows that nothing stalls.
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

  /** What comes after `through`; null where the log does not say: a connection that is gone ends the subscription by itself. */
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

  /** What `work` resolves to, or null as soon as there is something else to do. */
  private async unlessWoken<R>(work: Promise<R>): Promise<R | null> {
    if (this.woken || this.stopping) return null;
    const woken = new Promise<null>((resolve) => (this.wakeUp = () => resolve(null)));
    try {
      return await Promise.race([work, woken]);
    } finally {
      this.wakeUp = () => {};
    }
  }

  /** As the service calls the stream of an event that is wanted; null where it is not. */
  private wantedStream(event: { streamId: string; type: string }): string | null {
    const { prefixes, shard } = this.options;
    const stream = streamOf(event, this.log.names);
    if (stream === null || (shard && shardOfStream(stream, shard.of) !== shard.index)) return null;
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
