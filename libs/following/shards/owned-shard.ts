import type { Position } from '../../kernel/index.js';
import type { Arrivals } from '../arrivals.js';
import type { Checkpoint, ClaimedCheckpoint, ShardId } from '../checkpoint.js';
import type { Commits } from '../commits.js';
import { UnknownEvent } from '../../streams/codec.js';
import { isAboutTheData, kindOf } from '../failure-kinds.js';
import { RENEW_EVERY_MS } from './leases.js';
import type { EventLog, RecordedEvent } from '../../log/port.js';
import { shardOfStream } from './stream-shard.js';
import { Rest } from '../rest.js';
import { Poison, UnwritableBatch, type Effect, type Sink } from '../sinks/sink.js';

/** Progress without any effect reaches the checkpoint this often: it costs a write and gains only a shorter catch-up. */
const IDLE_CHECKPOINT_MS = 1000;
/** The same where there are shards: the position of all is that of the slowest, and most of what is read moves one only. */
const IDLE_SHARD_CHECKPOINT_MS = 50;
/** How often a held shard looks whether it may go on, in ms. `holdAt` wakes it at once. */
const HELD_POLL_MS = 1000;
/** One that is held until all shards are level looks this often. */
const LEVEL_POLL_MS = 20;

/** What is done for one shard of one generation. */
export interface ShardWork {
  log: EventLog;
  /** The shard must exist (see GenerationTables). */
  id: ShardId;
  /** Prefixes of the streams that are read. */
  streams: readonly string[];
  sink: Sink;
  /** By what its effects are written, together with those of other consumers of this process. */
  commits: Pick<Commits, 'submit'>;
  /** Also what operators left out: for a sink that keeps that an event is there, and reads nothing of it. */
  takesLeftOut?: true;
  /** Most events of one batch, which is one transaction. Default 2000: measured, more gains little and holds more memory. */
  batchSize?: number;
}

/** Ends a subscription so that everything starts again from the stored checkpoint. */
class StartOver extends Error {}
/** Ends a subscription until the shard may go further: those that read the log with it do not wait for it. */
class Held extends Error {}

/**
 * A shard for as long as one consumer owns it: the subscription from the claimed checkpoint on, the batches, and the
 * writing of what they come to. While one batch is written the next is read and prepared.
 */
export class OwnedShard {
  /** Events that counted. */
  folded = 0;
  /** Whether the checkpoint or a position was reached by it. */
  hasMoved = false;
  /** Where the stored checkpoint is, as far as we know. */
  believed: Position;
  /** Up to here events have been given to the sink; ahead of `believed` while a batch is being written. */
  private prepared: Position;
  private heldAt: Position | null;
  private readonly skipped: ReadonlySet<Position>;
  private checkpointAt = 0;
  /** Whether a batch is being taken; the checkpoint is then its business. */
  private taking = false;
  /** The write that is on its way. Never rejects: what went wrong is in `failure`. */
  private writing: Promise<void> = Promise.resolve();
  private failure: { by: unknown } | null = null;
  private idle: NodeJS.Timeout | null = null;
  private leaving = false;
  private readonly pause = new Rest();
  /** Ends the running subscription. */
  private leave: (reason: unknown) => void = () => {};

  /**
   * @param hold it goes no further than this until `holdAt` moves it
   * @param carefulThrough up to here events are applied one by one, because the database refused them together
   */
  constructor(
    private readonly work: ShardWork,
    private readonly checkpoint: Checkpoint,
    private readonly arrivals: Arrivals,
    { position, held_at, skipped }: ClaimedCheckpoint,
    private hold: Position | null,
    public carefulThrough: Position,
  ) {
    this.believed = this.prepared = position;
    this.heldAt = held_at;
    this.skipped = work.takesLeftOut ? new Set() : skipped;
  }

  /**
   * Follows the log until something ends that; rejects where the log or the database did. Answers the event that this
   * release does not know, if it gave way to a newer one.
   */
  async follow(): Promise<Position | null> {
    const endLease = this.checkpoint.keep(() => this.fail(new StartOver()));
    try {
      let reason = await this.subscribed();
      for (; reason instanceof Held; reason = await this.subscribed()) await this.untilReleased();
      if (reason instanceof Poison) return await this.halt(reason);
      if (!(reason instanceof StartOver)) throw reason;
      return null;
    } finally {
      endLease();
      if (this.idle) clearTimeout(this.idle);
      await this.writing;
      if (this.leaving) await this.leaveTo(this.failure === null ? this.arrivals.position : this.believed);
    }
  }

  /** Frees the shard for another process, once the running batch is written. */
  end(): void {
    this.leaving = true;
    this.pause.end();
    this.leave(new StartOver());
  }

  holdAt(position: Position | null): void {
    this.hold = position;
    this.pause.wake();
  }

