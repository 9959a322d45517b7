import { setImmediate as endOfTurn } from 'node:timers/promises';
import { inTime } from '../engines/in-time.js';
import type { Position } from '../kernel/index.js';
import { ForwardingEventLog } from '../log/forwarding.js';
import type { EventLog, RecordedEvent, SubscribeOptions, Subscription } from '../log/port.js';

/** Longest that followers wait for the slowest of them at one page, in ms. That one then reads by itself. */
const PATIENCE_MS = 2_000;
/** How long it reads by itself at least, in ms: else the others would wait for it again at the next page. */
const APART_MS = 30_000;

/**
 * A log that the followers of a process read together: one reader reads each page once and hands every follower its
 * part. The next page waits until all have taken theirs.
 *
 * A follower that begins somewhere else in the log has a reader of its own. Two readers become one as soon as one of
 * them ends a page within the last page of the other. So all that are level with the log share one reader, and so do
 * all that begin at the same position, such as the shards of a rebuild.
 */
export class SharedEventLog extends ForwardingEventLog {
  private readonly readers = new Set<Reader>();
  private readonly seats = new Set<Seat>();
  private asking: Promise<Position> | null = null;

  /** How many readers read the log at this moment. */
  get reading(): number {
    return this.readers.size;
  }

  /** Asked after the call, and once for all who call in the same turn. */
  override head(): Promise<Position> {
    return (this.asking ??= endOfTurn().then(() => {
      this.asking = null;
      return super.head();
    }));
  }

  override subscribe(options: SubscribeOptions): Subscription {
    const seat = new Seat(options, () => this.seats.delete(seat));
    this.seats.add(seat);
    this.place(seat);
    return seat;
  }

  override async close(): Promise<void> {
    await Promise.all([...this.seats].map((seat) => seat.stop()));
    await super.close();
  }

  /** To the reader that has just read what comes next for it, else to one of its own. */
  private place(seat: Seat): void {
    const near = seat.isApart ? undefined : this.nearTo(seat.through);
    if (near) return near.add(seat);
    const reader: Reader = new Reader(this.log, seat.through, {
      read: () => this.merge(reader),
      leftBehind: (slow) => this.place(slow),
      ended: () => this.readers.delete(reader),
    });
    this.readers.add(reader);
    reader.add(seat);
  }

  /** After a page: the followers of the smaller reader go to the larger one. */
  private merge(reader: Reader): void {
    const other = reader.isApart ? undefined : this.nearTo(reader.through, reader);
    if (!other) return;
    if (other.size >= reader.size) reader.moveTo(other);
    else if (!other.isDelivering) other.moveTo(reader);
  }

  private nearTo(position: Position, except?: Reader): Reader | undefined {
    return [...this.readers].find((reader) => reader !== except && !reader.isApart && reader.isNear(position));
  }
}

/** One follower. */
class Seat implements Subscription {
  /** Up to here its handler has dealt with everything. */
  through: Position;
  reader: Reader | null = null;
  /** The page that its handler deals with; never rejects. */
  taking: Promise<void> | null = null;
  hasStopped = false;
  private apartUntilMs = 0;

  constructor(
    readonly options: SubscribeOptions,
    private readonly ended: () => void,
  ) {
    this.through = options.after;
  }

  get isApart(): boolean {
    return performance.now() < this.apartUntilMs;
  }

  setApart(): void {
    this.apartUntilMs = performance.now() + APART_MS;
  }

  /** Hands its part of a page to its handler. It may be ahead of the others: what it has seen it is not given again. */
  take(page: readonly RecordedEvent[], through: Position): void {
    if (through <= this.through) return;
    const { prefixes, onBatch } = this.options;
    const after = this.through;
    const isWanted = ({ position, stream }: RecordedEvent): boolean =>
      position > after && (prefixes.length === 0 || prefixes.some((prefix) => stream.startsWith(prefix)));
    this.taking = onBatch(page.filter(isWanted), through)
      .then(
        () => void (this.through = through),
        (error: unknown) => this.fail(error),
      )
      .finally(() => (this.taking = null));
  }

  fail(error: unknown): void {
    if (this.hasStopped) return;
    void this.leave();
    this.options.failed?.(error);
  }

  async stop(): Promise<void> {
    await Promise.all([this.taking, this.leave()]);
  }

  private leave(): Promise<void> | undefined {
    this.hasStopped = true;
    this.ended();
    return this.reader?.remove(this);
  }
}

