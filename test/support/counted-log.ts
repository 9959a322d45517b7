import type { EventLog, ReadStream, RecordedEvent, SubscribeOptions, Subscription } from '../../libs/log/port.js';

/** A log that counts what is read from it: how many positions subscriptions look at, and events of single streams. */
export class CountedLog implements EventLog {
  readonly countsEvents: boolean;
  readonly append: EventLog['append'];
  readonly head: EventLog['head'];
  readonly at: EventLog['at'];
  readonly readAt: EventLog['readAt'];
  readonly ageAfter: EventLog['ageAfter'];
  readonly tombstone: EventLog['tombstone'];
  /** Each subscription, by where it began and how far it has come. */
  readonly subscriptions: { after: bigint; through: bigint; prefixes: readonly string[] }[] = [];
  readEvents = 0;
  /** The different ones among them. */
  readonly readIds = new Set<string>();

  constructor(private readonly log: EventLog) {
    this.countsEvents = log.countsEvents;
    this.at = (position) => log.at(position);
    this.readAt = (positions) => log.readAt(positions);
    this.ageAfter = (position) => log.ageAfter(position);
    this.append = (...of) => log.append(...of);
    this.head = () => log.head();
    this.tombstone = (stream) => log.tombstone(stream);
  }

  /** The most positions that one subscription has looked at. */
  get mostLookedAt(): number {
    return Math.max(...this.subscriptions.map(({ after, through }) => Number(through - after)));
  }

  async read(stream: string, options: ReadStream): Promise<RecordedEvent[]> {
    const events = await this.log.read(stream, options);
    this.readEvents += events.length;
    for (const { id } of events) this.readIds.add(id);
    return events;
  }

  subscribe(options: SubscribeOptions): Subscription {
    const { after, prefixes, onBatch } = options;
    const counted = { after, through: after, prefixes };
    this.subscriptions.push(counted);
    return this.log.subscribe({
      ...options,
      onBatch: async (events, through) => {
        await onBatch(events, through);
        counted.through = through;
      },
    });
  }

  close(): Promise<void> {
    return this.log.close();
  }
}
