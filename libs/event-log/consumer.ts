import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { BEGINNING, type Position } from '../kernel/index.js';
import type { Database } from '../platform/database/database.js';
import { Arrivals } from './arrivals.js';
import {
  Checkpoint,
  RENEW_EVERY_MS,
  type ClaimedCheckpoint,
  type ShardId,
  type StoredCheckpoint,
} from './checkpoint.js';
import { UnknownEvent } from './codec.js';
import { isAboutTheData, kindOf } from './failure-kinds.js';
import type { EventLog, RecordedEvent } from './port.js';
import { Poison, UnwritableBatch, type Effect, type Sink } from './sink.js';

/** Progress without any effect reaches the checkpoint this often: it costs a write and gains only a shorter catch-up. */
const IDLE_CHECKPOINT_MS = 1000;
/** The same where there are shards: the position of all is that of the slowest, and most of what is read moves one only. */
const IDLE_SHARD_CHECKPOINT_MS = 50;
/** One that is held looks this often whether it may go on; whoever lets it go on wakes it. */
const HELD_POLL_MS = 1000;
/** One that is held until all shards are level looks this often. */
const LEVEL_POLL_MS = 20;
/** A stopped shard looks this often whether somebody resumed it. */
const STOPPED_POLL_MS = 1000;
/** One that somebody else owns looks this often whether it is free, and more often while somebody waits for its position. */
const STANDBY_POLL_MS = 250;
const AWAITED_POLL_MS = 10;
const BEGUN_POLL_MS = 2;
const BACK_OFF_MS = [50, 100, 250, 500, 1000, 2000] as const;

export interface ConsumerOptions {
  log: EventLog;
  database: Database;
  /** The shard must exist (see GenerationTables). */
  id: ShardId;
  /** Prefixes of the streams that are read. */
  streams: readonly string[];
  sink: Sink;
  /** The same for all shards of a generation in this process (see SubscribeOptions). */
  group?: object;
  /** How this process is called where several share the shards; no slash. */
  holder?: string;
  /** Most events of one batch, which is one transaction. Default 2000: measured, more gains little and holds more memory. */
  batchSize?: number;
}

export interface ConsumerStatus {
  /**
   * `standby`: somebody else owns it. `awaiting`: it met an event that its release does not know, and no newer release
   * has taken over yet. `stopped`: by an event. `waiting`: the database cannot be reached. `gone`: there is no such
   * shard any more.
   */
  state: 'starting' | 'running' | 'standby' | 'awaiting' | 'waiting' | 'stopped' | 'gone' | 'ended';
  position: Position;
  /** Kind of error, never data. */
  error: string | null;
  poisonPosition: Position | null;
  /** Events that counted since the start. */
  folded: number;
}

/** Ends a subscription so that everything starts again from the stored checkpoint. */
class StartOver extends Error {}

/**
 * Follows the log for one shard of one generation and hands what it reads to a sink. It takes the shard for itself by a
 * lease in the checkpoint's row; whoever does not own it reads nothing, and takes over when the lease has run out. Each
 * effect is written in one statement with the checkpoint, which only counts for the owner and from the position that
 * it believes in. So rivals, kills, frozen processes and lost answers apply no event twice and leave none out.
 *
 * While one batch is written the next is read and prepared.
 */
export class Consumer {
  private readonly arrivals = new Arrivals();
  private readonly checkpoint: Checkpoint;
  /** Where the stored checkpoint is, as long as the shard is ours. */
  private believed: Position = BEGINNING;
  /** Up to here events have been given to the sink; ahead of `believed` while a batch is being written. */
  private prepared: Position = BEGINNING;
  /** Up to here events are applied one by one, because the database refused them together. */
  private carefulThrough: Position = BEGINNING;
  /** An event at which this release gave way to a newer one. */
  private gaveWayAt: Position | null = null;
  private skipped: ReadonlySet<Position> = new Set();
  private checkpointAt = 0;
  /** Whether a batch is being taken; the checkpoint is then its business. */
  private taking = false;
  /** The write that is on its way. Never rejects: what went wrong is in `failure`. */
  private writing: Promise<void> = Promise.resolve();
  private renewing = false;
  private failure: { by: unknown } | null = null;
  private idle: NodeJS.Timeout | null = null;
  /** It goes no further than these: the one was said here, the other in the database. */
  private hold: Position | null = null;
  private heldAt: Position | null = null;
  private stopping = false;
  /** Another process is to have the shard. */
  private giving = false;
  private running: Promise<void> | null = null;
  /** Failures of the database in a row. */
  private failures = 0;
  /** Cuts a rest short. */
  private wake: () => void = () => {};
  /** Ends the running subscription. */
  private leave: (reason: unknown) => void = () => {};
  private shown: Pick<ConsumerStatus, 'state' | 'error' | 'poisonPosition'> = STARTING;
  private folded = 0;

