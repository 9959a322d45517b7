import { setTimeout as pause } from 'node:timers/promises';
import { DependencyUnavailable } from '../engines/dependency-unavailable.js';
import { inTime } from '../engines/in-time.js';
import { onPulse } from '../engines/pulse.js';
import { type EventLog, type RecordedEvent, type Subscription } from '../log/port.js';
import { BEGINNING, type Position } from '../kernel/index.js';

/** Without news for this long while the log may have moved on, a follower says that it may have missed something. */
export const STALE_AFTER_MS = 5_000;
/** Most answers of the log that are remembered until they are reached: two minutes of them. */
const ASKED_MAX = 120;
/** How often the log is asked where it stands; all followers of a process ask together. */
const WATCH_EVERY_MS = 1_000;
/** So long after an event that could not be taken in it is tried again: an operator may have left it out. */
const RETRY_AFTER_MS = 2_000;
/**
 * How often the rows are asked for before the log is read from its beginning instead, which takes far longer: on a busy
 * machine a single question can run out of time.
 */
const STORED_TRIES = 3;
const STORED_AGAIN_AFTER_MS = 250;

export interface FollowerOptions {
  log: EventLog;
  /** Prefixes of the streams that are followed. */
  prefixes: readonly string[];
  /**
   * Takes in what is stored of a read model, and answers up to which position that goes: the log is followed from there.
   * Absent, null, or where it rejects: from the beginning, which is as right and takes longer.
   */
  stored?: () => Promise<Position | null>;
  /** Makes something of the events, in memory; may be given those again that came before a throw. See `failure`. */
  take: (events: RecordedEvent[]) => void;
  /** A clock that is never set, in ms. */
  nowMs?: () => number;
}

/**
 * Follows some streams of the log, for things that are few and asked for all the time: sites, keys, the catalogue. What
 * is made of the events lives in memory; asking costs no I/O and depends on no cache server. Where a read model holds
 * what they add up to, only what came after it is read from the log.
 */
export class Follower {
  private through: Position = BEGINNING;
  private readonly waiting = new Set<{ isSo: () => boolean; arrived: () => void }>();
  private subscription: Subscription | null = null;
  private starting: Promise<void> | null = null;
  private stopping = false;
  private endWatch: (() => void) | null = null;
  private retry: NodeJS.Timeout | null = null;
  /** When all that the log held is known to have been seen. */
  private currentAt = -Infinity;
  private asking = false;
  /** Where the log ended when it was asked, the oldest first, as far as that is not reached yet. */
  private readonly asked: { head: Position; at: number }[] = [];
  /** When it last came further. */
  private movedAt = -Infinity;
  /** Settles when the last question after the end of the log was answered. */
  private lastHead: Promise<unknown> = Promise.resolve();
  /** The question after that, until it is sent. */
  private nextHead: Promise<Position> | null = null;
  private announceReady!: () => void;
  private readonly becameReady = new Promise<true>((resolve) => (this.announceReady = () => resolve(true)));
  private readonly nowMs: () => number;
  /** What it cannot take in, such as an event that this release does not know; null again once that is left out. */
  failure: unknown = null;

  constructor(private readonly options: FollowerOptions) {
    this.nowMs = options.nowMs ?? (() => performance.now());
  }

  start(): void {
    this.starting ??= this.follow();
    void this.askWhereTheLogStands();
    this.endWatch ??= onPulse(WATCH_EVERY_MS, () => void this.askWhereTheLogStands());
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.endWatch?.();
    if (this.retry) clearTimeout(this.retry);
    await this.starting;
    await this.subscription?.stop();
  }

  private async follow(): Promise<void> {
    const after = await this.storedPosition();
    if (this.stopping) return;
    this.arrive(after);
    this.subscribe();
  }

  /** Up to where the rows go that were taken; the beginning of the log where there are none to be had. */
  private async storedPosition(): Promise<Position> {
    for (let tries = 1; ; tries++) {
      try {
        return (await this.options.stored?.()) ?? BEGINNING;
      } catch {
        if (tries === STORED_TRIES || this.stopping) return BEGINNING;
        await pause(STORED_AGAIN_AFTER_MS);
      }
    }
  }

  private subscribe(): void {
    const { log, prefixes, take } = this.options;
    this.subscription = log.subscribe({
      after: this.through,
      prefixes,
      onBatch: async (events, through) => {
        take(events);
        if (events.length > 0) this.failure = null;
        this.arrive(through);
      },
      failed: (error) => {
        this.failure = error;
        if (!this.stopping) this.retry = setTimeout(() => this.subscribe(), RETRY_AFTER_MS).unref();
      },
    });
  }

