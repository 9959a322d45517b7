import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Position } from '../kernel/index.js';
import type {
  AppendOutcome,
  EventLog,
  NewEvent,
  ReadStream,
  RecordedEvent,
  SubscribeOptions,
  Subscription,
} from '../log/port.js';
import { Tail } from './log-tail.js';
import { shardOfStream } from '../log/stream-shard.js';

/** Followers come in groups, at the start of a process. */
const BEGIN_AFTER_MS = 200;

export interface SharingOptions {
  /** So long after followers have come or gone it is looked what several of them want. */
  beginAfterMs?: number;
  /** Whether the shards of the log are those of `shardOfStream`; where not, who wants one reads for itself. */
  sharesShards?: boolean;
}

/**
 * A log that the followers of a process read together. Each of them reads alone until it is level with the others, and
 * again whenever it has fallen behind them; those that are level take what comes from one subscription (see Tail), at
 * the same moment and each at its own pace. An event is sent and decoded once, however many follow.
 */
export class SharingEventLog implements EventLog {
  readonly countsEvents: boolean;
  private readonly followers = new Set<SharedSubscription>();
  private readonly tail: Tail;
  private readonly sharesShards: boolean;

  constructor(
    private readonly log: EventLog,
    { beginAfterMs = BEGIN_AFTER_MS, sharesShards = true }: SharingOptions = {},
  ) {
    this.countsEvents = log.countsEvents;
    this.sharesShards = sharesShards;
    this.tail = new Tail(log, this.followers, beginAfterMs);
  }

  /** How many followers take what comes from one reading. */
  get level(): number {
    return [...this.followers].filter(({ isLevel }) => isLevel).length;
  }

  /** How many events are kept for those who are behind others. */
  get kept(): number {
    return this.tail.size;
  }

  append(stream: string, expected: number, events: readonly NewEvent[], until?: number): Promise<AppendOutcome> {
    return this.log.append(stream, expected, events, until);
  }

  read(stream: string, options: ReadStream): Promise<RecordedEvent[]> {
    return this.log.read(stream, options);
  }

  head(): Promise<Position> {
    return this.log.head();
  }

  at(position: Position): Promise<RecordedEvent | null> {
    return this.log.at(position);
  }

  readAt(positions: readonly Position[]): Promise<RecordedEvent[]> {
    return this.log.readAt(positions);
  }

  ageAfter(position: Position): Promise<number | null> {
    return this.log.ageAfter(position);
  }

  subscribe(options: SubscribeOptions): Subscription {
    if (options.shard && !this.sharesShards) return this.log.subscribe(options);
    const subscription = new SharedSubscription(this.log, this.tail, options, () => {
      this.followers.delete(subscription);
      this.tail.followersChanged();
    });
    this.followers.add(subscription);
    this.tail.followersChanged();
    return subscription;
  }

  tombstone(stream: string): Promise<void> {
    return this.log.tombstone(stream);
  }

  async close(): Promise<void> {
    await Promise.all([...this.followers].map((follower) => follower.stop()));
    await this.tail.close();
    await this.log.close();
  }
}

/** One follower: alone, or at the tail. */
export class SharedSubscription implements Subscription {
  /** Up to here its handler has dealt with everything. */
  through: Position;
  /** Whether it takes what comes from the tail. */
  isLevel = false;
  private stopping = false;
  /** Whether the log was seen to go as far as it has come. */
  private hasRead = false;
  private delivering = false;
  private wakeUp: () => void = () => {};
  private readonly ended: Promise<void>;

  constructor(
    private readonly log: EventLog,
    private readonly tail: Tail,
    readonly options: SubscribeOptions,
    unregister: () => void,
  ) {
    this.through = options.after;
    this.ended = this.run().finally(unregister);
  }

  stop(): Promise<void> {
    this.stopping = true;
    this.wakeUp();
    return this.ended;
  }

  /** There is more at the tail, or it begins or ends. */
  wake(): void {
    if (this.isLevel || (!this.delivering && this.mayJoin)) this.wakeUp();
  }

  private async run(): Promise<void> {
    await endOfTurn();
    while (!this.stopping) {
      if (this.mayJoin) await this.followTail();
      else await this.readAlone();
    }
  }

  private get mayJoin(): boolean {
    const { tail, through } = this;
    // One that claims to be ahead of the log has to find out by itself that it is another one.
    return tail.covers(through, this.options.prefixes) && (this.hasRead || through <= tail.through);
  }

  private async followTail(): Promise<void> {
    this.isLevel = true;
    this.hasRead = true;
    this.tail.taken();
    while (!this.stopping && this.mayJoin) {
      if (this.through >= this.tail.through) await new Promise<void>((resolve) => (this.wakeUp = resolve));
      else await this.take();
    }
    this.isLevel = false;
    this.tail.taken();
  }

  private async take(): Promise<void> {
    const { batchSize = 1000 } = this.options;
    const { through } = this.tail;
    const events: RecordedEvent[] = [];
    for (const event of this.tail.after(this.through)) {
      if (!this.wants(event)) continue;
      if (events.length === batchSize) return this.deliver(events, events.at(-1)!.position);
      events.push(event);
    }
    return this.deliver(events, through);
  }

  private wants({ stream }: RecordedEvent): boolean {
    const { prefixes, shard } = this.options;
    if (shard && shardOfStream(stream, shard.of) !== shard.index) return false;
    return prefixes.length === 0 || prefixes.some((prefix) => stream.startsWith(prefix));
  }

  private async deliver(events: RecordedEvent[], through: Position): Promise<void> {
    try {
      await this.options.onBatch(events, through);
      this.through = through;
      this.tail.taken();
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    this.stopping = true;
    this.options.failed?.(error);
  }

  /** Until it has come so far that the tail goes on from there. */
  private async readAlone(): Promise<void> {
    const over = new Promise<void>((resolve) => (this.wakeUp = resolve));
    const { wakeUp } = this;
    const alone = this.log.subscribe({
      ...this.options,
      after: this.through,
      onBatch: async (events, through) => {
        this.delivering = true;
        try {
          await this.options.onBatch(events, through);
        } finally {
          this.delivering = false;
        }
        this.through = through;
        this.hasRead = true;
        if (this.mayJoin) wakeUp();
      },
      failed: (error) => {
        this.fail(error);
        wakeUp();
      },
    });
    await over;
    await alone.stop();
  }
}
