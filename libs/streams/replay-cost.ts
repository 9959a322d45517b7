import { refusal, Refused, UNCHARGED, type Refusal, type Work } from '../kernel/index.js';

/** Most events that are read from the log for one answer about the past: a second or two of one processor. */
export const MOST_REPLAYED = 100_000;
/** After this time, in ms, an answer about the past reads no further page of events. */
export const LONGEST_REPLAY_MS = 2_000;

export interface ReplayBounds {
  mostEvents?: number;
  longestMs?: number;
  /** A clock that is never set, in ms. */
  nowMs?: () => number;
}

/**
 * Counts the events that are read from the log for one answer about the past, charges them to the caller, and ends a
 * reading that takes too many events or too much time. Each request has one, for all its readings. Its time begins with
 * the first page.
 */
export class ReplayCost {
  private read = 0;
  private beganAtMs: number | null = null;
  private readonly mostEvents: number;
  private readonly longestMs: number;
  private readonly nowMs: () => number;

  constructor(
    private readonly work: Work = UNCHARGED,
    { mostEvents = MOST_REPLAYED, longestMs = LONGEST_REPLAY_MS, nowMs = () => performance.now() }: ReplayBounds = {},
  ) {
    this.mostEvents = mostEvents;
    this.longestMs = longestMs;
    this.nowMs = nowMs;
  }

  /**
   * The cost of a reading that a write needs. It bounds events only, because a slow log must not refuse an accepted write.
   */
  static ofWrite(): ReplayCost {
    return new ReplayCost(UNCHARGED, { longestMs: Infinity });
  }

  /** Events read so far. */
  get events(): number {
    return this.read;
  }

  /** Call it before each page. Throws Refused (`validation_failed`) when the time is over. */
  beginPage(): void {
    const nowMs = this.nowMs();
    this.beganAtMs ??= nowMs;
    if (nowMs - this.beganAtMs > this.longestMs) throw new Refused(tooMuchHistory(`${this.longestMs / 1000} seconds`));
  }

  /** Call it after a page was read. Throws Refused (`validation_failed`) beyond the most events. */
  add(events: number): void {
    this.read += events;
    if (this.read > this.mostEvents) throw new Refused(tooMuchHistory(`${this.mostEvents} events`));
  }

  /** Call it after a page was folded: charges the caller. */
  folded(events: number): void | Promise<void> {
    return this.work.folded(events);
  }
}

const tooMuchHistory = (bound: string): Refusal =>
  refusal(
    'validation_failed',
    `Replaying the log for this answer takes more than ${bound}.`,
    'Ask about a moment closer to now, or take the history page by page.',
    [{ path: 'asOf', message: `takes more than ${bound}` }],
  );
