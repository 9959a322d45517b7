import { refusal, Refused, UNCHARGED, type Refusal, type Work } from '../kernel/index.js';

/** Most events that are read from the log for one answer about the past: a second or two of one processor. */
export const MOST_REPLAYED = 100_000;
/** After this long, in ms, an answer about the past begins no further page of events. */
export const LONGEST_REPLAY_MS = 2_000;

export interface ReplayBounds {
  mostEvents?: number;
  longestMs?: number;
  /** A clock that is never set, in ms. */
  nowMs?: () => number;
}

/**
 * Counts the events that are read from the log for one answer about the past, charges the caller for them, and ends a
 * reading that becomes too long, in events or in time. One for each request, passed to everything that replays for it.
 * Its time begins with the first page.
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
   * A reading that a write needs. It is bounded in events alone: a write that was accepted must not be refused because
   * the log is slow.
   */
  static ofWrite(): ReplayCost {
    return new ReplayCost(UNCHARGED, { longestMs: Infinity });
  }

  /** Events read so far. */
  get events(): number {
    return this.read;
  }

  /** To be called before each page. Throws Refused (`validation_failed`) when the time is over. */
  beginPage(): void {
    const nowMs = this.nowMs();
    this.beganAtMs ??= nowMs;
    if (nowMs - this.beganAtMs > this.longestMs) throw new Refused(tooMuchHistory(`${this.longestMs / 1000} seconds`));
  }

  /** To be called when a page was read. Throws Refused (`validation_failed`) beyond the most. */
  add(events: number): void {
    this.read += events;
    if (this.read > this.mostEvents) throw new Refused(tooMuchHistory(`${this.mostEvents} events`));
  }

  /** To be called when a page was folded: charges for it. */
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
