import { BEGINNING, type Position } from '../kernel/index.js';

/** Callers that may wait at once. A request waits for 50 ms at most, so that many are 20,000 requests a second. */
export const WAITERS_MAX = 1_000;

/** A position that only grows, and those who wait for it. */
export class Arrivals {
  private readonly waiters = new Set<{ position: Position; answer: (arrived: boolean) => void }>();
  private at: Position = BEGINNING;
  private hasEnded = false;

  get position(): Position {
    return this.at;
  }

  get isAwaited(): boolean {
    return this.waiters.size > 0;
  }

  advance(position: Position): void {
    if (position > this.at) this.at = position;
    for (const waiter of this.waiters) if (waiter.position <= this.at) waiter.answer(true);
  }

  /** Positions that were reached are not any more: an operator put a backup back, or has everything built anew. */
  fallBack(position: Position): void {
    if (position < this.at) this.at = position;
  }

  /** Nothing more will arrive here: all waiters, and all that come later, get `false` at once. */
  end(): void {
    this.hasEnded = true;
    for (const waiter of this.waiters) waiter.answer(false);
  }

  /** Whether a position is reached, waiting for it at most that long; not at all where too many wait already. */
  async waitFor(position: Position, timeoutMs: number): Promise<boolean> {
    if (this.at >= position) return true;
    if (timeoutMs <= 0 || this.hasEnded || this.waiters.size >= WAITERS_MAX) return false;
    return new Promise((resolve) => {
      const answer = (arrived: boolean) => {
        clearTimeout(timer);
        this.waiters.delete(waiter);
        resolve(arrived);
      };
      const waiter = { position, answer };
      const timer = setTimeout(() => answer(false), timeoutMs);
      this.waiters.add(waiter);
    });
  }
}
