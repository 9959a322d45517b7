import { uptimeMs } from './page.js';

/** Estimates the clock of the service from its answers: never ahead of it, unless the clock of the device was set. */
export class ServiceClock {
  /** When this page began, in ms since 1970. */
  private begun = -Infinity;
  /** By how much the service's clock is ahead of the device's. */
  private ahead = -Infinity;

  /** `recordedAt`: when the service carried out the write that it has just answered. */
  note(recordedAt: number): void {
    if (!Number.isFinite(recordedAt)) return;
    this.begun = Math.max(this.begun, recordedAt - uptimeMs());
    this.ahead = Math.max(this.ahead, recordedAt - Date.now());
  }

  /** By the time that passed in this page. Infinite before the first answer. */
  byPage(): number {
    return this.begun === -Infinity ? Infinity : this.begun + uptimeMs();
  }

  /** The same, or by the clock of the device if that is later: that clock counts while the machine sleeps. */
  byDevice(): number {
    return Math.max(this.byPage(), this.ahead + Date.now());
  }
}
