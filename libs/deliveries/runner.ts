import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../engines/database/database.js';
import { Attempts, type Deliver } from './attempts.js';
import { Claims, type Taken } from './claims.js';
import {
  waitMs,
  type Attempted,
  type DeliveryContent,
  type DeliveryName,
  type NotedAttempt,
  type Outcome,
} from './delivery.js';
import { Notes, type OnAttempts } from './notes.js';
import { DELIVERIES, prune } from './queue.js';
import { Turns, type LimitsOf } from './turns.js';

export type { Deliver } from './attempts.js';

export interface RunnerOptions<E> {
  /** A pool with the budget of background work. */
  database: Database;
  channel: string;
  deliver: Deliver<E>;
  /** Waits between attempts, in ms. There is one attempt more than there are waits. */
  scheduleMs: readonly number[];
  /**
   * Called with the outcome of each delivery before its row is finished: at least once, so the second call must do
   * nothing. If this callback rejects, the runner calls it again later. The delivery itself is not repeated.
   */
  onFinished?: (delivery: DeliveryName, outcome: Outcome<E>) => Promise<void>;
  /**
   * Called with finished attempts, in the transaction that stores their results. Not with attempts that a stop cut off.
   */
  onAttempts?: OnAttempts<E>;
  /** For metrics. Gets nothing that identifies a delivery. */
  observed?: (outcome: 'delivered' | 'retry' | 'failed', seconds: number) => void;
  /** Called when a fault begins, not each time it repeats. */
  warn?: (fault: string, error: unknown) => void;
  /** Called once an hour, after finished rows were pruned. */
  housekeeping?: () => Promise<unknown>;
  /** Attempts under way in this process. Default 4. */
  concurrency?: number;
  /** Attempts under way in this process to one endpoint. Default: `concurrency`. */
  limits?: LimitsOf;
  /**
   * Rows that this process may take for one endpoint before there is room to send them, while the endpoint takes
   * deliveries. As many may wait for their outcomes to be stored. Default 0.
   */
  ahead?: number;
  /** Called with deliveries that were taken together, before each is delivered: what they need can be read at once. */
  prepare?: (deliveries: readonly DeliveryContent[]) => Promise<unknown>;
  /** Time limit of one attempt. Default 30 s. */
  attemptMs?: number;
  /** How long this process holds a row that it took. Default: 30 s longer than an attempt. */
  leaseMs?: number;
  /** How long a stop waits for attempts under way before it aborts them. Default 8 s. */
  graceMs?: number;
  /** From 0 up to 1. */
  random?: () => number;
}

/** How often a channel is looked at that has open rows: their times come, and leases of other processes expire. */
const POLL_MS = 1_000;
/** A channel without one is looked at when a notification comes. A lost notification costs at most this. */
const EMPTY_POLL_MS = 10_000;
const HOUSEKEEPING_MS = 3_600_000;
const SAVE_AGAIN_MS = 500;

/**
 * Delivers what is enqueued in one channel. Any number of processes may run one: a lease, timed by the clock of the
 * database, gives each row to one of them. Delivers at least once, and twice only if a process or the database dies
 * between the receiver's "yes" and the note of it.
 */
export class DeliveryRunner<E> {
  private readonly claims: Claims<E>;
  private readonly turns: Turns<E>;
  private readonly notes: Notes<E>;
  private readonly attempts: Attempts<E>;
  private readonly random: () => number;
  private readonly running = new Set<Promise<void>>();
  private stopListening: (() => void) | null = null;
  private timer: NodeJS.Timeout | null = null;
  private claiming: Promise<void> | null = null;
  private again = false;
  private stopped = false;
  private failing = false;
  private tidyAt = performance.now();

  constructor(private readonly options: RunnerOptions<E>) {
    const { database, channel, deliver, onAttempts, limits, concurrency = 4, attemptMs = 30_000 } = options;
    const leaseMs = options.leaseMs ?? attemptMs + 30_000;
    if (leaseMs <= attemptMs) throw new RangeError('a lease outlasts an attempt');
    this.random = options.random ?? Math.random;
    this.claims = new Claims(database, channel);
    const { ahead = 0 } = options;
    this.turns = new Turns(
      this.claims,
      { concurrency, leaseMs, ahead, ...(limits && { limits }) },
      { taken: (taken) => this.prepare(taken), begins: (taken) => this.begin(taken) },
    );
    this.notes = new Notes(database, onAttempts);
    this.attempts = new Attempts(deliver, attemptMs, options.warn);
  }

  start(): void {
    this.stopListening = this.options.database.listen(
      DELIVERIES,
      (channel) => (channel === undefined || channel === this.options.channel) && this.look(),
    );
    this.look();
  }

