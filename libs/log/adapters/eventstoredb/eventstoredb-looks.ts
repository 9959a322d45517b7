import type { ResolvedEvent } from '@eventstore/db-client';
import type { Position } from '../../../kernel/index.js';
import { resolvedPosition } from './eventstoredb-events.js';

/** Events of one page: more than the search window of a subscription, whose checkpoint comes before a look falls behind. */
const PAGE = 512;
/** What was read is used again for this long by others who look: less than a look may be late. */
const SHARED_MS = 100;

interface Page {
  after: Position;
  /** Of `performance.now()`: when it was asked for. */
  askedAt: number;
  events: Promise<ResolvedEvent[]>;
}

/**
 * Looks into `$all` on behalf of subscriptions on which nothing comes. All of a process look at about the same time and
 * from about the same place, so one page serves all: read by each for itself, fourteen subscriptions of four roles made
 * the server read every event eleven times more than it was wanted.
 */
export class Looks {
  private last: Page | null = null;

  /**
   * @param read everything after a position, at most so many events
   * @param waiting where the subscriptions stand that wait for something to come
   */
  constructor(
    private readonly read: (after: Position, most: number) => Promise<ResolvedEvent[]>,
    private readonly waiting: () => readonly Position[],
  ) {}

  /** What comes after a position, as it was at most 100 ms ago; one page of it. */
  async after(position: Position): Promise<ResolvedEvent[]> {
    const now = performance.now();
    if (this.last === null || now - this.last.askedAt > SHARED_MS || position < this.last.after)
      this.last = this.begun(this.lowest(position), now);
    const events = await this.last.events;
    const beyond = events.filter((event) => resolvedPosition(event) > position);
    const endsBefore = beyond.length === 0 && events.length >= PAGE;
    return endsBefore ? this.read(position, PAGE) : beyond;
  }

  private lowest(position: Position): Position {
    let lowest = position;
    for (const each of this.waiting()) if (each < lowest) lowest = each;
    return lowest;
  }

  private begun(after: Position, askedAt: number): Page {
    const page: Page = { after, askedAt, events: this.read(after, PAGE) };
    page.events.catch(() => {
      if (this.last === page) this.last = null;
    });
    return page;
  }
}