  constructor(private readonly options: ConsumerOptions) {
    this.checkpoint = new Checkpoint(options.database, options.id, `${options.holder ?? 'alone'}/${randomUUID()}`);
  }

  start(): void {
    this.running ??= this.run();
  }

  /** Resolves when the running batch is written and the shard is free for others. */
  async stop(): Promise<void> {
    this.stopping = true;
    if (this.idle) clearTimeout(this.idle);
    this.wake();
    this.leave(new StartOver());
    await this.running;
    if (this.shown.state !== 'gone') this.shown = { ...this.shown, state: 'ended' };
    this.arrivals.end();
  }

  /** Resolves when it has ended: by `stop`, or because its shard is gone. */
  async ended(): Promise<void> {
    await this.running;
  }

  /** Up to here everything wanted has been applied, by whoever; ahead of the checkpoint where nothing was wanted. */
  position(): Position {
    return this.arrivals.position;
  }

  /** Goes up to a position and no further until told otherwise, so that its rows can be compared there. */
  holdAt(position: Position | null): void {
    this.hold = position;
    this.wake();
  }

  /** Lets another process have the shard, once the running batch is written. It may take it again where nobody does. */
  give(): void {
    if (this.shown.state !== 'running') return;
    this.giving = true;
    this.wake();
    this.leave(new StartOver());
  }

  /** Waits at most that long until it knows where it stands. */
  async begun(timeoutMs: number): Promise<void> {
    for (const until = performance.now() + timeoutMs; this.shown.state === 'starting' && performance.now() < until;)
      await pause(BEGUN_POLL_MS);
  }

  /** Whether everything up to a position has been applied, waiting for it at most that long. */
  waitFor(position: Position, timeoutMs: number): Promise<boolean> {
    const arrival = this.arrivals.waitFor(position, timeoutMs);
    if (this.shown.state === 'standby') this.wake();
    return arrival;
  }

  status(): ConsumerStatus {
    return { position: this.position(), folded: this.folded, ...this.shown };
  }

