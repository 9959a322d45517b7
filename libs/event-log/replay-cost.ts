import { refusal, Refused, UNCHARGED, type Refusal, type Work } from '../kernel/index.js';

/** Most events that are read from the log for one answer about the past: a second or two of one processor. */
export const MOST_REPLAYED = 100_000;

/**
 * Counts the events that are read from the log for one answer about the past, charges whoever asked, and ends a reading
 * that becomes too long. One for each request, handed to everything that replays for it.
 */
export class ReplayCost {
  private read = 0;

  constructor(
    private readonly work: Work = UNCHARGED,
    private readonly most: number = MOST_REPLAYED,
  ) {}

  /** Events read so far. */
  get events(): number {
    return this.read;
  }

  /** Throws Refused (`validation_failed`) beyond the most. */
  async add(events: number): Promise<void> {
    this.read += events;
    await this.work.folded(events);
    if (this.read > this.most) throw new Refused(tooMuchHistory(this.most));
  }
}

const tooMuchHistory = (most: number): Refusal =>
  refusal(
    'validation_failed',
    `More than ${most} events would have to be read for this answer.`,
    'Ask about a moment closer to now, or take the history page by page.',
    [{ path: 'asOf', message: `needs more than ${most} events` }],
  );
