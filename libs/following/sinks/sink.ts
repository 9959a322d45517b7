import type { Position } from '../../kernel/index.js';
import type { Queries } from '../../engines/database/database.js';
import type { Move } from '../checkpoint.js';
import type { RecordedEvent } from '../../log/port.js';

/** Who sends what an effect writes: the database, or whoever sends it together with what others write. */
export type Writer = Pick<Queries, 'query'>;

/** What a batch of events comes to, not yet written. */
export interface Effect {
  /** How many of the events counted. */
  readonly events: number;
  /** Whether there is nothing to write but the checkpoint. */
  readonly isEmpty: boolean;
  /**
   * Writes it and moves the checkpoint (see MOVED), both or none. False where the checkpoint may not be moved like that:
   * somebody else owns it. What is one statement is sent by `by`. Rejects where that is not known, or where the database refuses what is to be written.
   */
  write(move: Move, by: Writer): Promise<boolean>;
  /** Called after the commit, before anybody is told that the position is reached. */
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
  /** An effect was not written, or somebody else may have written: forgets all that it remembers of earlier batches. */
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
