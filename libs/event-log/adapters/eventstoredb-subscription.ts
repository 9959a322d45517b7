import { setTimeout as elapsed } from 'node:timers/promises';
import {
  excludeSystemEvents,
  streamNameFilter,
  type AllStreamSubscription,
  type Credentials,
  type ResolvedEvent,
} from '@eventstore/db-client';
import type { RecordedEvent, SubscribeOptions, Subscription } from '../port.js';
import { shardOfStream } from '../stream-shard.js';
import { BEGINNING, type Position } from '../../kernel/index.js';
import type { Connection } from './eventstoredb-connection.js';
import { END_OF_ALL, positionOf, readPosition, recorded } from './eventstoredb-events.js';
import type { StreamNames } from './eventstoredb-names.js';
import { isRefused } from './eventstoredb-failures.js';

/**
 * Events that the server looks at between two checkpoints. Fewer make catching up past unwanted events slower, by half a
 * second in 270,000 at its default of 32. More let subscriptions that want little look into the log themselves while
 * others write, which costs the server far more than a checkpoint: with 64 nobody looks from 128 events a second on.
 */
const SEARCH_WINDOW = 64;
/** Most events that wait on this side of a subscription, twice (bytes and objects); then the server is made to wait. */
const BUFFERED_MAX = 500;
/**
 * Until the server says that a subscription has caught up, a batch waits so long for more, and looks so often whether it
 * has enough. Taken as they arrived, batches of a rebuild had 25 events, each of them a transaction in Postgres.
 */
const GATHER_MS = 25;
const GATHER_LOOK_MS = 5;
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
  live: AllStreamSubscription;
  /** Why it is over, once it is. */
  broken: { by: Error | null };
  /** Whether all was sent that was in the log when it began. Only says whether there is a hurry. */
  hasCaughtUp: boolean;
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
    let checkpoint = BEGINNING;
    const reached = (position: Position): void => {
      this.heardAt = performance.now();
      if (position === END_OF_ALL || position <= checkpoint) return;
      checkpoint = position;
      this.wake();
    };
    const opened = this.open(connection, reached);
    const { live, broken } = opened;
    this.missingSince = null;
    try {
      while (!this.stopping) {
        await this.gather(opened);
        // Lets the rest of what this turn of the event loop brings join the batch.
        await new Promise(setImmediate);
        this.woken = false;
        // Asked before the events are taken: only those that came before it are certain to be among them.
        const passed = checkpoint;
        const { events, last, all } = this.take(live);
        const through = all && passed > last ? passed : last;
        if (through > this.through) {
          this.missingSince = null;
          await this.deliver(events, through);
        } else if (broken.by) {
          throw broken.by;
        } else await this.idle();
      }
    } finally {
      live.unsubscribe().catch(() => undefined);
      void connection.close();
    }
  }

  private open(connection: Connection, reached: (position: Position) => void): Opened {
    const { prefixes, batchSize = 1000 } = this.options;
    // The prepare position of a checkpoint can be 0 where nothing matched; only the commit position is true.
    const checkpointReached = async (_: unknown, { commit }: { commit: bigint }): Promise<void> => reached(commit);
    const filtering = { maxSearchWindow: SEARCH_WINDOW, checkpointInterval: 1, checkpointReached };
    const wanted = this.log.names.filterOf(prefixes);
    const filter =
      wanted.length === 0 ? excludeSystemEvents(filtering) : streamNameFilter({ prefixes: wanted, ...filtering });
    const live = connection.client.subscribeToAll(
      { fromPosition: readPosition(this.through), filter, ...this.log.credentials },
      { highWaterMark: Math.min(batchSize, BUFFERED_MAX) },
    );
    const opened: Opened = { live, broken: { by: null }, hasCaughtUp: false };
    const { broken } = opened;
    const ended = (by: Error): void => {
      clearTimeout(unconfirmed);
      broken.by ??= isRefused(by) ? new Over(by) : by;
      this.wake();
    };
    this.giveUp = ended;
    this.heardAt = performance.now();
    const unconfirmed = setTimeout(() => ended(new Error('the subscription was not confirmed')), CONFIRMED_WITHIN_MS);
    unconfirmed.unref();
    live.on('confirmation', () => {
      clearTimeout(unconfirmed);
      this.heardAt = performance.now();
    });
    live.on('readable', () => {
      this.heardAt = performance.now();
      this.wake();
    });
    live.on('caughtUp', () => (opened.hasCaughtUp = true));
    live.on('error', ended);
    live.on('end', () => ended(new Error('the subscription ended')));
    live.on('close', () => ended(new Error('the subscription was closed')));
    return opened;
  }

  /** Lets a batch grow while the subscription catches up: what is old already does not have to be quick. */
  private async gather(opened: Opened): Promise<void> {
    const { live, broken } = opened;
    const until = performance.now() + GATHER_MS;
    while (!opened.hasCaughtUp && !broken.by && !this.stopping) {
      if (live.readableLength >= live.readableHighWaterMark || performance.now() >= until) return;
      // Not `wait`, which whatever arrives cuts short.
      await elapsed(GATHER_LOOK_MS);
    }
  }

  /** What has arrived, up to a full batch. `all`: nothing is left. `last` counts unwanted events too. */
  private take(live: AllStreamSubscription): { events: RecordedEvent[]; last: Position; all: boolean } {
    const { batchSize = 1000 } = this.options;
    const events: RecordedEvent[] = [];
    let last = this.through;
    for (let resolved: ResolvedEvent | null; events.length < batchSize;) {
      resolved = live.read() as ResolvedEvent | null;
      if (resolved === null) return { events, last, all: true };
      const position = positionOf(resolved);
      if (position <= last) continue;
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
    let page: ResolvedEvent[];
    try {
      const head = await this.log.head();
      this.rewoundSince = head < this.through ? (this.rewoundSince ?? performance.now()) : null;
      page = head > this.through ? await this.log.lookAfter(this.through) : [];
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
    const event = recorded(resolved, this.log.names);
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
