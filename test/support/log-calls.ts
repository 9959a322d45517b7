import { ForwardingEventLog } from '../../libs/log/forwarding.js';
import type { AppendOutcome, NewEvent, ReadStream, RecordedEvent } from '../../libs/log/port.js';

/** A log that counts the calls of its streams, and can come in between them: a cost that grows is caught by a number, on however slow a machine. */
export class LogCalls extends ForwardingEventLog {
  /** Calls of `read`. */
  reads = 0;
  /** Events that they answered. */
  events = 0;
  appends = 0;
  /** Runs before an append, as a rival would. */
  beforeAppend: () => Promise<void> = async () => undefined;
  /** Takes the place of an append. */
  appendWith: ((stream: string, expected: number, events: readonly NewEvent[]) => Promise<AppendOutcome>) | null = null;

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

  override async append(
    stream: string,
    expected: number,
    events: readonly NewEvent[],
    until?: number,
  ): Promise<AppendOutcome> {
    this.appends += 1;
    await this.beforeAppend();
    return this.appendWith
      ? this.appendWith(stream, expected, events)
      : this.log.append(stream, expected, events, until);
  }

  override async read(stream: string, options: ReadStream): Promise<RecordedEvent[]> {
    this.reads += 1;
    const events = await this.log.read(stream, options);
    this.events += events.length;
    return events;
  }
}