interface ReaderCalls {
  /** A page was handed out. */
  read: () => void;
  /** A follower was too slow for the others, and has dealt with its page by now. */
  leftBehind: (slow: Seat) => void;
  ended: () => void;
}

/** Reads the log for some followers, who are all at one place of it. */
class Reader {
  private readonly seats = new Set<Seat>();
  /** Where its last page began and ended. */
  private from: Position;
  through: Position;
  /** Where the page ends that is being handed out; else `through`. */
  private end: Position;
  private subscription: Subscription | null = null;
  private opening: Promise<void> | null = null;
  /** What the subscription brings. */
  private prefixes: readonly string[] = [];
  private batchSize = Infinity;

  constructor(
    private readonly log: EventLog,
    position: Position,
    private readonly calls: ReaderCalls,
  ) {
    this.from = this.through = this.end = position;
  }

  get size(): number {
    return this.seats.size;
  }

  get isDelivering(): boolean {
    return this.end > this.through;
  }

  get isApart(): boolean {
    return [...this.seats].some((seat) => seat.isApart);
  }

  /** Whether at most its last page has to be read again for a follower that stands there. */
  isNear(position: Position): boolean {
    return this.from <= position && position <= this.through;
  }

  add(seat: Seat): void {
    this.seats.add(seat);
    seat.reader = this;
    if (seat.through < this.end || !this.covers(seat)) this.open();
  }

  moveTo(other: Reader): void {
    const seats = [...this.seats];
    this.seats.clear();
    void this.close();
    for (const seat of seats) other.add(seat);
  }

  async remove(seat: Seat): Promise<void> {
    this.seats.delete(seat);
    seat.reader = null;
    if (this.seats.size === 0) await this.close();
  }

  private async close(): Promise<void> {
    this.calls.ended();
    const { subscription } = this;
    this.subscription = null;
    await subscription?.stop();
  }

  private covers({ options: { prefixes, batchSize } }: Seat): boolean {
    if (this.subscription === null || sizeOf(batchSize) < this.batchSize) return false;
    return (
      this.prefixes.length === 0 || (prefixes.length > 0 && prefixes.every((each) => this.prefixes.includes(each)))
    );
  }

  /** Reads what all its followers want, from where the first of them stands; once for all who come in the same turn. */
  private open(): void {
    const before = this.subscription;
    this.subscription = null;
    this.opening ??= (async () => {
      await before?.stop();
      await endOfTurn();
      this.opening = null;
      const seats = [...this.seats];
      if (seats.length === 0) return;
      this.from = this.through = this.end = seats.map(({ through }) => through).reduce((a, b) => (a < b ? a : b));
      const all = seats.map(({ options }) => options);
      this.prefixes = all.some(({ prefixes }) => prefixes.length === 0)
        ? []
        : [...new Set(all.flatMap(({ prefixes }) => prefixes))];
      this.batchSize = Math.min(...all.map(({ batchSize }) => sizeOf(batchSize)));
      this.subscribe();
    })();
  }

  private subscribe(): void {
    const { prefixes, batchSize } = this;
    try {
      const own: Subscription = (this.subscription = this.log.subscribe({
        after: this.through,
        prefixes,
        batchSize,
        onBatch: async (events, through) => {
          // What an older subscription still brings, the one that follows it brings again.
          if (this.subscription === own) await this.handOut(events, through);
        },
        failed: (error) => this.fail(error),
        interrupted: () => {
          for (const { options } of this.seats) options.interrupted?.();
        },
      }));
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    for (const seat of [...this.seats]) seat.fail(error);
  }

  private async handOut(events: readonly RecordedEvent[], through: Position): Promise<void> {
    const seats = [...this.seats];
    this.end = through;
    for (const seat of seats) seat.take(events, through);
    const slow = (): Seat[] => seats.filter((seat) => seat.taking && this.seats.has(seat));
    do await inTime(Promise.all(seats.flatMap(({ taking }) => taking ?? [])), PATIENCE_MS);
    while (slow().length > 0 && this.seats.size === 1);
    for (const seat of slow()) this.leaveBehind(seat);
    this.from = this.through;
    this.through = this.end = through;
    if (this.seats.size > 0) this.calls.read();
  }

  private leaveBehind(slow: Seat): void {
    slow.setApart();
    void this.remove(slow);
    void slow.taking!.then(() => {
      if (!slow.hasStopped) this.calls.leftBehind(slow);
    });
  }
}

/** Most events of a batch where a follower says nothing. */
const sizeOf = (batchSize = 1000): number => batchSize;
