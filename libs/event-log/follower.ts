import { BEGINNING, type EventLog, type Position, type RecordedEvent, type Subscription } from './port.js';

/** Without news for this long while the log moves on, a follower says that it may have missed something. */
export const STALE_AFTER_MS = 5_000;
const WATCH_EVERY_MS = 1_000;

/**
 * Follows some streams of the log from the beginning, for things that are few and asked for all the time: sites, keys,
 * the catalogue. What is made of the events lives in memory; asking costs no I/O.
 */
export class Follower {
  private through: Position = BEGINNING;
  private readonly waiting = new Set<{ position: Position; arrived: () => void }>();
  private subscription: Subscription | null = null;
  private watch: NodeJS.Timeout | null = null;
  private currentAt = -Infinity;
  private asking = false;
  /** What stopped it for good, such as an event that this release does not know. */
  failure: unknown = null;

  constructor(
    private readonly log: EventLog,
    private readonly prefixes: readonly string[],
    private readonly take: (events: RecordedEvent[]) => void,
  ) {}

  start(): void {
    this.subscription = this.log.subscribe({
      after: BEGINNING,
      prefixes: this.prefixes,
      onBatch: async (events, through) => {
        this.take(events);
        if (through > this.through) this.through = through;
        for (const entry of this.waiting) if (entry.position <= this.through) entry.arrived();
      },
      failed: (error) => (this.failure = error),
    });
    void this.askWhereTheLogStands();
    this.watch = setInterval(() => void this.askWhereTheLogStands(), WATCH_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    if (this.watch) clearInterval(this.watch);
    await this.subscription?.stop();
  }

  /** Whether everything up to a position has been taken in, waiting at most `ms` for it. */
  async reached(position: Position, ms: number): Promise<boolean> {
    if (this.through >= position) return true;
    let entry!: { position: Position; arrived: () => void };
    let timer: NodeJS.Timeout | undefined;
    const arrival = new Promise<boolean>((resolve) => this.waiting.add((entry = { position, arrived: () => resolve(true) })));
    const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
    try {
      return await Promise.race([arrival, late]);
    } finally {
      clearTimeout(timer);
      this.waiting.delete(entry);
    }
  }

  /** True once everything that was in the log at the start has been taken in. */
  get isReady(): boolean {
    return this.currentAt !== -Infinity && this.failure === null;
  }

  /** Since when (epoch milliseconds) something may have been missed; null while current. */
  get staleSince(): number | null {
    const age = performance.now() - this.currentAt;
    return age > STALE_AFTER_MS ? (age === Infinity ? 0 : Date.now() - age) : null;
  }

  /** Current means: what the log held when it was asked has arrived. One question at a time, however slow the log. */
  private async askWhereTheLogStands(): Promise<void> {
    if (this.asking || this.failure) return;
    this.asking = true;
    const askedAt = performance.now();
    try {
      if (await this.reached(await this.log.head(), STALE_AFTER_MS)) this.currentAt = askedAt;
    } catch {
      // Not current: `staleSince` says so.
    } finally {
      this.asking = false;
    }
  }
}
