import type { Codec } from '../streams/codec.js';
import type { EventLog } from '../log/port.js';
import type { Sink } from '../following/sinks/sink.js';
import type { Position } from '../kernel/index.js';
import type { Database } from '../engines/database/database.js';
import type { Vault } from '../vault/vault.js';

/**
 * A follower of the log that is no read model: one writer takes each event exactly once, in the order of the log. It is
 * never built beside the old one; a migration makes its tables and its checkpoint, version 1 under its name.
 */
export interface LogSink {
  /** Snake case; shown to operators. */
  name: string;
  /** Prefixes of the streams that it follows. */
  streams: readonly string[];
  /** Injection token of the ReadProgress: how far it has come. */
  progress: symbol;
  /** Whether it also takes events that operators left out, because it does not read their content. */
  takesLeftOut?: true;
  open: (engines: { database: Database; vault: Vault; codec: Codec }) => Sink;
  /**
   * Called when an operator has accepted another log, up to the position. Deletes all that was made from events which that
   * log does not hold, and moves the checkpoint back. No process follows the log meanwhile. May be called again.
   */
  acceptLog: (engines: { database: Database; log: EventLog; codec: Codec }, through: Position) => Promise<void>;
}
