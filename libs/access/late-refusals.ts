import { setTimeout as pause } from 'node:timers/promises';

/** So much later a refusal is answered, in ms. */
export const LATE_MS = 200;
/** So many are held at a time, by one process. More are answered at once: each holds a connection, and what came over it. */
const HELD_MAX = 250;

/**
 * Answers late that a limit is reached. Whoever sends the same again at once, and does not wait for `Retry-After`, would
 * otherwise take more of the thread by being refused than by being answered: a refusal costs a large part of a read, and
 * a batch is read for it. So each connection of theirs sends five requests a second. Nobody else waits.
 */
export class LateRefusals {
  private held = 0;

  constructor(private readonly later: (ms: number) => Promise<unknown> = pause) {}

  /** Rejects with what it is handed. */
  async refuse(refusal: Error): Promise<never> {
    if (this.held < HELD_MAX) {
      this.held++;
      await this.later(LATE_MS);
      this.held--;
    }
    throw refusal;
  }
}