  private arrive(through: Position): void {
    if (through > this.through) {
      this.through = through;
      this.movedAt = this.nowMs();
    }
    this.settle();
    for (const entry of this.waiting) if (entry.isSo()) entry.arrived();
  }

  /** What the log held when it was asked has arrived. */
  private settle(): void {
    while (this.asked.length > 0 && this.asked[0]!.head <= this.through) {
      this.isCurrentAsOf(this.asked.shift()!.at);
    }
  }

  private isCurrentAsOf(at: number): void {
    this.currentAt = Math.max(this.currentAt, at);
    this.announceReady();
  }

  /** True once everything that was in the log at the start has been taken in: before that, "unknown" means nothing. */
  get isReady(): boolean {
    return this.currentAt !== -Infinity && this.failure === null;
  }

  /** Rejects with DependencyUnavailable when it takes longer. */
  async ready(timeoutMs: number): Promise<void> {
    if (!this.isReady && !(await inTime(this.becameReady, timeoutMs))) throw new DependencyUnavailable('event log');
  }

  /** Whether everything up to a position has been taken in, waiting at most that long for it. */
  reached(position: Position, timeoutMs: number): Promise<boolean> {
    return this.until(() => this.through >= position, timeoutMs);
  }

  /**
   * Whether everything has been taken in that the log held when another part of the process asked it, `askedMsAgo`, and it
   * ended at `head`; waits for that at most `timeoutMs`. The answer counts as if the follower had asked.
   */
  async holdsAll(head: Position, askedMsAgo: number, timeoutMs: number): Promise<boolean> {
    const at = this.nowMs() - askedMsAgo;
    const isSo = await this.reached(head, timeoutMs);
    if (isSo) this.isCurrentAsOf(at);
    return isSo;
  }

  private async until(isSo: () => boolean, timeoutMs: number): Promise<boolean> {
    if (isSo()) return true;
    let entry!: { isSo: () => boolean; arrived: () => void };
    const arrival = new Promise<true>((resolve) => this.waiting.add((entry = { isSo, arrived: () => resolve(true) })));
    try {
      return (await inTime(arrival, timeoutMs)) ?? false;
    } finally {
      this.waiting.delete(entry);
    }
  }

  /** Up to where it is known to have seen everything it follows. */
  get position(): Position {
    return this.through;
  }

  /**
   * Waits for something that may have been written a moment ago: until it is found, or all that the log holds now has been
   * taken in. Answers whether one of both came in time. Where neither did, its absence is not known.
   */
  async lookFor(isFound: () => boolean, timeoutMs: number): Promise<boolean> {
    const until = performance.now() + timeoutMs;
    const head = await inTime(
      this.headNow().catch(() => null),
      timeoutMs,
    );
    if (head === null) return isFound();
    return this.until(() => isFound() || this.through >= head, Math.max(0, until - performance.now()));
  }

  /**
   * Where the log ends, asked no earlier than now. One question at a time: who comes while one is on its way, which may be
   * answered already, shares the one after it.
   */
  private headNow(): Promise<Position> {
    return (this.nextHead ??= this.lastHead.then(() => {
      this.nextHead = null;
      const head = this.options.log.head();
      this.lastHead = head.catch(() => undefined);
      return head;
    }));
  }

  /** Milliseconds for which something may have been missed; null while that is less than STALE_AFTER_MS. */
  get staleForMs(): number | null {
    const age = this.nowMs() - this.currentAt;
    return age > STALE_AFTER_MS ? age : null;
  }

  /**
   * Milliseconds since it last came further. Of two followers that are stale, one that goes on is behind only because it or
   * the log has too much to do; one that stands still receives nothing.
   */
  get stillForMs(): number {
    return this.nowMs() - this.movedAt;
  }

  /** Current means: what the log held when it was asked has arrived. One question at a time, however slow the log. */
  private async askWhereTheLogStands(): Promise<void> {
    if (this.asking || this.failure) return;
    this.asking = true;
    const askedAt = this.nowMs();
    try {
      const head = await inTime(this.options.log.head(), STALE_AFTER_MS);
      if (head === null || this.asked.length >= ASKED_MAX) return;
      this.asked.push({ head, at: askedAt });
      this.settle();
    } catch {
      // Not current: `staleForMs` says so.
    } finally {
      this.asking = false;
    }
  }
}
