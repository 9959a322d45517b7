import { LRUCache } from 'lru-cache';
import type { DueSubject } from '../context/define-context.js';
import { isPassing } from '../engines/database/failures.js';

const MOST_AT_ONCE = 100;
/** One that failed is tried again after a minute, then after twice as long each time, up to an hour. */
const PUT_OFF_MS = 60_000;
const PUT_OFF_MS_MAX = 3_600_000;
/** Most subjects that are put off at a time; beyond that the oldest are tried again. */
const PUT_OFF_MAX = 10_000;

export interface DueOptions {
  /** Those for whom something is due, the longest waiting first, without the ones that are put off. */
  due: (limit: number, except: readonly string[]) => Promise<DueSubject[]>;
  work: (subject: DueSubject) => Promise<unknown>;
  /** Called for each failure that concerns the subject alone. */
  failed: (subject: DueSubject, error: unknown) => void;
  nowMs?: () => number;
}

/** Works through subjects for whom something is due. One that fails goes to the back, so that all others get their turn. */
export class DueSubjects {
  private readonly putOff = new LRUCache<string, { untilMs: number; times: number }>({ max: PUT_OFF_MAX });
  private readonly nowMs: () => number;

  constructor(private readonly options: DueOptions) {
    this.nowMs = options.nowMs ?? (() => performance.now());
  }

  /** One round. Rejects where a dependency is away: no subject is put off for that, and the next round tries all again. */
  async run(isStopped: () => boolean): Promise<void> {
    const { due, work, failed } = this.options;
    for (const subject of await due(MOST_AT_ONCE, this.putOffNow)) {
      if (isStopped()) return;
      try {
        await work(subject);
        this.putOff.delete(subject.subjectId);
      } catch (error) {
        if (isPassing(error)) throw error;
        this.goesToTheBack(subject);
        failed(subject, error);
      }
    }
  }

  /** Ids of those that failed and wait for their next turn. */
  get putOffNow(): string[] {
    const now = this.nowMs();
    return [...this.putOff.entries()].filter(([, { untilMs }]) => untilMs > now).map(([subjectId]) => subjectId);
  }

  private goesToTheBack({ subjectId }: DueSubject): void {
    const times = (this.putOff.get(subjectId)?.times ?? 0) + 1;
    const ms = Math.min(PUT_OFF_MS * 2 ** (times - 1), PUT_OFF_MS_MAX);
    this.putOff.set(subjectId, { untilMs: this.nowMs() + ms, times });
  }
}
