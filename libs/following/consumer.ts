import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { BEGINNING, type Position } from '../kernel/index.js';
import type { Database } from '../engines/database/database.js';
import { Arrivals } from './arrivals.js';
import { Checkpoint, type ClaimedCheckpoint, type StoredCheckpoint } from './checkpoint.js';
import { Commits } from './commits.js';
import { kindOf } from './failure-kinds.js';
import { OwnedShard, type ShardWork } from './shards/owned-shard.js';
import { Rest } from './rest.js';

/** How often a stopped shard looks whether an operator resumed it. */
const STOPPED_POLL_MS = 1000;
/** How often a standby looks whether the shard is free; it looks more often while a caller waits for its position. */
const STANDBY_POLL_MS = 250;
const AWAITED_POLL_MS = 10;
const BEGUN_POLL_MS = 2;
const BACK_OFF_MS = [50, 100, 250, 500, 1000, 2000] as const;

export interface ConsumerOptions extends Omit<ShardWork, 'commits'> {
  database: Database;
  /** Default: its effects are written apart from those of other consumers. */
  commits?: ShardWork['commits'];
  /** How this process is called where several share the shards; no slash. */
  holder?: string;
}

export interface ConsumerStatus {
  /**
   * `standby`: another process owns it. `awaiting`: it met an event that its release does not know, and no newer release
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

/**
 * Follows the log for one shard of one generation and hands what it reads to a sink. It takes the shard for itself by a
 * lease in the checkpoint's row. A process that does not own it reads nothing, and takes over when the lease has run out.
 * Each effect is written in one transaction with the checkpoint, which only counts for the owner and from the position
 * that it believes in. So rivals, kills, frozen processes and lost answers apply no event twice and leave none out.
 *
 * Here stands who owns the shard and when; what the owner does stands in OwnedShard.
 */
export class Consumer {
  private readonly arrivals = new Arrivals();
  private readonly checkpoint: Checkpoint;
  private readonly work: ShardWork;
  private readonly pause = new Rest();
  private owned: OwnedShard | null = null;
  /** The checkpoint as it was last seen. */
  private seen: Position = BEGINNING;
  /** Up to here events are applied one by one, because the database refused them together. */
  private carefulThrough: Position = BEGINNING;
  /** An event at which this release gave way to a newer one. */
  private gaveWayAt: Position | null = null;
  private hold: Position | null = null;
  private stopping = false;
  private running: Promise<void> | null = null;
  /** Failures of the database in a row. */
  private failures = 0;
  private shown: Pick<ConsumerStatus, 'state' | 'error' | 'poisonPosition'> = STARTING;
  /** Events that counted before the shard was owned as it is now. */
  private folded = 0;

  constructor(private readonly options: ConsumerOptions) {
    this.work = { ...options, commits: options.commits ?? new Commits(options.database) };
    this.checkpoint = new Checkpoint(options.database, options.id, `${options.holder ?? 'alone'}/${randomUUID()}`);
  }

  start(): void {
    this.running ??= this.run();
  }

  /** Resolves when the running batch is written and the shard is free for others. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.pause.end();
    this.owned?.end();
    await this.running;
    if (this.shown.state !== 'gone') this.shown = { ...this.shown, state: 'ended' };
    this.arrivals.end();
  }

  /** Resolves when it has ended: by `stop`, or because its shard is gone. */
  async ended(): Promise<void> {
    await this.running;
  }

  /** Up to here everything wanted has been applied, by any process; ahead of the checkpoint where nothing was wanted. */
  position(): Position {
    return this.arrivals.position;
  }

  /** Goes up to a position and no further, until called with another one or null, so that its rows can be compared there. */
  holdAt(position: Position | null): void {
    this.hold = position;
    this.owned?.holdAt(position);
  }

  /** Gives the shard to another process, once the running batch is written. Takes it again where no other process does. */
  give(): void {
    this.owned?.end();
  }

  /** Waits at most that long until it knows where it stands. */
  async begun(timeoutMs: number): Promise<void> {
    for (const until = performance.now() + timeoutMs; this.shown.state === 'starting' && performance.now() < until;)
      await pause(BEGUN_POLL_MS);
  }

  /** Whether everything up to a position has been applied, waiting for it at most that long. */
  waitFor(position: Position, timeoutMs: number): Promise<boolean> {
    const arrival = this.arrivals.waitFor(position, timeoutMs);
    if (timeoutMs <= 0) return arrival;
    if (this.position() < position) this.options.log.hurry?.();
    if (this.shown.state === 'standby') this.pause.wake();
    return arrival;
  }

  status(): ConsumerStatus {
    return { position: this.position(), folded: this.folded + (this.owned?.folded ?? 0), ...this.shown };
  }

  /** Lets the next owner try the event that stopped it once more. False where none did. */
  async resume(): Promise<boolean> {
    const resumed = await this.checkpoint.resume();
    this.pause.wake();
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
        await this.pause.take(BACK_OFF_MS[Math.min(this.failures++, BACK_OFF_MS.length - 1)]!);
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
    if (position < this.seen) this.arrivals.fallBack(position);
    this.seen = position;
    this.arrivals.advance(position);
    this.failures = 0;
    if (status !== 'running') this.shown = { state: status, error, poisonPosition: at };
    else if (is_free && this.gaveWayAt !== null && position < this.gaveWayAt)
      this.shown = { state: 'awaiting', error: null, poisonPosition: this.gaveWayAt };
    else this.shown = { state: 'standby', error: null, poisonPosition: null };
    const isAwaited = status === 'running' && this.arrivals.isAwaited;
    await this.pause.take(isAwaited ? AWAITED_POLL_MS : status === 'stopped' ? STOPPED_POLL_MS : STANDBY_POLL_MS);
  }

  /** Follows the log as the owner of the shard until something ends that; rejects where the database did. */
  private async own(claimed: ClaimedCheckpoint): Promise<void> {
    this.options.sink.reset();
    this.arrivals.fallBack(claimed.position);
    this.arrivals.advance(claimed.position);
    const { work, checkpoint, arrivals, hold, carefulThrough } = this;
    const owned = new OwnedShard(work, checkpoint, arrivals, claimed, hold, carefulThrough);
    this.owned = owned;
    this.shown = { state: 'running', error: null, poisonPosition: null };
    if (this.stopping) owned.end();
    try {
      this.gaveWayAt = (await owned.follow()) ?? this.gaveWayAt;
    } finally {
      this.owned = null;
      this.seen = owned.believed;
      this.folded += owned.folded;
      this.carefulThrough = owned.carefulThrough;
      if (owned.hasMoved) this.failures = 0;
    }
  }
}

const STARTING = { state: 'starting', error: null, poisonPosition: null } as const;
