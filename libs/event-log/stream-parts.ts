import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { EventLog, RecordedEvent } from './port.js';

/** Events of one read. */
export const PAGE = 500;
/** Events that are folded before everybody else has a turn: some milliseconds of the one thread. */
export const PART = 100;

/**
 * A stream from a revision on, oldest first, in parts that are small enough to be folded at once. Every part is full but
 * the last one of the stream. `beginPage` is called before each read and ends the reading where it throws.
 */
export async function* streamParts(
  log: EventLog,
  stream: string,
  from: number,
  beginPage: () => void = () => undefined,
): AsyncGenerator<RecordedEvent[], undefined> {
  for (let next = from; ;) {
    beginPage();
    const events = await log.read(stream, { direction: 'forwards', from: next, limit: PAGE });
    for (let at = 0; at < events.length; at += PART) {
      if (at > 0) await endOfTurn();
      yield events.slice(at, at + PART);
    }
    if (events.length < PAGE) return;
    next = events.at(-1)!.revision + 1;
  }
}
