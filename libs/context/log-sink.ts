import type { Codec } from '../streams/codec.js';
import type { EventLog } from '../log/port.js';
import type { Sink } from '../following/sinks/sink.js';
import type { Position } from '../kernel/index.js';
import type { Database } from '../engines/database/database.js';
import type { Vault } from '../vault/vault.js';

/**
 * Something else than a read model that follows the log from its beginning: one writer, each event exactly once, in the
 * order of the log. Nothing is built beside it; a migration makes its tables and its checkpoint, version 1 under its name.
 */
export interface LogSink {
  /** Snake case; shown to operators. */
  name: string;
  /** Prefixes of the streams that it follows. */
  streams: readonly string[];
  /** Injection token of the ReadProgress: how far it has come. */
  progress: symbol;
  /** Whether it also takes events that operators left out, because it reads nothing of them. */
  takesLeftOut?: true;
  open: (engines: { database: Database; vault: Vault; codec: Codec }) => Sink;
  /**
   * Another log is the truth from now on, as far as the position: what was made of events that it does not hold goes, and
   * the checkpoint with it. Called while nobody follows the log; may be called again.
   */
  acceptLog: (engines: { database: Database; log: EventLog; codec: Codec }, through: Position) => Promise<void>;
}
