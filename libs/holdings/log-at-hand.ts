import type { Codec } from '../event-log/codec.js';
import type { EventLog } from '../event-log/port.js';

/** The log, and how its events are read. */
export interface LogAtHand {
  log: EventLog;
  codec: Codec;
}
