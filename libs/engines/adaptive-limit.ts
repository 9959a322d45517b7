/** What is left of the limit where something was late. */
const CUT = 0.5;
/** What was under way together is late together, which counts once. */
const CUT_EVERY_MS = 200;
/** So much does a limit of one grow by what was prompt, and a higher one by so much less. */
const GROWTH = 16;

export interface LimitBounds {
  /** As many may always be under way. */
  least: number;
  /** And never more. */
  most: number;
  /** As many at first; default `most`. */
  first?: number;
}

/**
 * How many of something may be under way at once, as it shows that they are done in time (adaptive concurrency limit;
 * additive increase, multiplicative decrease).
 */
export class AdaptiveLimit {
  private most: number;
  private underWay = 0;
  /** Most that were under way since the limit was cut. */
  private peak = 0;
  private cutAt = -Infinity;

  /** @param nowMs a clock that is never set, in ms */
  constructor(
    private readonly bounds: LimitBounds,
    private readonly nowMs: () => number,
  ) {
    this.most = bounds.first ?? bounds.most;
  }

  /** How many may be under way at this moment. */
  get limit(): number {
    return Math.floor(this.most);
  }

  /** Whether there is room; then `leave` is to be called once. */
  enter(): boolean {
    if (this.underWay >= this.limit) return false;
    this.underWay++;
    if (this.underWay > this.peak) this.peak = this.underWay;
    return true;
  }

  /** What its time showed: that there are too many, that there may be more, or nothing. */
  leave(showed: 'late' | 'prompt' | 'nothing'): void {
    // What was never reached says nothing.
    const isUsed = 2 * this.underWay > this.most;
    this.underWay--;
    if (showed === 'late') this.cut();
    else if (showed === 'prompt' && isUsed) this.most = Math.min(this.bounds.most, this.most + GROWTH / this.most);
  }

  private cut(): void {
    const now = this.nowMs();
    if (now - this.cutAt < CUT_EVERY_MS) return;
    this.cutAt = now;
    this.most = Math.max(this.bounds.least, CUT * Math.min(this.most, this.peak));
    this.peak = this.underWay;
  }
}
