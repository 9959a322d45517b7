import { AdaptiveLimit } from './adaptive-limit.js';

/**
 * A call may take some two seconds at each engine. A call that took half of that is close to failing. One that took a
 * quarter shows that more calls may run at once.
 */
const LATE_MS = 1000;
const PROMPT_MS = 500;
export const BOUNDS = { least: 2, first: 64, most: 512 };

/**
 * Runs as many calls at once as finish in time; the others wait in line. If all ran at once, a slow machine or engine
 * would do a little of each, and finish none in time.
 */
export class PacedCalls {
  private readonly limit: AdaptiveLimit;
  private readonly line: (() => void)[] = [];

  constructor(private readonly nowMs: () => number = () => performance.now()) {
    this.limit = new AdaptiveLimit(BOUNDS, nowMs);
  }

  /** Calls `call` when it has its turn; undefined: nothing is left to do. `call` rejects, and never throws. */
  async pass(call: () => Promise<void> | undefined): Promise<void> {
    if (!this.limit.enter()) await new Promise<void>((resolve) => this.line.push(resolve));
    const since = this.nowMs();
    const called = call();
    try {
      await called;
    } finally {
      this.limit.leave(called ? shown(this.nowMs() - since) : 'nothing');
      while (this.line.length > 0 && this.limit.enter()) this.line.shift()!();
    }
  }
}

const shown = (ms: number): 'late' | 'prompt' | 'nothing' =>
  ms >= LATE_MS ? 'late' : ms <= PROMPT_MS ? 'prompt' : 'nothing';
