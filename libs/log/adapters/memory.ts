import { checkedLimit, inOrder, serialiseAppend, type SerialisedEvent } from '../append-limits.js';
import {
  LogUnavailable,
  type AppendOutcome,
  type EventLog,
  type EventMetadata,
  type NewEvent,
  type ReadStream,
  type RecordedEvent,
  type SubscribeOptions,
  type Subscription,
} from '../port.js';
import { type Position } from '../../kernel/index.js';

interface Stored extends SerialisedEvent {
  stream: string;
  revision: number;
  position: number;
  /** Of performance.now(). */
  recordedAt: number;
  /** A tombstoned event keeps its position and nothing else. */
  gone: boolean;
}

/** Most positions that a subscription passes before it lets other work run, also where its filter matches nothing. */
const SCAN_MAX = 10_000;

/**
 * The log in this process's memory, for tests and for work that must not touch a disk. It keeps events as text: a caller
 * cannot change a stored event through a reference, and reads exactly what JSON holds.
 */
export class MemoryEventLog implements EventLog {
  readonly countsEvents = true;
  private readonly all: Stored[] = [];
  private readonly streams = new Map<string, Stored[]>();
  private readonly tombstoned = new Set<string>();
  private readonly subscriptions = new Set<MemorySubscription>();
  private closed = false;

  async append(stream: string, expected: number, events: readonly NewEvent[]): Promise<AppendOutcome> {
    const append = serialiseAppend(stream, expected, events).events;
    this.ensureOpen();
    if (this.tombstoned.has(stream)) return { outcome: 'deleted' };
    const held = this.streams.get(stream) ?? [];
    const at = held.length - 1;
    if (at !== expected) {
      const same = append.every((event, i) => held[expected + 1 + i]?.id === event.id);
      if (!same) return { outcome: 'conflict', revision: at };
      const last = held[expected + append.length]!;
      return { outcome: 'appended', revision: last.revision, position: BigInt(last.position), already: true };
    }
    for (const event of append) {
      const [position, recordedAt] = [this.all.length, performance.now()];
      const stored = { ...event, stream, revision: held.length, position, recordedAt, gone: false };
      held.push(stored);
      this.all.push(stored);
    }
    this.streams.set(stream, held);
    for (const subscription of this.subscriptions) subscription.wake();
    return { outcome: 'appended', revision: held.length - 1, position: BigInt(this.all.length - 1), already: false };
  }

  async read(stream: string, { direction, from, limit }: ReadStream): Promise<RecordedEvent[]> {
    checkedLimit(limit);
    this.ensureOpen();
    if (this.tombstoned.has(stream)) return [];
    const held = this.streams.get(stream) ?? [];
    if (direction === 'forwards')
      return held.slice(Math.max(from ?? 0, 0), Math.max(from ?? 0, 0) + limit).map(recorded);
    const end = Math.min((from ?? held.length - 1) + 1, held.length);
    return held
      .slice(Math.max(end - limit, 0), Math.max(end, 0))
      .reverse()
      .map(recorded);
  }

  async head(): Promise<Position> {
    this.ensureOpen();
    return BigInt(this.all.length) - 1n;
  }

  async at(position: Position): Promise<RecordedEvent | null> {
    this.ensureOpen();
    const event = this.all[Number(position)];
    return event && !event.gone ? recorded(event) : null;
  }

  async readAt(positions: readonly Position[]): Promise<RecordedEvent[]> {
    this.ensureOpen();
    return inOrder(positions).flatMap((position) => {
      const event = this.all[Number(position)];
      return event && !event.gone ? [recorded(event)] : [];
    });
  }

  async ageAfter(position: Position): Promise<number | null> {
    this.ensureOpen();
    const next = this.all[Number(position) + 1];
    return next ? performance.now() - next.recordedAt : null;
  }

  subscribe(options: SubscribeOptions): Subscription {
    this.ensureOpen();
    const subscription = new MemorySubscription(this.all, options, () => this.subscriptions.delete(subscription));
    this.subscriptions.add(subscription);
    return subscription;
  }

  async tombstone(stream: string): Promise<void> {
    this.ensureOpen();
    for (const event of this.streams.get(stream) ?? [])
      Object.assign(event, { gone: true, id: '', type: '', data: '', metadata: '' });
    this.tombstoned.add(stream);
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.subscriptions].map((subscription) => subscription.stop()));
  }

  private ensureOpen(): void {
    if (this.closed) throw new LogUnavailable('the event log is closed', false);
  }
}

const recorded = ({ stream, revision, position, id, type, data, metadata }: Stored): RecordedEvent => ({
  stream,
  revision,
  position: BigInt(position),
  id,
  type,
  data: JSON.parse(data) as unknown,
  metadata: JSON.parse(metadata) as EventMetadata,
});

class MemorySubscription implements Subscription {
  private stopping = false;
  private wakeUp: () => void = () => {};
  private readonly ended: Promise<void>;

  constructor(
    private readonly all: readonly Stored[],
    private readonly options: SubscribeOptions,
    unregister: () => void,
  ) {
    this.ended = this.run().finally(unregister);
  }

  wake(): void {
    this.wakeUp();
  }

  stop(): Promise<void> {
    this.stopping = true;
    this.wakeUp();
    return this.ended;
  }

  private async run(): Promise<void> {
    const { prefixes, onBatch, failed, batchSize = 1000 } = this.options;
    const wanted = (event: Stored) =>
      !event.gone && (prefixes.length === 0 || prefixes.some((prefix) => event.stream.startsWith(prefix)));
    let next = Number(this.options.after) + 1;
    // Like every other adapter, never calls the handler before `subscribe` has returned.
    await new Promise(setImmediate);
    while (!this.stopping) {
      if (next >= this.all.length) {
        await new Promise<void>((resolve) => (this.wakeUp = resolve));
        continue;
      }
      const batch: RecordedEvent[] = [];
      const end = Math.min(this.all.length, next + SCAN_MAX);
      for (; next < end && batch.length < batchSize; next++)
        if (wanted(this.all[next]!)) batch.push(recorded(this.all[next]!));
      try {
        await onBatch(batch, BigInt(next) - 1n);
      } catch (error) {
        this.stopping = true;
        failed?.(error);
      }
      await new Promise(setImmediate);
    }
  }
}
