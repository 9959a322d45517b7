import type {
  AppendOutcome,
  EventLog,
  NewEvent,
  ReadStream,
  RecordedEvent,
  SubscribeOptions,
  Subscription,
} from '../../libs/log/port.js';
import type { Position } from '../../libs/kernel/index.js';

/** A log that counts the calls of its streams, and can come in between them: a cost that grows is caught by a number, on however slow a machine. */
export class LogCalls implements EventLog {
  /** Calls of `read`. */
  reads = 0;
  /** Events that they answered. */
  events = 0;
  appends = 0;
  /** Runs before an append, as a rival would. */
  beforeAppend: () => Promise<void> = async () => undefined;
  /** Takes the place of an append. */
  appendWith: ((stream: string, expected: number, events: readonly NewEvent[]) => Promise<AppendOutcome>) | null = null;

  readonly countsEvents: boolean;

  constructor(readonly log: EventLog) {
    this.countsEvents = log.countsEvents;
  }

  /** What was counted while `work` ran. */
  async during(work: () => Promise<unknown>): Promise<{ reads: number; events: number; appends: number }> {
    const before = { reads: this.reads, events: this.events, appends: this.appends };
    await work();
    return {
      reads: this.reads - before.reads,
      events: this.events - before.events,
      appends: this.appends - before.appends,
    };
  }

  async append(stream: string, expected: number, events: readonly NewEvent[], until?: number): Promise<AppendOutcome> {
    this.appends += 1;
    await this.beforeAppend();
    return this.appendWith
      ? this.appendWith(stream, expected, events)
      : this.log.append(stream, expected, events, until);
  }

  async read(stream: string, options: ReadStream): Promise<RecordedEvent[]> {
    this.reads += 1;
    const events = await this.log.read(stream, options);
    this.events += events.length;
    return events;
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
    return this.log.subscribe(options);
  }

  tombstone(stream: string): Promise<void> {
    return this.log.tombstone(stream);
  }

  close(): Promise<void> {
    return this.log.close();
  }
}
