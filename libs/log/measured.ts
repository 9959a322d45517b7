import type { LogReach } from './log-reach.js';
import type { Metrics } from '../engines/telemetry/metrics.js';
import { traced } from '../engines/telemetry/tracing.js';
import { ForwardingEventLog } from './forwarding.js';
import type { AppendOutcome, EventLog, NewEvent, ReadStream, RecordedEvent } from './port.js';
import type { Position } from '../kernel/index.js';

/** Whether the log answers, and whether it takes appends: a log that answers may still refuse them. */
export interface Reached {
  reach: LogReach;
  appends: LogReach;
}

/** Any event log. Measures and traces its appends and reads, and notes whether it answers. */
export class MeasuredEventLog extends ForwardingEventLog {
  constructor(
    log: EventLog,
    private readonly metrics: Metrics,
    private readonly reached: Reached,
  ) {
    super(log);
  }

  override async append(
    stream: string,
    expected: number,
    events: readonly NewEvent[],
    until?: number,
  ): Promise<AppendOutcome> {
    const start = performance.now();
    let outcome = 'unavailable';
    try {
      const done = await traced('log.append', { 'assent.events': events.length }, () =>
        this.reached.appends.asked(() =>
          this.reached.reach.asked(() => this.log.append(stream, expected, events, until)),
        ),
      );
      outcome = done.outcome === 'appended' && done.already ? 'already' : done.outcome;
      if (outcome === 'appended') this.metrics.recorded(events);
      return done;
    } finally {
      this.metrics.appended(outcome, (performance.now() - start) / 1000, events.length);
    }
  }

  override async read(stream: string, options: ReadStream): Promise<RecordedEvent[]> {
    const start = performance.now();
    try {
      return await traced('log.read', { 'assent.limit': options.limit }, () =>
        this.reached.reach.asked(() => this.log.read(stream, options)),
      );
    } finally {
      this.metrics.read((performance.now() - start) / 1000);
    }
  }

  override head(): Promise<Position> {
    return this.reached.reach.asked(() => this.log.head());
  }

  override at(position: Position): Promise<RecordedEvent | null> {
    return this.reached.reach.asked(() => this.log.at(position));
  }

  override async readAt(positions: readonly Position[]): Promise<RecordedEvent[]> {
    const start = performance.now();
    try {
      return await traced('log.readAt', { 'assent.events': positions.length }, () =>
        this.reached.reach.asked(() => this.log.readAt(positions)),
      );
    } finally {
      this.metrics.read((performance.now() - start) / 1000);
    }
  }

  override ageAfter(position: Position): Promise<number | null> {
    return this.reached.reach.asked(() => this.log.ageAfter(position));
  }
}
