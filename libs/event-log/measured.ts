import type { Metrics } from '../platform/telemetry/metrics.js';
import { traced } from '../platform/telemetry/tracing.js';
import type {
  AppendOutcome,
  EventLog,
  NewEvent,
  ReadStream,
  RecordedEvent,
  SubscribeOptions,
  Subscription,
} from './port.js';
import type { Position } from '../kernel/index.js';

/** Any event log, with its appends and reads measured and traced. */
export class MeasuredEventLog implements EventLog {
  constructor(
    private readonly log: EventLog,
    private readonly metrics: Metrics,
  ) {}

  async append(stream: string, expected: number, events: readonly NewEvent[]): Promise<AppendOutcome> {
    const start = performance.now();
    let outcome = 'unavailable';
    try {
      const done = await traced('log.append', { 'assent.events': events.length }, () =>
        this.log.append(stream, expected, events),
      );
      outcome = done.outcome === 'appended' && done.already ? 'already' : done.outcome;
      if (outcome === 'appended') this.metrics.recorded(events);
      return done;
    } finally {
      this.metrics.appended(outcome, (performance.now() - start) / 1000, events.length);
    }
  }

  async read(stream: string, options: ReadStream): Promise<RecordedEvent[]> {
    const start = performance.now();
    try {
      return await traced('log.read', { 'assent.limit': options.limit }, () => this.log.read(stream, options));
    } finally {
      this.metrics.read((performance.now() - start) / 1000);
    }
  }

  head(): Promise<Position> {
    return this.log.head();
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
