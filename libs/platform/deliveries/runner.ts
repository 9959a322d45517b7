import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import { waitMs, type Attempted, type Delivery, type DeliveryName, type Outcome } from './delivery.js';
import { DELIVERIES, DeliveryQueue, prune, type Claimed } from './queue.js';

/** Rejecting counts as a bug of the channel: the delivery is tried again by schedule. Must heed the signal. */
export type Deliver<E> = (delivery: Delivery, signal: AbortSignal) => Promise<Attempted<E>>;

export interface RunnerOptions<E> {
  /** A pool whose budget is that of background work. */
  database: Database;
  channel: string;
  deliver: Deliver<E>;
  /** Waits between attempts, in ms; there is one attempt more than waits. */
  scheduleMs: readonly number[];
  /**
   * Called with what became of each delivery, before its row is marked as finished: at least once, so it must do nothing
   * the second time. If this callback rejects, the runner calls it again later. The delivery itself is not repeated.
   */
  onFinished?: (delivery: DeliveryName, outcome: Outcome<E>) => Promise<void>;
  /** Counts; nothing that tells deliveries apart. */
  observed?: (outcome: 'delivered' | 'retry' | 'failed', seconds: number) => void;
  /** Called once when something begins to fail, not at each repetition. */
  warn?: (fault: string, error: unknown) => void;
  /** Also once an hour, after finished rows were pruned. */
  housekeeping?: () => Promise<unknown>;
  /** At once in this process. Default 4. */
  concurrency?: number;
  /** For one attempt. Default 30 s. */
  attemptMs?: number;
  /** How long a row stays ours without a word. Default: 30 s longer than an attempt. */
  leaseMs?: number;
  /** How long attempts that run may go on at a stop before they are aborted. Default 8 s. */
  graceMs?: number;
  /** 0 up to 1. */
  random?: () => number;
}

const POLL_MS = 1_000;
const HOUSEKEEPING_MS = 3_600_000;
const SAVE_AGAIN_MS = 500;

/**
 * Delivers what is enqueued in one channel, in any number of processes at once: a row belongs to one of them by a lease,
 * kept by the clock of the database. At least once, and twice only where a process or the database dies between the
 * receiver's "yes" and the note of it.
 */
export class DeliveryRunner<E> {
  private readonly queue: DeliveryQueue<E>;
  private readonly concurrency: number;
  private readonly attemptMs: number;
  private readonly leaseMs: number;
  private readonly random: () => number;
  private readonly running = new Set<Promise<void>>();
  /** One for each attempt under way. A lasting signal that each of them derives its own from would keep them all. */
  private readonly cutting = new Set<AbortController>();
  private stopListening: (() => void) | null = null;
  private timer: NodeJS.Timeout | null = null;
  private claiming: Promise<void> | null = null;
  private again = false;
  private stopped = false;
  private aborted = false;
  private failing = false;
  private tidyAt = performance.now();

  constructor(private readonly options: RunnerOptions<E>) {
    this.concurrency = options.concurrency ?? 4;
    this.attemptMs = options.attemptMs ?? 30_000;
    this.leaseMs = options.leaseMs ?? this.attemptMs + 30_000;
    this.random = options.random ?? Math.random;
    if (this.leaseMs <= this.attemptMs) throw new RangeError('a lease outlasts an attempt');
    this.queue = new DeliveryQueue(options.database, options.channel);
  }

  start(): void {
    this.stopListening = this.options.database.listen(
      DELIVERIES,
      (channel) => (channel === undefined || channel === this.options.channel) && this.look(),
    );
    this.timer = setInterval(() => this.look(), POLL_MS);
    this.timer.unref();
    this.look();
  }

