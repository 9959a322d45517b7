import { AdaptiveLimit } from './adaptive-limit.js';

/**
 * A call has some two seconds at every engine that it needs. What took half of that is near to failing; what took a
 * quarter leaves time for more at once.
 */
const LATE_MS = 1000;
const PROMPT_MS = 500;
export const BOUNDS = { least: 2, first: 64, most: 512 };

/**
 * Lets as many calls run at once as are done in time; the others wait in line. Where all ran at once, a slow machine or
 * engine would do a little of each, and none before its time is over.
 */
export class PacedCalls {
  private readonly limit: AdaptiveLimit;
  private readonly line: (() => void)[] = [];

  constructor(private readonly nowMs: () => number = () => performance.now()) {
    this.limit = new AdaptiveLimit(BOUNDS, nowMs);
  }

  /** `call` is called when it has its turn; undefined where there is nothing to do any more. It does not throw at once. */
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
