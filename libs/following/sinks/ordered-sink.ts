import type { Statement } from '../../engines/database/database.js';
import type { RecordedEvent } from '../../log/port.js';
import type { Effect, Sink } from './sink.js';

/** What a batch adds, and the state that it leaves for the next one. */
export interface Step<State> {
  state: State;
  /** How many of the events counted. */
  events: number;
  /** The values of the statement; null where the batch adds nothing. */
  values: readonly unknown[] | null;
}

export interface OrderedSinkOptions<State> {
  /** The state that the last write left, read from what was written. */
  load: () => Promise<State>;
  /**
   * Follows from state and events alone, and changes nothing; it may ask for keys on the way. Throws Poison for an event
   * that cannot be taken.
   */
  step: (state: State, events: readonly RecordedEvent[]) => Step<State> | Promise<Step<State>>;
  write: Statement;
}

/**
 * One writer for all events, where each write builds on the one before it: a ledger whose every entry names the last.
 * The state goes from batch to batch in memory and is read again whenever a write may not have counted. It runs with a
 * single shard.
 */
export class OrderedSink<State> implements Sink {
  private carried: { state: State } | null = null;

  constructor(private readonly options: OrderedSinkOptions<State>) {}

  async prepare(events: readonly RecordedEvent[]): Promise<Effect> {
    const { load, step, write } = this.options;
    this.carried ??= { state: await load() };
    const { state, events: counted, values } = await step(this.carried.state, events);
    this.carried = { state };
    return { events: counted, isEmpty: values === null, write: (tx) => tx.query(write, values ?? []) };
  }

  reset(): void {
    this.carried = null;
  }
}