  /** Takes nothing more; attempts under way may end, and are aborted and put back after the grace time. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.stopListening?.();
    if (this.timer) clearInterval(this.timer);
    await this.claiming;
    const ended = new AbortController();
    const grace = pause(this.options.graceMs ?? 8_000, undefined, { signal: ended.signal }).then(
      () => this.abort(),
      () => undefined,
    );
    await Promise.all(this.running);
    ended.abort();
    await grace;
  }

  private abort(): void {
    this.aborted = true;
    this.cutting.forEach((one) => one.abort());
  }

  private look(): void {
    if (this.stopped) return;
    this.again = true;
    this.claiming ??= this.claimAll();
  }

  private async claimAll(): Promise<void> {
    while (this.again && !this.stopped) {
      this.again = false;
      try {
        if (performance.now() >= this.tidyAt) await this.tidy();
        await this.claim();
        this.failing = false;
      } catch (error) {
        if (!this.failing) this.options.warn?.('deliveries wait: the database is not available', error);
        this.failing = true;
      }
    }
    // In the same step as the last look at `again`, so that nobody's wish falls in between.
    this.claiming = null;
  }

  private async claim(): Promise<void> {
    const free = this.concurrency - this.running.size;
    if (free <= 0) return;
    const lease = randomUUID();
    const leasedUntil = performance.now() + this.leaseMs;
    for (const claimed of await this.queue.claim(free, lease, this.leaseMs)) {
      const work: Promise<void> = this.carryOut(claimed, lease, leasedUntil)
        // Whatever it was, the lease runs out and somebody goes on.
        .catch((error: unknown) => this.options.warn?.('a delivery could not be noted', error))
        .finally(() => {
          this.running.delete(work);
          this.look();
        });
      this.running.add(work);
    }
  }

  private async tidy(): Promise<void> {
    this.tidyAt = performance.now() + HOUSEKEEPING_MS;
    await prune(this.options.database);
    await this.options.housekeeping?.();
  }

  private async carryOut(claimed: Claimed<E>, lease: string, leasedUntil: number): Promise<void> {
    const { id, attempt } = claimed;
    const { onFinished, scheduleMs } = this.options;
    let { outcome } = claimed;
    if (outcome === null) {
      const from = performance.now();
      const attempted = await this.attempt(claimed);
      // An attempt that our own stop cut short is nobody's fault: another process may take it at once.
      const wait =
        attempted.outcome !== 'retry'
          ? null
          : this.aborted
            ? 0
            : waitMs(scheduleMs, attempt, attempted.afterMs ?? 0, this.random);
      const decided: Outcome<E> =
        attempted.outcome === 'retry'
          ? { outcome: 'failed', reason: 'given_up', evidence: attempted.evidence, attempts: attempt }
          : { ...attempted, attempts: attempt };
      this.options.observed?.(wait === null ? decided.outcome : 'retry', (performance.now() - from) / 1000);
      if (attempted.outcome === 'retry' && wait !== null)
        return void (await this.saved(leasedUntil, () => this.queue.retry(id, lease, wait, attempted.reason)));
      outcome = decided;
      if (!(await this.saved(leasedUntil, () => this.queue.settle(id, lease, decided, !onFinished)))) return;
    }
    if (!onFinished) return;
    const { channel, endpoint, key, scope, subjectId } = claimed;
    try {
      await onFinished({ channel, endpoint, key, scope, subjectId }, outcome);
    } catch (error) {
      this.options.warn?.('the outcome of a delivery could not be reported', error);
      return this.queue.reportAgain(id, lease);
    }
    await this.saved(leasedUntil, () => this.queue.finish(id, lease));
  }

  private async attempt({ late, payload, ...delivery }: Claimed<E>): Promise<Attempted<E>> {
    if (late) return { outcome: 'failed', reason: 'too_late', evidence: null };
    const cutting = new AbortController();
    const timer = setTimeout(() => cutting.abort(), this.attemptMs);
    this.cutting.add(cutting);
    const cut = new Promise<Attempted<E>>((resolve) =>
      cutting.signal.addEventListener('abort', () =>
        resolve({ outcome: 'retry', reason: this.aborted ? 'stopped' : 'timed_out', evidence: null }),
      ),
    );
    const attempted = Promise.resolve()
      .then(() => this.options.deliver({ ...delivery, payload: payload! }, cutting.signal))
      .catch((error: unknown): Attempted<E> => {
        this.options.warn?.('a delivery failed unexpectedly', error);
        return { outcome: 'retry', reason: 'error', evidence: null };
      });
    try {
      return await Promise.race([attempted, cut]);
    } finally {
      clearTimeout(timer);
      this.cutting.delete(cutting);
    }
  }

  /** The note of an outcome is worth trying for as long as nobody else can have the row: without it all is done twice. */
  private async saved<T>(leasedUntil: number, save: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await save();
      } catch (error) {
        if (this.aborted || performance.now() + SAVE_AGAIN_MS > leasedUntil) throw error;
        await pause(SAVE_AGAIN_MS);
      }
    }
  }
}