  /** Tries the event that stopped it once more, for whoever owns it next. False where none did. */
  async resume(): Promise<boolean> {
    const resumed = await this.checkpoint.resume();
    this.wake();
    return resumed;
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      try {
        const stored = await this.checkpoint.read();
        if (!stored) {
          this.shown = { state: 'gone', error: null, poisonPosition: null };
          this.arrivals.end();
          return;
        }
        const claimed = this.mayClaim(stored) ? await this.checkpoint.claim() : null;
        if (claimed) await this.own(claimed);
        else await this.standBy(stored);
      } catch (error) {
        this.shown = { state: 'waiting', error: kindOf(error), poisonPosition: null };
        await this.rest(BACK_OFF_MS[Math.min(this.failures++, BACK_OFF_MS.length - 1)]!);
      }
    }
  }

  /** One that gave way to a newer release waits until that is past the event, or an operator says that it should try. */
  private mayClaim({ status, position, is_free, is_unowned }: StoredCheckpoint): boolean {
    if (status === 'stopped' || !is_free) return false;
    if (this.gaveWayAt === null || position >= this.gaveWayAt) return true;
    return status === 'running' && is_unowned;
  }

  private async standBy({ position, status, error, poison_position: at, is_free }: StoredCheckpoint): Promise<void> {
    if (position < this.believed) this.arrivals.fallBack(position);
    this.believed = position;
    this.arrivals.advance(position);
    this.failures = 0;
    if (status !== 'running') this.shown = { state: status, error, poisonPosition: at };
    else if (is_free && this.gaveWayAt !== null && position < this.gaveWayAt)
      this.shown = { state: 'awaiting', error: null, poisonPosition: this.gaveWayAt };
    else this.shown = { state: 'standby', error: null, poisonPosition: null };
    const isAwaited = status === 'running' && this.arrivals.isAwaited;
    await this.rest(isAwaited ? AWAITED_POLL_MS : status === 'stopped' ? STOPPED_POLL_MS : STANDBY_POLL_MS);
  }

  /** Follows the log as the owner of the shard until something ends that; rejects where the database did. */
  private async own({ position, held_at, skipped }: ClaimedCheckpoint): Promise<void> {
    this.options.sink.reset();
    this.failure = null;
    this.giving = false;
    this.believed = this.prepared = position;
    this.heldAt = held_at;
    this.skipped = skipped;
    this.arrivals.fallBack(position);
    this.arrivals.advance(position);
    this.shown = { state: 'running', error: null, poisonPosition: null };
    const renewal = setInterval(() => void this.renew(), RENEW_EVERY_MS).unref();
    try {
      const reason = await this.follow();
      if (reason instanceof Poison) await this.halt(reason);
      else if (!(reason instanceof StartOver)) throw reason;
    } finally {
      clearInterval(renewal);
      await this.writing;
      if (this.stopping || this.giving) await this.leaveTo(this.failure === null ? this.position() : this.believed);
    }
  }

  /** Hands batches to the sink; answers why it came to an end. */
  private async follow(): Promise<unknown> {
    const { log, id, streams, group, batchSize = 2000 } = this.options;
    const left = new Promise<unknown>((resolve) => (this.leave = resolve));
    if (this.stopping || this.giving) return new StartOver();
    const subscription = log.subscribe({
      after: this.believed,
      prefixes: streams,
      batchSize,
      ...(id.shards > 1 && { shard: { index: id.shard, of: id.shards, ...(group && { group }) } }),
      onBatch: (events, through) => this.take(events, through),
      failed: (reason) => this.leave(reason),
    });
    const reason = await left;
    this.wake();
    await subscription.stop();
    return reason;
  }

  /** Where answers do not come it stops asking, so that the lease runs out. */
  private async renew(): Promise<void> {
    if (this.renewing) return;
    this.renewing = true;
    // What the database refuses or does not answer, the next write will say.
    if (!(await this.checkpoint.renew().catch(() => true))) this.fail(new StartOver());
    this.renewing = false;
  }

  private fail(by: unknown): void {
    this.failure ??= { by };
    this.leave(by);
  }

  private async take(batch: RecordedEvent[], through: Position): Promise<void> {
    this.taking = true;
    try {
      await this.taken(batch, through);
    } finally {
      this.taking = false;
    }
  }

  private async taken(batch: readonly RecordedEvent[], through: Position): Promise<void> {
    for (;;) {
      if (this.failure) throw this.failure.by;
      if (this.stopping || this.giving) throw new StartOver();
      const end = [this.hold, this.heldAt].reduce<Position>(
        (to, held) => (held !== null && held < to ? held : to),
        through,
      );
      const from = this.prepared;
      if (end > from) {
        const events = batch.filter(({ position }) => position > from && position <= end);
        const wanted = this.skipped.size === 0 ? events : events.filter(({ position }) => !this.skipped.has(position));
        if (from < this.carefulThrough) await this.applyOneByOne(wanted, end);
        else await this.apply(wanted, end);
      }
      if (end === through) return;
      await this.settled();
      if (this.prepared > this.believed) this.writing = this.write(null, this.prepared);
      await this.rest(this.heldAt === null ? HELD_POLL_MS : LEVEL_POLL_MS);
      // Whether it is held still stands in the database.
      if (this.heldAt !== null) throw new StartOver();
    }
  }

  /** Prepares a batch, then begins to write it; does not wait for that. */
  private async apply(events: readonly RecordedEvent[], end: Position): Promise<void> {
    const { sink } = this.options;
    let effect: Effect;
    try {
      effect = await sink.prepare(events);
    } catch (error) {
      await this.settled();
      if (error instanceof UnwritableBatch) this.tryCarefully(end);
      if (error instanceof Poison) await this.applyBefore(error.position, events);
      throw error;
    }
    this.prepared = end;
    await this.settled();
    if (effect.isEmpty && Date.now() - this.checkpointAt <= this.idleCheckpointMs) {
      this.folded += effect.events;
      this.failures = 0;
      this.arrivals.advance(end);
      this.checkpointLater();
      return;
    }
    this.writing = this.write(effect.isEmpty ? null : effect, end);
  }

  /** What stands before an event that cannot be applied is applied all the same. */
  private async applyBefore(poison: Position, events: readonly RecordedEvent[]): Promise<void> {
    const before = events.filter(({ position }) => position < poison);
    if (before.length === 0) return;
    this.prepared = before.at(-1)!.position;
    this.writing = this.write(await this.options.sink.prepare(before), this.prepared);
    await this.settled();
  }

  /** Finds the event that the database (or the sink) refuses: one event a transaction until it comes. */
  private async applyOneByOne(events: readonly RecordedEvent[], end: Position): Promise<void> {
    await this.settled();
    for (const event of events) {
      try {
        const effect = await this.options.sink.prepare([event]);
        this.prepared = event.position;
        if (!(await effect.write(this.checkpoint.move(this.believed, event.position)))) throw new StartOver();
        await this.written(effect, event.position);
      } catch (error) {
        if (error instanceof UnwritableBatch) throw new Poison(event.position, { cause: error.cause });
        throw isAboutTheData(error) ? new Poison(event.position, { cause: error }) : error;
      }
    }
    this.prepared = end;
    this.arrivals.advance(end);
    this.checkpointLater();
  }

  /** Writes an effect, or the checkpoint alone. What goes wrong ends the subscription. */
  private async write(effect: Effect | null, end: Position): Promise<void> {
    try {
      const move = this.checkpoint.move(this.believed, end);
      const moved = effect ? await effect.write(move) : await this.checkpoint.moved(this.believed, end);
      if (!moved) throw new StartOver();
      await this.written(effect, end);
    } catch (error) {
      if (isAboutTheData(error)) this.carefulThrough = end;
      this.fail(isAboutTheData(error) ? new StartOver() : error);
    }
  }

  private async written(effect: Effect | null, end: Position): Promise<void> {
    this.believed = end;
    this.checkpointAt = Date.now();
    this.failures = 0;
    if (effect) {
      this.folded += effect.events;
      // A cache that cannot be raised costs time, never the projection.
      await Promise.resolve(effect.written?.(end)).catch(() => undefined);
    }
    this.arrivals.advance(end);
  }

  /** Waits for the write that is on its way; throws what went wrong with it. */
  private async settled(): Promise<void> {
    for (let last: Promise<void> | null = null; last !== this.writing;) await (last = this.writing);
    if (this.failure) throw this.failure.by;
  }

  private tryCarefully(through: Position): never {
    this.carefulThrough = through;
    throw new StartOver();
  }

  private get idleCheckpointMs(): number {
    return this.options.id.shards > 1 ? IDLE_SHARD_CHECKPOINT_MS : IDLE_CHECKPOINT_MS;
  }

  /** Others tell by the checkpoint how far we are: in quiet times it follows after a moment. */
  private checkpointLater(): void {
    this.idle ??= setTimeout(() => {
      this.idle = null;
      if (this.taking || this.stopping || this.giving || this.shown.state !== 'running') return;
      this.writing = this.writing.then(async () => {
        if (this.failure === null && this.position() > this.believed) await this.write(null, this.position());
      });
    }, this.idleCheckpointMs).unref();
  }

  private async halt({ cause, position }: Poison): Promise<void> {
    const isUnknown = cause instanceof UnknownEvent;
    await this.checkpoint.halt(isUnknown ? 'awaiting' : 'stopped', kindOf(cause), position, this.believed);
    if (isUnknown) this.gaveWayAt = position;
  }

  /** Nobody has to read again what came to nothing, nor to wait for the lease to run out. */
  private async leaveTo(end: Position): Promise<void> {
    if (end > this.believed) await this.checkpoint.moved(this.believed, end).catch(() => undefined);
    await this.checkpoint.release().catch(() => undefined);
  }

  private async rest(ms: number): Promise<void> {
    if (this.stopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => (clearTimeout(timer), resolve());
    });
  }
}

const STARTING = { state: 'starting', error: null, poisonPosition: null } as const;
