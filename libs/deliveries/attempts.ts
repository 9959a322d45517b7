import type { Claimed } from './claims.js';
import type { Attempted, Delivery } from './delivery.js';

/**
 * Makes one attempt. A rejection is a bug of the channel; the runner then tries the delivery again by schedule. Must end
 * when the signal aborts.
 */
export type Deliver<E> = (delivery: Delivery, signal: AbortSignal) => Promise<Attempted<E>>;

/** Makes attempts, each within its time, and can cut off all that are under way. */
export class Attempts<E> {
  /** One controller for each attempt under way. Signals derived from one lasting signal would all stay in memory. */
  private readonly cutting = new Set<AbortController>();
  /** True once `abort` cut off all attempts: the receivers did not cause these failures. */
  aborted = false;

  constructor(
    private readonly deliver: Deliver<E>,
    private readonly attemptMs: number,
    private readonly warn?: (fault: string, error: unknown) => void,
  ) {}

  abort(): void {
    this.aborted = true;
    this.cutting.forEach((one) => one.abort());
  }

  /** Never rejects. */
  async make({ late, payload, outcome: _, ...delivery }: Claimed<E>): Promise<Attempted<E>> {
    if (late) return { outcome: 'failed', reason: 'too_late', evidence: null };
    const cutting = new AbortController();
    const timer = setTimeout(() => cutting.abort(), this.attemptMs);
    this.cutting.add(cutting);
    const cut = new Promise<Attempted<E>>((resolve) =>
      cutting.signal.addEventListener('abort', () =>
        resolve({ outcome: 'retry', reason: this.aborted ? 'stopped' : 'timed_out', evidence: null }),
      ),
    );
    const attempted = Promise.resolve()
      .then(() => this.deliver({ ...delivery, payload: payload! }, cutting.signal))
      .catch((error: unknown): Attempted<E> => {
        this.warn?.('a delivery failed unexpectedly', error);
        return { outcome: 'retry', reason: 'error', evidence: null };
      });
    try {
      return await Promise.race([attempted, cut]);
    } finally {
      clearTimeout(timer);
      this.cutting.delete(cutting);
    }
  }
}
