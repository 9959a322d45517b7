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

  /**
   * How many days of the history since `first` are in the part of a week that a day shares with its month. Statistics
   * hide a month for a small count in one such part.
   */
  daysTogether(day: number, first = 0): number {
    const part = this.partOf(day);
    let days = 0;
    for (let each = Math.max(first, day - 6); each <= Math.min(HISTORY_DAYS - 1, day + 6); each++)
      if (this.partOf(each) === part) days++;
    return days;
  }

  private partOf(day: number): string {
    const date = new Date(this.beginsMs + day * DAY_MS);
    const monday = day - ((date.getUTCDay() + 6) % 7);
    return `${monday} ${date.getUTCMonth()}`;
  }
}
