import type { EventLog, RecordedEvent } from './port.js';

/**
 * Events of one read, which are folded at once: some milliseconds of the one thread. Larger pages save next to nothing,
 * and everybody else waits for them.
 */
export const PAGE = 100;

/** Told about every event that is read on the way to a state, page by page. The next one waits until it resolves. */
export type OnRead = (events: readonly RecordedEvent[]) => void | Promise<void>;

/**
 * A stream from a revision on, oldest first. Every page is full but the last one. `beginPage` is called before each read
 * and ends the reading where it throws.
 */
export async function* streamPages(
  log: EventLog,
  stream: string,
  from: number,
  beginPage: () => void = () => undefined,
): AsyncGenerator<RecordedEvent[], undefined> {
  for (let next = from; ; next += PAGE) {
    beginPage();
    const page = await log.read(stream, { direction: 'forwards', from: next, limit: PAGE });
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
  }
}
