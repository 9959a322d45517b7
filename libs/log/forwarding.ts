import type { Position } from '../kernel/index.js';
import type {
  AppendOutcome,
  EventLog,
  NewEvent,
  ReadStream,
  RecordedEvent,
  SubscribeOptions,
  Subscription,
} from './port.js';

/** A log that hands every call on to another one. What is built on it says what it does differently. */
export class ForwardingEventLog implements EventLog {
  readonly countsEvents: boolean;

  constructor(readonly log: EventLog) {
    this.countsEvents = log.countsEvents;
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
    return this.log.subscribe(options);
  }

  hurry(): void {
    this.log.hurry?.();
  }

  tombstone(stream: string): Promise<void> {
    return this.log.tombstone(stream);
  }

  close(): Promise<void> {
    return this.log.close();
  }
}
