import { BEGINNING, type Position } from '../kernel/index.js';
import type { EventLog, RecordedEvent, SubscribeOptions, Subscription } from '../log/port.js';

/** Most events that are kept for those who are a little behind: as many as may wait on this side of a subscription. */
const KEPT_MAX = 1000;
/** And so long after it could not, or failed. */
const AGAIN_AFTER_MS = 1000;

/** Who takes what comes. */
interface Follower {
  readonly through: Position;
  readonly isLevel: boolean;
  readonly options: SubscribeOptions;
  wake(): void;
}

/**
 * The end of the log, read once for all followers of a process that are level with it: the last events that came, and
 * what comes. It goes on as soon as one of them has taken all; whoever is so slow that what it has not taken is not kept
 * any more reads for itself until it is level again.
 */
export class Tail {
  /** Up to here everything that any follower wants has come. */
  through: Position = BEGINNING;
  private kept: RecordedEvent[] = [];
  /** After this position everything is kept. */
  private keptAfter: Position = BEGINNING;
  /** The prefixes that are read, and since which position; null while nothing is read. */
  private since: Map<string, Position> | null = null;
  private reading: Subscription | null = null;
  private timer: NodeJS.Timeout | null = null;
  private changing: Promise<void> = Promise.resolve();
  private closed = false;
  private goOn: () => void = () => {};

  constructor(
    private readonly log: EventLog,
    private readonly followers: ReadonlySet<Follower>,
    private readonly beginAfterMs: number,
  ) {}

  /** Whether what comes after a position can be taken here, all that has one of these prefixes. */
  covers(position: Position, prefixes: readonly string[]): boolean {
    const { since } = this;
    if (since === null || position < this.keptAfter) return false;
    return keysOf(prefixes).every((prefix) => (since.get(prefix) ?? Infinity) <= position);
  }

  /** What came after a position, of which only some may be wanted. */
  *after(position: Position): Iterable<RecordedEvent> {
    let first = this.kept.length;
    while (first > 0 && this.kept[first - 1]!.position > position) first--;
    for (let i = first; i < this.kept.length; i++) yield this.kept[i]!;
  }

  get size(): number {
    return this.kept.length;
  }

  /** A follower has taken something, or is not level any more. */
  taken(): void {
    this.drop();
    if (this.isTaken) this.goOn();
  }

  /** What all have taken goes. Where one reads for itself everything is kept, so that it finds where to go on from here. */
  private drop(): void {
    let through = this.through;
    for (const follower of this.followers) {
      if (!follower.isLevel) return;
      if (follower.through < through) through = follower.through;
    }
    if (through > this.keptAfter) this.keepAfter(through);
  }

  private keepAfter(position: Position): void {
    this.keptAfter = position;
    let gone = 0;
    while (gone < this.kept.length && this.kept[gone]!.position <= position) gone++;
    this.kept.splice(0, gone);
  }

  followersChanged(): void {
    this.later(this.beginAfterMs);
  }

  async close(): Promise<void> {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    await this.changing;
    await this.end();
  }

  private get isTaken(): boolean {
    for (const { isLevel, through } of this.followers) if (isLevel && through >= this.through) return true;
    return false;
  }

  private later(ms: number): void {
    if (this.closed) return;
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.changing = this.changing.then(() => this.adapt()).catch(() => this.later(AGAIN_AFTER_MS));
    }, ms).unref();
  }

  /** Reads what is wanted by at least two; one alone reads for itself. */
  private async adapt(): Promise<void> {
    if (this.closed) return;
    const wanted = new Set([...this.followers].flatMap(({ options }) => keysOf(options.prefixes)));
    if (this.followers.size < 2) {
      await this.end();
      for (const follower of this.followers) follower.wake();
      return;
    }
    if (this.since !== null && [...wanted].every((prefix) => this.since!.has(prefix))) return;
    const head = this.since === null ? await this.log.head() : null;
    await this.stopReading();
    if (head !== null) {
      this.kept = [];
      this.keptAfter = this.through = head;
    }
    const before = this.since ?? new Map<string, Position>();
    this.since = new Map([...wanted].map((prefix) => [prefix, before.get(prefix) ?? this.through]));
    this.read();
    for (const follower of this.followers) follower.wake();
  }

  private read(): void {
    const prefixes = [...this.since!.keys()];
    this.reading = this.log.subscribe({
      after: this.through,
      prefixes: prefixes.includes(EVERYTHING) ? [] : prefixes,
      batchSize: KEPT_MAX / 2,
      onBatch: (events, through) => this.came(events, through),
      failed: () => {
        this.since = null;
        for (const follower of this.followers) follower.wake();
        this.later(AGAIN_AFTER_MS);
      },
      interrupted: () => {
        for (const { options, isLevel } of this.followers) if (isLevel) options.interrupted?.();
      },
    });
  }

  private async came(events: readonly RecordedEvent[], through: Position): Promise<void> {
    this.kept.push(...events);
    this.through = through;
    if (this.kept.length > KEPT_MAX) this.keepAfter(this.kept.at(-1 - KEPT_MAX)!.position);
    for (const follower of this.followers) follower.wake();
    while (!this.isTaken && this.reading !== null) await new Promise<void>((resolve) => (this.goOn = resolve));
  }

  private async end(): Promise<void> {
    this.since = null;
    await this.stopReading();
    this.kept = [];
  }

  private async stopReading(): Promise<void> {
    const { reading } = this;
    this.reading = null;
    this.goOn();
    await reading?.stop();
  }
}

/** Stands for every prefix. */
const EVERYTHING = '';
const keysOf = (prefixes: readonly string[]): readonly string[] => (prefixes.length === 0 ? [EVERYTHING] : prefixes);
