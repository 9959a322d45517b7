import { AdaptiveLimit } from '../engines/adaptive-limit.js';

/** Lowest limit of requests under way: fewer would not keep an engine busy. */
export const AT_ONCE_MIN = 32;
/** Highest limit, which bounds memory: each request holds its body and what it has read. */
export const AT_ONCE_MAX = 1000;
/** A request that is answered "unavailable" after this long was late. Sooner, it met an engine that is away. */
const LATE_MS = 1000;
/** An answer within this time shows that more requests may be under way at once. */
const PROMPT_MS = 1500;

/** Longest `Retry-After` of a refused request, in seconds, before it is spread. */
const AGAIN_S_MAX = 30;
const SECOND_MS = 1000;

/** Call it when a request was answered. `unavailable`: it was answered "unavailable". */
export type Leave = (unavailable: boolean) => void;

/**
 * How many requests may be under way at once; learnt from how many are answered in time. Every request has two seconds.
 * If the service took more than it can answer, all of them would wait until their time is over, and every answer would be
 * too late. So it refuses those beyond the limit at once, to come again later, and answers the others.
 */
export class ConcurrencyLimit {
  private readonly underWay: AdaptiveLimit;
  private turnedAway = 0;
  /** Refusals in the second that began at `since`, and in the second before. */
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

  /** Lets a request in, or refuses it: null. Call the result once, when the request was answered. */
  enter(): Leave | null {
    if (!this.underWay.enter()) {
      this.turnedAway++;
      this.countRefusal();
      return null;
    }
    const since = this.nowMs();
    return (unavailable) => this.underWay.leave(shown(unavailable, this.nowMs() - since));
  }

  /** Seconds after which a refused caller should come again: the more refusals, the later; spread over three seconds. */
  againAfter(): number {
    const { refused, before } = this.second;
    return Math.min(AGAIN_S_MAX, 1 + Math.floor(Math.max(refused, before) / this.limit)) + (this.turnedAway % 3);
  }

  /** Counts refusals by the second, which makes `againAfter` longer while there are many. */
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
