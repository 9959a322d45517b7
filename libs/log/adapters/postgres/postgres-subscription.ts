import type { Position } from '../../../kernel/index.js';
import type { SubscribeOptions, Subscription } from '../../port.js';
import type { Page } from './postgres-pages.js';

/**
 * While others write, the log is looked at no more often than this; the first event after a pause is read at once. A
 * look and what read models then write cost nearly as much for one event as for ten: with a look for each, a decision
 * took a third more processor time at a hundred decisions a second.
 */
const LOOK_EVERY_MS = 25;
/** The same while a caller waits for its own write. */
const HURRIED_LOOK_EVERY_MS = 5;
/**
 * How often the log is looked at without a notification. Where one was lost, the next question after the head of the log
 * says so earlier (see PostgresEventLog.head): the followers of a process ask it once a second.
 */
const SAFETY_POLL_MS = 10_000;
const BACK_OFF_MS = [50, 100, 250, 500, 1000, 2000] as const;

/** Reads pages by position; notifications only say when to look. */
export class PostgresSubscription implements Subscription {
  private stopping = false;
  private woken = false;
  /** Whether a caller waits since the last look. */
  private hurried = false;
  private wakeUp: () => void = () => {};
  private readonly ended: Promise<void>;
  private after: Position;

  constructor(
    private readonly options: SubscribeOptions,
    private readonly pageAfter: (after: Position) => Promise<Page>,
    unregister: () => void,
  ) {
    this.after = options.after;
    this.ended = this.run().finally(unregister);
  }

  wake(): void {
    this.woken = true;
    this.wakeUp();
  }

  /** Looks soon, if there is news. */
  hurry(): void {
    this.hurried = true;
    this.wakeUp();
  }

  /** The log goes at least up to here: where this is further than what was read, no notification came of it. */
  reaches(head: Position): void {
    if (head > this.after) this.wake();
  }

  stop(): Promise<void> {
    this.stopping = true;
    this.wakeUp();
    return this.ended;
  }

  private async run(): Promise<void> {
    for (let failures = 0; !this.stopping;) {
      try {
        this.woken = false;
        const lookedAt = performance.now();
        const first = await this.pageAfter(this.after);
        failures = 0;
        if (!(await this.catchUp(first))) return;
        await this.rest(lookedAt);
        await this.pause(SAFETY_POLL_MS, () => this.woken);
      } catch {
        this.options.interrupted?.();
        // Whatever the database's trouble is, the next attempt starts at the last position that was delivered.
        await this.pause(BACK_OFF_MS[Math.min(failures++, BACK_OFF_MS.length - 1)]!);
      }
    }
  }

  /** Delivers everything up to the head; false once the handler rejected. The next page is read while one is handled. */
  private async catchUp(first: Page): Promise<boolean> {
    for (let next: Promise<Page> | null = Promise.resolve(first); next && !this.stopping;) {
      const { events, through, hasNext }: Page = await next;
      if (this.stopping) break;
      next = hasNext ? this.pageAfter(through) : null;
      // A page that fails while the handler runs is looked at afterwards.
      next?.catch(() => undefined);
      if (through === this.after) continue;
      try {
        await this.options.onBatch(events, through);
      } catch (error) {
        this.stopping = true;
        this.options.failed?.(error);
        return false;
      }
      this.after = through;
    }
    return true;
  }

  private async rest(lookedAt: number): Promise<void> {
    const left = (ms: number): number => lookedAt + ms - performance.now();
    await this.pause(left(LOOK_EVERY_MS), () => this.hurried);
    if (this.hurried) await this.pause(left(HURRIED_LOOK_EVERY_MS));
    this.hurried = false;
  }

  private async pause(ms: number, isOver: () => boolean = () => false): Promise<void> {
    const ends = (): boolean => this.stopping || isOver();
    if (ends() || ms <= 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wakeUp = () => {
        if (!ends()) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.wakeUp = () => {};
  }
}
