import { epochMs, instantOf, type Instant } from '../../../kernel/index.js';

/** Days of the demo's history before the service was started for the first time. */
export const HISTORY_DAYS = 42;
export const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;

/** Numbers from 0 to below 1 that are the same at every start (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Moments of the history by its days: day 0 begins where the history begins. */
export class Calendar {
  private readonly beginsMs: number;

  constructor(begins: Instant) {
    this.beginsMs = epochMs(begins);
  }

  /** `second`: of the day, from its beginning. The first minute is left to what has to stand before all else. */
  at(day: number, second: number): Instant {
    return instantOf(this.beginsMs + day * DAY_MS + (60 + second) * SECOND_MS);
  }

  /** On Saturdays and Sundays fewer people come. */
  isWeekend(day: number): boolean {
    return [0, 6].includes(new Date(this.beginsMs + day * DAY_MS).getUTCDay());
  }
}
