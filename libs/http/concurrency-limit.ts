import { AdaptiveLimit } from '../engines/adaptive-limit.js';

/** As many at once are always let in: fewer would keep no engine busy. */
export const AT_ONCE_MIN = 32;
/** And never more: each holds what it was sent, and what it has read. */
export const AT_ONCE_MAX = 1000;
/** A request that is answered "unavailable" after this long was late; one that is so at once met an engine that is away. */
const LATE_MS = 1000;
/** What is answered within this leaves time for more at once. */
const PROMPT_MS = 1500;

/** Longest time after which somebody is asked to come again, in seconds. */
const AGAIN_S_MAX = 30;
const SECOND_MS = 1000;

/** Says that a request is answered: whether by "unavailable". */
export type Leave = (unavailable: boolean) => void;

/**
 * How many requests may be under way at once, as it shows that they can be answered in time. Every request has two
 * seconds. Where more come than are answered in these, and all are taken, each of them waits until its time is over, and
 * the service works on nothing but answers that come too late. Those beyond the limit are told at once to come again,
 * and the others are answered.
 */
export class ConcurrencyLimit {
  private readonly underWay: AdaptiveLimit;
  private turnedAway = 0;
  /** Of them, those of the second that began then, and how many there were in the one before. */
  private second = { since: -Infinity, refused: 0, before: 0 };

  /** @param nowMs a clock that is never set, in ms */
  constructor(private readonly nowMs: () => number = () => performance.now()) {
    this.underWay = new AdaptiveLimit({ least: AT_ONCE_MIN, most: AT_ONCE_MAX }, nowMs);
  }

  /** How many may be under way at this moment. */
  get limit(): number {
    return this.underWay.limit;
  }

  /** How many were refused since the start of the process. */
  get refused(): number {
    return this.turnedAway;
  }

  /** Lets a request in, or not: null. It is to be told when that is answered, once. */
  enter(): Leave | null {
    if (!this.underWay.enter()) {
      this.turnedAway++;
      this.countRefusal();
      return null;
    }
    const since = this.nowMs();
    return (unavailable) => this.underWay.leave(shown(unavailable, this.nowMs() - since));
  }

  /** After how many seconds one who was refused should come again: the more there are, the later, and not all together. */
  againAfter(): number {
    const { refused, before } = this.second;
    return Math.min(AGAIN_S_MAX, 1 + Math.floor(Math.max(refused, before) / this.limit)) + (this.turnedAway % 3);
  }

  /** So that few turns of a busy service are spent on telling others to wait. */
  private countRefusal(): void {
    const now = this.nowMs();
    const { since, refused } = this.second;
    const passed = now - since;
    if (passed >= SECOND_MS) this.second = { since: now, refused: 0, before: passed < 2 * SECOND_MS ? refused : 0 };
    this.second.refused++;
  }
}

function shown(unavailable: boolean, ms: number): 'late' | 'prompt' | 'nothing' {
  if (unavailable) return ms >= LATE_MS ? 'late' : 'nothing';
  return ms <= PROMPT_MS ? 'prompt' : 'nothing';
}
