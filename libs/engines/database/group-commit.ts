import { setImmediate as endOfTurn } from 'node:timers/promises';
import { DependencyUnavailable } from '../dependency-unavailable.js';

/** Waiting more than this many is overload: the caller answers 503 instead of queueing for ever. */
const MOST_WAITING = 5_000;
/** Whoever has waited this long when a group fails is refused with it: a try of its own would take as long again. */
const LONGEST_WAIT_MS = 1_000;

/**
 * Group commit: while one group is being written, whatever arrives waits and goes together in the next. One caller
 * alone pays no delay; sixty-four callers pay for one statement instead of sixty-four.
 */
export class GroupCommit<In, Out> {
  private waiting: { item: In; since: number; resolve: (out: Out) => void; reject: (error: unknown) => void }[] = [];
  private busy = false;

  constructor(
    /** Does the work of one group; answers in the order of the items. */
    private readonly work: (items: In[]) => Promise<Out[]>,
    private readonly mostInGroup = 200,
  ) {}

  submit(item: In): Promise<Out> {
    if (this.waiting.length >= MOST_WAITING) return Promise.reject(new DependencyUnavailable('write queue'));
    return new Promise<Out>((resolve, reject) => {
      this.waiting.push({ item, since: performance.now(), resolve, reject });
      if (!this.busy) void this.drain();
    });
  }

  private async drain(): Promise<void> {
    this.busy = true;
    while (this.waiting.length > 0) {
      // All requests that this turn of the event loop brings join the group.
      await endOfTurn();
      const group = this.waiting.splice(0, this.mostInGroup);
      try {
        const outs = await this.work(group.map(({ item }) => item));
        group.forEach(({ resolve }, index) => resolve(outs[index]!));
      } catch (error) {
        for (const { reject } of group) reject(error);
        this.refuseWhoWaitedLong();
      }
    }
    this.busy = false;
  }

  /** So that a database that hangs costs each caller one wait, not one for every group before it. */
  private refuseWhoWaitedLong(): void {
    const before = performance.now() - LONGEST_WAIT_MS;
    const late = this.waiting.filter(({ since }) => since <= before);
    this.waiting = this.waiting.filter(({ since }) => since > before);
    for (const { reject } of late) reject(new DependencyUnavailable('write queue'));
  }
}
