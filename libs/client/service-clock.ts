import { uptimeMs } from './page.js';

/** What the clock of the service says, as far as its answers tell: never later than it does, unless the device's own was set. */
export class ServiceClock {
  /** When this page began; milliseconds since 1970. */
  private begun = -Infinity;
  /** By how much it is ahead of the clock of the device. */
  private ahead = -Infinity;

  /** `recordedAt`: when the service did what it has just answered. */
  note(recordedAt: number): void {
    if (!Number.isFinite(recordedAt)) return;
    this.begun = Math.max(this.begun, recordedAt - uptimeMs());
    this.ahead = Math.max(this.ahead, recordedAt - Date.now());
  }

  /** By the time that passed in this page. Infinite before the first answer. */
  byPage(): number {
    return this.begun === -Infinity ? Infinity : this.begun + uptimeMs();
  }

  /** The same, by the clock of the device where that says more: it counts the time for which the machine sleeps. */
  byDevice(): number {
    return Math.max(this.byPage(), this.ahead + Date.now());
  }
}
