import { setImmediate as endOfTurn, setTimeout as pause } from 'node:timers/promises';
import { DependencyUnavailable } from '../dependency-unavailable.js';

/** An item that has waited this long when a group fails is refused with it: another try would take as long again. */
const WAITED_MS_MAX = 1_000;

export interface GroupCommitOptions<In> {
  /** Most items of one group. Default 200. */
  groupMax?: number;
  /** Most items that may wait. A caller beyond it is refused at once. Default 5000. */
  waitingMax?: number;
  /** How large an item is, and how large a group of several may be. Default: only their number counts. */
  size?: { of: (item: In) => number; max: number };
  /** Items of one key go in different groups, in their order: the second one must see what the first did. */
  keyOf?: (item: In) => string;
  /** How long a group gathers, in ms, if the one before it had several items. Default: no longer than that one is written. */
  gatherMs?: number;
  /** Makes the error for an item that was in no group. Default: DependencyUnavailable. */
  refused?: () => Error;
}

interface WaitingItem<In, Out> {
  item: In;
  since: number;
  resolve: (out: Out | PromiseLike<Out>) => void;
  reject: (error: unknown) => void;
}

/**
 * The one loop by which the service gathers writes and commits them together. While one group is being written, the
 * items that arrive wait and form the next one. A single caller pays no delay; sixty-four callers pay for one statement
 * instead of sixty-four.
 */
export class GroupCommit<In, Out> {
  private waiting: WaitingItem<In, Out>[] = [];
  private running: Promise<void> | null = null;
  private wasSeveral = false;
  private readonly options: Required<Pick<GroupCommitOptions<In>, 'groupMax' | 'waitingMax' | 'refused'>> &
    GroupCommitOptions<In>;

  /**
   * @param work does the work of one group and answers in the order of the items. An answer may be a promise: the next
   *   group then goes on without it.
   */
  constructor(
    private readonly work: (items: In[]) => Promise<readonly (Out | PromiseLike<Out>)[]>,
    options: GroupCommitOptions<In> = {},
  ) {
    this.options = {
      groupMax: 200,
      waitingMax: 5_000,
      refused: () => new DependencyUnavailable('write queue'),
      ...options,
    };
  }

  submit(item: In): Promise<Out> {
    if (this.waiting.length >= this.options.waitingMax) return Promise.reject(this.options.refused());
    return new Promise<Out>((resolve, reject) => {
      this.waiting.push({ item, since: performance.now(), resolve, reject });
      this.running ??= this.drain();
    });
  }

  /** Refuses the items that wait; resolves when the group that is being written has ended. */
  async close(): Promise<void> {
    for (const { reject } of this.waiting.splice(0)) reject(this.options.refused());
    await this.running;
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      // All items that this turn of the event loop brings join the group.
      if (this.wasSeveral && this.options.gatherMs) await pause(this.options.gatherMs);
      else await endOfTurn();
      const group = this.next();
      this.wasSeveral = group.length > 1;
      try {
        const outs = await this.work(group.map(({ item }) => item));
        group.forEach(({ resolve }, index) => resolve(outs[index]!));
      } catch (error) {
        for (const { reject } of group) reject(error);
        this.refuseLongWaiting();
      }
    }
    this.running = null;
  }

  private next(): WaitingItem<In, Out>[] {
    const { groupMax, size, keyOf } = this.options;
    if (!size && !keyOf) return this.waiting.splice(0, groupMax);
    const group: WaitingItem<In, Out>[] = [];
    const left: WaitingItem<In, Out>[] = [];
    const keys = new Set<string>();
    let sum = 0;
    for (const each of this.waiting) {
      const own = size?.of(each.item) ?? 0;
      const isFull = group.length >= groupMax || (group.length > 0 && size !== undefined && sum + own > size.max);
      const key = keyOf?.(each.item);
      if (isFull || (key !== undefined && keys.has(key))) left.push(each);
      else {
        group.push(each);
        sum += own;
      }
      // Also behind one that is left: nothing overtakes an earlier item of its key.
      if (key !== undefined) keys.add(key);
    }
    this.waiting = left;
    return group;
  }

  /** Refuses items that have waited long: with a hanging database a caller then waits once, not once for every group. */
  private refuseLongWaiting(): void {
    const before = performance.now() - WAITED_MS_MAX;
    const late = this.waiting.filter(({ since }) => since <= before);
    this.waiting = this.waiting.filter(({ since }) => since > before);
    for (const { reject } of late) reject(this.options.refused());
  }
}
