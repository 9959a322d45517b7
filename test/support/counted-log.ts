import { ForwardingEventLog } from '../../libs/log/forwarding.js';
import type { ReadStream, RecordedEvent, SubscribeOptions, Subscription } from '../../libs/log/port.js';

/** A log that counts what is read from it: how many positions subscriptions look at, and events of single streams. */
export class CountedLog extends ForwardingEventLog {
  /** Each subscription, by where it began and how far it has come. */
  readonly subscriptions: { after: bigint; through: bigint; prefixes: readonly string[] }[] = [];
  readEvents = 0;
  /** The different ones among them. */
  readonly readIds = new Set<string>();

  /** The most positions that one subscription has looked at. */
  get mostLookedAt(): number {
    return Math.max(...this.subscriptions.map(({ after, through }) => Number(through - after)));
  }

  override async read(stream: string, options: ReadStream): Promise<RecordedEvent[]> {
    const events = await this.log.read(stream, options);
    this.readEvents += events.length;
    for (const { id } of events) this.readIds.add(id);
    return events;
  }

  override subscribe(options: SubscribeOptions): Subscription {
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
}
