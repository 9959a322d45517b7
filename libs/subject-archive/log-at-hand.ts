import type { SubjectTimeline } from '../context/subject-timeline.js';
import type { EventLog } from '../log/port.js';
import type { Codec } from '../streams/codec.js';

/** The log, and how its events are read. */
export interface LogAtHand {
  log: EventLog;
  codec: Codec;
}

/** The same, and what contexts show of what they wrote. */
export interface ShownLog extends LogAtHand {
  timeline: SubjectTimeline;
}
