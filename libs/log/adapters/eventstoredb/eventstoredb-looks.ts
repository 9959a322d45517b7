import type { ResolvedEvent } from '@eventstore/db-client';
import type { Position } from '../../../kernel/index.js';
import { resolvedPosition } from './eventstoredb-events.js';

/** Events of one page: more than the search window of a subscription, whose checkpoint comes before a look falls behind. */
const PAGE = 512;
/** How long a page answers other subscriptions too: less than a look may be late. */
const SHARED_MS = 100;

interface Page {
  after: Position;
  /** When the page was asked for, of `performance.now()`. */
  askedAt: number;
  events: Promise<ResolvedEvent[]>;
}

/**
 * Reads `$all` for subscriptions that get no messages. Those of a process read at about the same time and place, so one
 * page serves all of them. When each read for itself, fourteen subscriptions of four roles made the server read every
 * event eleven times more often than needed.
 */
export class Looks {
  private last: Page | null = null;

  /**
   * @param read reads all events after a position, up to a limit
   * @param waiting positions of the subscriptions that wait for events
   */
  constructor(
    private readonly read: (after: Position, most: number) => Promise<ResolvedEvent[]>,
    private readonly waiting: () => readonly Position[],
  ) {}

  /** One page of events after a position, at most SHARED_MS old. */
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