  /** Takes no more rows. Waits for attempts under way; after the grace time it aborts them and puts their rows back. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.stopListening?.();
    await this.claiming;
    if (this.timer) clearTimeout(this.timer);
    await this.turns.stop().catch(() => undefined);
    const ended = new AbortController();
    const grace = pause(this.options.graceMs ?? 8_000, undefined, { signal: ended.signal }).then(
      () => this.attempts.abort(),
      () => undefined,
    );
    await Promise.all(this.running);
    ended.abort();
    await grace;
  }

  private look(): void {
    if (this.stopped) return;
    this.again = true;
    this.claiming ??= this.claimAll();
  }

  private async claimAll(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    let nextMs = POLL_MS;
    while (this.again && !this.stopped) {
      this.again = false;
      try {
        if (performance.now() >= this.tidyAt) await this.tidy();
        nextMs = (await this.turns.take()) ? POLL_MS : EMPTY_POLL_MS;
        this.failing = false;
      } catch (error) {
        nextMs = POLL_MS;
        if (!this.failing) this.options.warn?.('deliveries wait: the database is not available', error);
        this.failing = true;
      }
    }
    // In the same tick as the last check of `again`, so that no call of `look` is lost.
    this.claiming = null;
    if (!this.stopped) this.timer = setTimeout(() => this.look(), nextMs).unref();
  }

  private begin(taken: Taken<E>): void {
    let ended = false;
    const work: Promise<void> = this.carryOut(taken)
      .then((isOver) => void (ended = isOver))
      // Nothing else to do: the lease expires, and a process takes the row again.
      .catch((error: unknown) => this.options.warn?.('a delivery could not be noted', error))
      .finally(() => {
        this.running.delete(work);
        if (this.turns.release(taken, ended)) this.look();
      });
    this.running.add(work);
  }

  private prepare(taken: readonly Taken<E>[]): void {
    if (!this.options.prepare) return;
    const open = taken.filter(({ claimed: { outcome, late } }) => outcome === null && !late);
    // Each delivery reads for itself what could not be read here.
    const work: Promise<void> = this.options
      .prepare(open.map(({ claimed }) => claimed))
      .catch(() => undefined)
      .then(() => void this.running.delete(work));
    this.running.add(work);
  }

  private async tidy(): Promise<void> {
    this.tidyAt = performance.now() + HOUSEKEEPING_MS;
    await prune(this.options.database);
    await this.claims.releaseHeads();
    await this.options.housekeeping?.();
  }

  /** Returns whether the delivery is over. */
  private async carryOut(taken: Taken<E>): Promise<boolean> {
    const { claimed, lease, leasedUntil } = taken;
    const { onFinished } = this.options;
    let { outcome } = claimed;
    if (outcome === null) {
      outcome = await this.attempt(taken);
      if (outcome === null) return false;
    }
    if (!onFinished) return true;
    const { id, channel, endpoint, key, scope, subjectId } = claimed;
    try {
      await onFinished({ channel, endpoint, key, scope, subjectId }, outcome);
    } catch (error) {
      this.options.warn?.('the outcome of a delivery could not be reported', error);
      await this.notes.reportAgain(id, lease);
      return false;
    }
    await this.saved(leasedUntil, () => this.notes.finish(id, lease));
    return true;
  }

  /** Tries once, and stores the result. Null: the delivery goes on, in this or another process. */
  private async attempt(taken: Taken<E>): Promise<Outcome<E> | null> {
    const { claimed, lease, leasedUntil } = taken;
    const { onFinished, observed } = this.options;
    const { id, attempt } = claimed;
    const [at, from] = [new Date(), performance.now()];
    const attempted = await this.attempts.make(claimed);
    const durationMs = performance.now() - from;
    this.turns.answered(taken, attempted.outcome === 'delivered');
    // Our own stop cut this attempt short, not the receiver: another process may take the row at once.
    const wasCut = attempted.outcome === 'retry' && this.attempts.aborted;
    const wait = wasCut ? 0 : this.waitAfter(attempted, attempt);
    const outcome = wait === null ? outcomeOf(attempted, attempt) : null;
    observed?.(outcome?.outcome ?? 'retry', durationMs / 1000);
    const { channel, endpoint, key, scope, subjectId } = claimed;
    const noted: NotedAttempt<E> | null =
      wasCut || claimed.late
        ? null
        : { id, channel, endpoint, key, scope, subjectId, attempt, at, durationMs, attempted, waitMs: wait };
    const isOurs = await this.saved(leasedUntil, () =>
      this.notes.note({
        id,
        lease,
        attempt: noted,
        ...(outcome
          ? { outcome, isFinished: !onFinished }
          : { afterMs: wait!, reason: (attempted as { reason: string }).reason }),
      }),
    );
    return isOurs ? outcome : null;
  }

  private waitAfter(attempted: Attempted<E>, attempt: number): number | null {
    if (attempted.outcome !== 'retry') return null;
    return waitMs(this.options.scheduleMs, attempt, attempted.afterMs ?? 0, this.random);
  }

  /**
   * Repeats the note of an outcome while this process holds the row. Without the note, another one would deliver again.
   */
  private async saved<T>(leasedUntil: number, save: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await save();
      } catch (error) {
        if (this.attempts.aborted || performance.now() + SAVE_AGAIN_MS > leasedUntil) throw error;
        await pause(SAVE_AGAIN_MS);
      }
    }
  }
}

function outcomeOf<E>(attempted: Attempted<E>, attempts: number): Outcome<E> {
  switch (attempted.outcome) {
    case 'delivered':
      return { outcome: 'delivered', evidence: attempted.evidence, attempts };
    case 'failed':
      return { outcome: 'failed', reason: attempted.reason, evidence: attempted.evidence, attempts };
    case 'retry':
      return { outcome: 'failed', reason: 'given_up', evidence: attempted.evidence, attempts };
  }
}
