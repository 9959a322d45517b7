import type { Position } from './port.js';

/** Injection tokens of what has no class of its own. */
export const EVENT_LOG = Symbol('EventLog');
export const READ_PROGRESS = Symbol('ReadProgress');

/** How far the read models of this process have come. */
export interface ReadProgress {
  position(): Position;
  reached(position: Position, ms: number): Promise<boolean>;
}
