import type { EventLog, RecordedEvent, SubscribeOptions, Subscription } from './port.js';
import type { Position } from '../kernel/index.js';
import type { SeenEvent } from './known-log.js';

/** What a subscription asks of the log that is watched. */
export interface Watch {
  /** Whether what a subscription brings may be used at once. */
  readonly isKnownOne: boolean;
  /** Resolves as soon as the log is known to be the right one; false: it is not used any more. */
  sure(): Promise<boolean>;
  /** The log may be another one from now on. */
  doubt(): void;
  /** Remembers an event as one by which the log is known again. */
  saw(event: SeenEvent): void;
}

/** Begins when the log is known to be the right one, and delivers only while it is. */
export class WatchedSubscription implements Subscription {
  private inner: Subscription | null = null;
  private stopping = false;
  private endWait: () => void = () => {};
  private readonly stopped = new Promise<false>((resolve) => (this.endWait = () => resolve(false)));
  private readonly begun: Promise<void>;

  constructor(
    private readonly watched: Watch,
    log: EventLog,
    private readonly options: SubscribeOptions,
  ) {
    const open = (): void => {
      this.inner = log.subscribe({
        ...options,
        onBatch: (events, through) => this.deliver(events, through),
        interrupted: () => this.watched.doubt(),
      });
    };
    if (watched.isKnownOne) {
      open();
      this.begun = Promise.resolve();
    } else
      this.begun = this.known()
        .then((isSure) => (isSure ? open() : undefined))
        // Refused where the log was closed meanwhile.
        .catch((error: unknown) => options.failed?.(error));
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.endWait();
    await this.begun;
    await this.inner?.stop();
  }

  private async deliver(events: RecordedEvent[], through: Position): Promise<void> {
    if (!this.watched.isKnownOne && !(await this.known())) return;
    const last = events.at(-1);
    if (last) this.watched.saw(last);
    await this.options.onBatch(events, through);
  }

  /** Waits until the log is known to be the right one; false: nothing is wanted any more. */
  private async known(): Promise<boolean> {
    const isSure = await Promise.race([this.watched.sure(), this.stopped]);
    return isSure && !this.stopping;
  }
}
