import type { Work } from '../kernel/index.js';
import type { RecordedEvent } from '../log/port.js';

/**
 * Events of one read, which are folded at once: some milliseconds of the one thread. Larger pages save next to nothing,
 * and everybody else waits for them.
 */
export const PAGE = 100;

/** Callbacks that a caller passes to see what is read on the way to a state. */
export interface Reading {
  /** Shown every event, page by page. */
  note?: (events: readonly RecordedEvent[]) => void;
  /** Counts the events of each page once they were folded. */
  work?: Work;
}

/**
 * Empties a page that was folded; answers how many events it held. The next page is read without this one in memory: a
 * page that outlives two collections of garbage is copied twice.
 */
export function letGo(page: RecordedEvent[]): number {
  const { length } = page;
  page.length = 0;
  return length;
}
