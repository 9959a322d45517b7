/** The share of the limit that a late call leaves. */
const CUT = 0.5;
/** Calls that were under way together are late together: one cut for all of them. */
const CUT_EVERY_MS = 200;
/** The limit grows by GROWTH / limit for each prompt call. */
const GROWTH = 16;

export interface LimitBounds {
  /** Lowest limit. */
  least: number;
  /** Highest limit. */
  most: number;
  /** The limit at the start; default `most`. */
  first?: number;
}

/**
 * How many calls may be under way at once. The limit grows while calls are prompt and is cut when one is late (adaptive
 * concurrency limit: additive increase, multiplicative decrease).
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

  /** Ends a call. `showed`: the call was late (the limit is cut), prompt (it grows), or says nothing about the limit. */
  leave(showed: 'late' | 'prompt' | 'nothing'): void {
    // A limit that was never nearly reached is not proven by prompt calls.
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
