import type { Codec } from '../streams/codec.js';
import type { EventLog } from '../log/port.js';

/** The log, and how its events are read. */
export interface LogAtHand {
  log: EventLog;
  codec: Codec;
}
