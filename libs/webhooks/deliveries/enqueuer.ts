import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../engines/database/database.js';
import { NEWS, newsIn } from '../news.js';
import type { WebhookEvents } from '../webhook-events.js';
import { enqueueAgain, enqueueNew, scopesNotified, type EnqueuedFor } from './enqueue.js';

/** How often it looks while something is left over: a full queue, a database that was away. */
const POLL_MS = 1_000;
/** How often it looks while nothing is. News wake it; news that were lost cost at most this. */
const QUIET_POLL_MS = 10_000;
/** Events that come one after the other are taken together. */
const ROUNDS_APART_MS = 20;
/** How soon a queue that was full is looked at again: while its receiver takes what is ready, and while it does not. */
const ROOM_AGAIN_MS = 250;
const FULL_AGAIN_MS = 5_000;
/** How soon an endpoint is looked at again whose row another process had locked. */
const LOCKED_AGAIN_MS = 30;

export interface EnqueuerOptions {
  database: Database;
  events: WebhookEvents;
  /** Called once when something begins to fail, not at each repetition. */
  warn?: (fault: string, error: unknown) => void;
}

/**
 * Keeps the queue of each endpoint filled, in any number of processes at once. News of sites and environments without an
 * endpoint are ignored: most installations have hundreds of events a second and endpoints for few of them.
 */
export class WebhookEnqueuer {
  private readonly resting = new Map<string, number>();
  /** Sites and environments with endpoints that receive anything, as of the last look at the endpoints. */
  private notified: ReadonlySet<string> = new Set();
  private notifiedAt = -Infinity;
  /** Whether endpoints have changed since that look. */
  private isOutdated = true;
  private stopListening: (() => void) | null = null;
  private working: Promise<void> = Promise.resolve();
  private wake: () => void = () => undefined;
  private isStopped = false;
  private isFailing = false;
  private isWoken = false;

  constructor(private readonly options: EnqueuerOptions) {}

  start(): void {
    this.stopListening = this.options.database.listen(NEWS, (text) => this.hear(text));
    this.working = this.work();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.stopListening?.();
    this.look();
    await this.working;
  }

  /** `text` undefined: news may have been missed. */
  private hear(text: string | undefined): void {
    const news = text === undefined ? null : newsIn(text);
    if (news === null || news.endpoints) this.isOutdated = true;
    if (this.isOutdated || (news && this.notified.has(news.scope))) this.look();
  }

  private look(): void {
    this.isWoken = true;
    this.wake();
  }

  private async work(): Promise<void> {
    while (!this.isStopped) {
      this.isWoken = false;
      const againMs = await this.round();
      await this.rest(againMs);
    }
  }

  /** Answers how soon there may be more to do, in ms. */
  private async round(): Promise<number> {
    const now = performance.now();
    for (const [endpoint, until] of this.resting) if (until <= now) this.resting.delete(endpoint);
    const except = [...this.resting.keys()];
    const { database, events } = this.options;
    try {
      if (!(await this.isAnyScopeNotified(now))) return QUIET_POLL_MS;
      const done = [...(await enqueueNew(database, events, except)), ...(await enqueueAgain(database, events, except))];
      this.isFailing = false;
      for (const { endpoint, isFull } of done) if (isFull) this.resting.set(endpoint, now + FULL_AGAIN_MS);
      return Math.min(this.resting.size > 0 ? POLL_MS : QUIET_POLL_MS, ...done.map(againAfterMs));
    } catch (error) {
      if (!this.isFailing) this.options.warn?.('webhook events wait: the database or the log is not available', error);
      this.isFailing = true;
      return POLL_MS;
    }
  }

  private async isAnyScopeNotified(now: number): Promise<boolean> {
    // A process that missed the news of an endpoint finds it by this look.
    if (this.isOutdated || now - this.notifiedAt >= QUIET_POLL_MS) {
      this.isOutdated = false;
      this.notified = await scopesNotified(this.options.database);
      this.notifiedAt = now;
    }
    return this.notified.size > 0;
  }

  /** Ends early when a notification says that there are events. */
  private async rest(ms: number): Promise<void> {
    await pause(Math.min(ms, ROUNDS_APART_MS));
    if (ms <= ROUNDS_APART_MS || this.isWoken || this.isStopped) return;
    const woken = new AbortController();
    this.wake = () => woken.abort();
    await pause(ms, undefined, { signal: woken.signal }).catch(() => undefined);
    this.wake = () => undefined;
  }
}

function againAfterMs({ room, scanned, isFull }: EnqueuedFor): number {
  if (isFull) return POLL_MS;
  // A runner that notes attempts holds the row of an endpoint for some milliseconds.
  if (room === null) return LOCKED_AGAIN_MS;
  if (room === 0) return ROOM_AGAIN_MS;
  return scanned === room ? 0 : QUIET_POLL_MS;
}