  /** Hands batches to the sink; answers why it came to an end. */
  private async subscribed(): Promise<unknown> {
    const { log, streams, batchSize = 2000 } = this.work;
    const left = new Promise<unknown>((resolve) => (this.leave = resolve));
    if (this.failure) return this.failure.by;
    if (this.leaving) return new StartOver();
    const subscription = log.subscribe({
      after: this.prepared,
      prefixes: streams,
      batchSize,
      onBatch: (events, through) => this.take(events, through),
      failed: (reason) => this.leave(reason),
    });
    const reason = await left;
    await subscription.stop();
    return reason;
  }

  private async untilReleased(): Promise<void> {
    if (this.heldAt !== null) {
      await this.pause.take(LEVEL_POLL_MS);
      // Whether it is held still stands in the database.
      this.fail(new StartOver());
    }
    while (this.hold !== null && this.hold <= this.prepared && this.failure === null && !this.leaving)
      await this.pause.take(HELD_POLL_MS);
  }

  private fail(by: unknown): void {
    this.failure ??= { by };
    this.pause.wake();
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
    if (this.failure) throw this.failure.by;
    if (this.leaving) throw new StartOver();
    const held = [this.hold, this.heldAt].filter((position) => position !== null);
    const end = held.reduce((to, position) => (position < to ? position : to), through);
    if (end > this.prepared) {
      const wanted = this.wanted(batch, end);
      if (this.prepared < this.carefulThrough) await this.applyOneByOne(wanted, end);
      else await this.apply(wanted, end);
    }
    if (end === through) return;
    await this.settled();
    if (this.prepared > this.believed) this.writing = this.write(null, this.prepared);
    throw new Held();
  }

  /** What of a page belongs to the shard, was not given to the sink yet, and was not left out by an operator. */
  private wanted(batch: readonly RecordedEvent[], end: Position): RecordedEvent[] {
    const { shard, shards } = this.work.id;
    const from = this.prepared;
    return batch.filter(
      ({ position, stream }) =>
        position > from &&
        position <= end &&
        (shards === 1 || shardOfStream(stream, shards) === shard) &&
        !this.skipped.has(position),
    );
  }

  /** Prepares a batch, then begins to write it; does not wait for that. */
  private async apply(events: readonly RecordedEvent[], end: Position): Promise<void> {
    const { sink } = this.work;
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
      this.hasMoved = true;
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
    this.writing = this.write(await this.work.sink.prepare(before), this.prepared);
    await this.settled();
  }

  /** Finds the event that the database (or the sink) refuses: one event a transaction until it comes. */
  private async applyOneByOne(events: readonly RecordedEvent[], end: Position): Promise<void> {
    await this.settled();
    for (const event of events) {
      try {
        const effect = await this.work.sink.prepare([event]);
        this.prepared = event.position;
        if (!(await this.committed(effect, event.position))) throw new StartOver();
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
    const begunAt = performance.now();
    try {
      if (!(await this.committed(effect, end))) throw new StartOver();
      if (performance.now() - begunAt > RENEW_EVERY_MS) void this.checkpoint.renew();
      await this.written(effect, end);
    } catch (error) {
      if (isAboutTheData(error)) this.carefulThrough = end;
      this.fail(isAboutTheData(error) ? new StartOver() : error);
    }
  }

  /** False where the checkpoint may not be moved from where we believe it to be. */
  private committed(effect: Effect | null, end: Position): Promise<boolean> {
    return this.work.commits.submit({ move: this.checkpoint.move(this.believed, end), effect });
  }

  private async written(effect: Effect | null, end: Position): Promise<void> {
    this.believed = end;
    this.checkpointAt = Date.now();
    this.hasMoved = true;
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
    return this.work.id.shards > 1 ? IDLE_SHARD_CHECKPOINT_MS : IDLE_CHECKPOINT_MS;
  }

  /** Others tell by the checkpoint how far we are: in quiet times it follows after a moment. */
  private checkpointLater(): void {
    this.idle ??= setTimeout(() => {
      this.idle = null;
      if (this.taking || this.leaving) return;
      this.writing = this.writing.then(async () => {
        if (this.failure === null && this.arrivals.position > this.believed)
          await this.write(null, this.arrivals.position);
      });
    }, this.idleCheckpointMs).unref();
  }

  /** Says in the database that an event halted the shard. Answers its position where this release does not know it. */
  private async halt({ cause, position }: Poison): Promise<Position | null> {
    const isUnknown = cause instanceof UnknownEvent;
    await this.checkpoint.halt(isUnknown ? 'awaiting' : 'stopped', kindOf(cause), position, this.believed);
    return isUnknown ? position : null;
  }

  /** Stores how far it read without finding anything and frees the shard: the next owner need not read that again or wait for the lease. */
  private async leaveTo(end: Position): Promise<void> {
    if (end > this.believed) await this.committed(null, end).catch(() => undefined);
    await this.checkpoint.release().catch(() => undefined);
  }
}
