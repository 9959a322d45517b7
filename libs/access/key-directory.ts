import { BEGINNING, type EventLog, type Position, type RecordedEvent, type Subscription } from '../event-log/port.js';
import { DependencyUnavailable } from '../platform/dependency-unavailable.js';
import type { SiteEvent } from './events.js';
import { originsListed, siteFold, type KeyState, type SiteState } from './state.js';

/** How far behind the log the directory may be before it says so: a revocation must hold everywhere within this. */
export const STALE_AFTER_MS = 5000;
/** How often the log is asked where it stands. */
const WATCH_EVERY_MS = 1000;

interface Wait {
  position: Position;
  arrived: () => void;
  stopped: (error: Error) => void;
}

export interface KnownKey {
  key: KeyState;
  site: SiteState;
}

/**
 * Every site and key, folded from the log into memory: finding a key costs no I/O and depends on no cache server. An
 * operator made each of them by hand and a site has at most 200 live keys, so some megabytes hold them all.
 *
 * It follows the log, normally milliseconds behind. While the log cannot be reached nothing can be revoked either, yet
 * a revocation made just before may be missing: keys are still served, and `staleSince` tells readiness since when.
 */
export class KeyDirectory {
  private readonly states = new Map<string, SiteState>();
  /** Neither revoked nor unknown; may have expired. */
  private readonly keys = new Map<string, KnownKey>();
  private origins = new Set<string>();
  private through: Position = BEGINNING;
  private readonly waiting = new Set<Wait>();
  private subscription: Subscription | null = null;
  private watch: NodeJS.Timeout | null = null;
  /** When all that the log held is known to have been seen, by a clock that is never set. */
  private currentAt = -Infinity;
  private asking = false;
  private announceReady!: () => void;
  private readonly becameReady = new Promise<void>((resolve) => (this.announceReady = resolve));
  /** What stopped the directory for good, such as an event that this release does not know. */
  failure: unknown = null;

  constructor(
    private readonly log: EventLog,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  start(): void {
    this.subscription = this.log.subscribe({
      after: BEGINNING,
      prefixes: ['site-'],
      // A throw in here ends the subscription: see `failure`.
      onBatch: async (events, through) => {
        this.take(events);
        this.moveTo(through);
      },
      failed: (error) => (this.failure = error),
    });
    void this.askWhereTheLogStands();
    this.watch = setInterval(() => void this.askWhereTheLogStands(), WATCH_EVERY_MS);
    this.watch.unref();
  }

  async stop(): Promise<void> {
    if (this.watch) clearInterval(this.watch);
    await this.subscription?.stop();
    // Whoever still waits would keep the process from ending until the time-out.
    for (const entry of this.waiting) entry.stopped(new DependencyUnavailable('event log'));
  }

  /** The key, unless it is unknown or revoked. */
  find(keyId: string): KnownKey | undefined {
    return this.keys.get(keyId);
  }

  site(site: string): SiteState | undefined {
    return this.states.get(site);
  }

  sites(): SiteState[] {
    return [...this.states.values()];
  }

  /** Whether a live public key of any site may be used from this origin. */
  listsOrigin(origin: string): boolean {
    return this.origins.has(origin);
  }

  /** True once everything that was in the log at the start has been seen: before that, "unknown" means nothing. */
  get isReady(): boolean {
    return this.currentAt !== -Infinity;
  }

  /** Rejects with DependencyUnavailable when it takes longer. */
  async ready(timeoutMs: number): Promise<void> {
    if (this.isReady) return;
    await bounded(this.becameReady, timeoutMs);
  }

  /** Resolves when the directory reflects at least this position. Rejects with DependencyUnavailable after the time. */
  async waitFor(position: Position, timeoutMs: number): Promise<void> {
    if (this.through >= position) return;
    let entry!: Wait;
    const arrival = new Promise<void>((arrived, stopped) => this.waiting.add((entry = { position, arrived, stopped })));
    try {
      await bounded(arrival, timeoutMs);
    } finally {
      this.waiting.delete(entry);
    }
  }

  /** Milliseconds for which the directory may have missed something; null while that is less than STALE_AFTER_MS. */
  get staleForMs(): number | null {
    const age = this.nowMs() - this.currentAt;
    return age > STALE_AFTER_MS ? age : null;
  }

  /** The same as a point in time (epoch milliseconds), for readiness. */
  get staleSince(): number | null {
    const age = this.staleForMs;
    return age === null ? null : age === Infinity ? 0 : Date.now() - age;
  }

  private take(events: RecordedEvent[]): void {
    for (const event of events) {
      const site = event.stream.slice('site-'.length);
      this.states.set(site, siteFold.evolve(this.states.get(site) ?? siteFold.initial(), event as unknown as SiteEvent));
    }
    for (const site of new Set(events.map((event) => event.stream.slice('site-'.length)))) this.index(this.states.get(site)!);
    if (events.length > 0) this.origins = new Set([...this.states.values()].flatMap((site) => [...originsListed(site)]));
  }

  private index(site: SiteState): void {
    for (const key of site.keys.values()) {
      if (key.revokedAt === null) this.keys.set(key.keyId, { key, site });
      else this.keys.delete(key.keyId);
    }
  }

  private moveTo(through: Position): void {
    if (through > this.through) this.through = through;
    for (const entry of this.waiting) if (entry.position <= this.through) entry.arrived();
  }

  /** Current means: what the log held when it was asked has arrived. One question at a time, however slow the log. */
  private async askWhereTheLogStands(): Promise<void> {
    if (this.asking || this.failure) return;
    this.asking = true;
    const askedAt = this.nowMs();
    try {
      await this.waitFor(await bounded(this.log.head(), STALE_AFTER_MS), STALE_AFTER_MS);
      this.currentAt = askedAt;
      this.announceReady();
    } catch {
      // Not current: `staleSince` says so.
    } finally {
      this.asking = false;
    }
  }
}

async function bounded<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DependencyUnavailable('event log')), Math.max(0, timeoutMs));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
