import type { Position } from '../../kernel/index.js';
import type { Queries } from '../../engines/database/database.js';
import type { RecordedEvent } from '../../log/port.js';

/** What a batch of events comes to, not yet written. */
export interface Effect {
  /** How many of the events counted. */
  readonly events: number;
  /** Whether there is nothing to write but the checkpoint. */
  readonly isEmpty: boolean;
  /**
   * Writes it, in the transaction that has moved the checkpoint to `through`. Called once more, in another transaction,
   * where the first one was undone. Rejects where the database refuses what is to be written.
   */
  write(tx: Queries, through: Position): Promise<unknown>;
  /** Called after the commit, before waiters learn that the position is reached. */
  written?(through: Position): void | Promise<void>;
}

/**
 * What is done with the events of the log, batch by batch in its order. A sink neither reads the log nor knows who
 * owns a shard: that is the consumer's business. One contract suite (`sink.contract.ts`) states what every sink does.
 */
export interface Sink {
  /**
   * What these events come to. They follow those of the last effect, which may still be on its way to the database.
   * Throws Poison, or UnwritableBatch; every other rejection is passing and is tried again from the checkpoint.
   */
  prepare(events: readonly RecordedEvent[]): Effect | Promise<Effect>;
  /** An effect was not written, or another process may have written: forgets all that it remembers of earlier batches. */
  reset(): void;
}

/** The event that cannot be applied. */
export class Poison extends Error {
  constructor(
    readonly position: Position,
    options: { cause: unknown },
  ) {
    super('an event cannot be applied', options);
    this.name = 'Poison';
  }
}

/** One of these events cannot be applied; which one is found by trying them one by one. */
export class UnwritableBatch extends Error {
  constructor(options: { cause: unknown }) {
    super('a batch cannot be applied as a whole', options);
    this.name = 'UnwritableBatch';
  }
}
