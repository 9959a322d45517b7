import { setTimeout as pause } from 'node:timers/promises';

/** All work in parts together takes one of so many parts of the thread's time. */
const PARTS_OF_TIME = 8;
/** In ms. However many work in parts, and however long a part had to wait for something: each goes on. */
const REST_MS_MAX = 400;

/** What all who work in parts share. */
interface Shared {
  /** How many of them rest at the moment. */
  resting: number;
}

const THREAD: Shared = { resting: 0 };

export interface PartTimeOptions {
  pause?: (ms: number) => Promise<unknown>;
  /** A clock that is never set, in ms. */
  nowMs?: () => number;
  /** Default: with all of this process, which has one thread. */
  shared?: Shared;
}

/**
 * The rests of long work that is done in parts, so that all such work of a process together takes an eighth of its
 * thread, and everybody else's requests are answered meanwhile. One for each piece of work. What is done in one part
 * never rests.
 */
export class PartTime {
  private beganAtMs: number | null = null;
  private readonly pause: (ms: number) => Promise<unknown>;
  private readonly nowMs: () => number;
  private readonly shared: Shared;

  constructor({ pause: paused = pause, nowMs = () => performance.now(), shared = THREAD }: PartTimeOptions = {}) {
    this.pause = paused;
    this.nowMs = nowMs;
    this.shared = shared;
  }

  /** To be called after each part. Resolves when the next one may begin. */
  async rest(): Promise<void> {
    if (this.beganAtMs !== null) {
      const partMs = this.nowMs() - this.beganAtMs;
      const working = ++this.shared.resting;
      await this.pause(Math.min(REST_MS_MAX, partMs * (PARTS_OF_TIME * working - 1)));
      this.shared.resting--;
    }
    this.beganAtMs = this.nowMs();
  }
}
