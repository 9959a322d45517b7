import { setTimeout as pause } from 'node:timers/promises';

/** A rest is so many times as long as the part before it took. */
const REST_TIMES = 2;
/** In ms. A part that took so much longer waited for something: nobody gains by a longer rest. */
const REST_MS_MAX = 50;

export interface PartTimeOptions {
  pause?: (ms: number) => Promise<unknown>;
  /** A clock that is never set, in ms. */
  nowMs?: () => number;
}

/**
 * The rests of long work that is done in parts, so that it takes at most a third of the thread and everybody else's
 * requests are answered between the parts. One for each piece of work. What is done in one part never rests.
 */
export class PartTime {
  private beganAtMs: number | null = null;
  private readonly pause: (ms: number) => Promise<unknown>;
  private readonly nowMs: () => number;

  constructor({ pause: paused = pause, nowMs = () => performance.now() }: PartTimeOptions = {}) {
    this.pause = paused;
    this.nowMs = nowMs;
  }

  /** To be called after each part. Resolves when the next one may begin. */
  async rest(): Promise<void> {
    if (this.beganAtMs !== null) await this.pause(Math.min(REST_MS_MAX, REST_TIMES * (this.nowMs() - this.beganAtMs)));
    this.beganAtMs = this.nowMs();
  }
}
