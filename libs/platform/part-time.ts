import { setTimeout as pause } from 'node:timers/promises';

/** All work in parts together takes one of so many parts of the thread's time. */
const PARTS_OF_TIME = 8;
/** In ms. However many work in parts, and however long a part took: each goes on. */
const REST_MS_MAX = 400;

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** What all who work in parts share. */
interface Shared {
  /** When a part may begin that nobody has asked for yet, by the clock of all of them. */
  freeAtMs: number;
}

const THREAD: Shared = { freeAtMs: -Infinity };

export interface PartTimeOptions {
  pause?: (ms: number) => Promise<unknown>;
  /** A clock that is never set, in ms. */
  nowMs?: () => number;
  /** What the process has worked, in ms of processor: it stands still while a part waits for the database. */
  workedMs?: () => number;
  /** Default: with all of this process, which has one thread. */
  shared?: Shared;
}

/**
 * The rests of long work that is done in parts, so that all such work of a process together takes an eighth of its
 * thread, and everybody else's requests are answered meanwhile. Parts of different work are spread too: several in a row
 * would hold the thread as one long part does. One for each piece of work. It rests before each part but the first, so
 * what is done in one part never rests. What a part waits for, such as the database, is no time of the thread.
 */
export class PartTime {
  /** As the process had worked then; null where no part is being done. */
  private beganAtMs: number | null = null;
  /** The part that was done last; null before the first. */
  private done: { ms: number; atMs: number } | null = null;
  /** Until when the thread was asked for, for the part that is being done. */
  private askedUntilMs: number | null = null;
  private readonly pause: (ms: number) => Promise<unknown>;
  private readonly nowMs: () => number;
  private readonly workedMs: () => number;
  private readonly shared: Shared;

  constructor({
    pause: paused = pause,
    nowMs = () => performance.now(),
    workedMs = processorMs,
    shared = THREAD,
  }: PartTimeOptions = {}) {
    this.pause = paused;
    this.nowMs = nowMs;
    this.workedMs = workedMs;
    this.shared = shared;
  }

  /** To be called before each part. Resolves when it may begin: the first at once, and one that has begun already. */
  async begin(): Promise<void> {
    if (this.beganAtMs !== null) return;
    if (this.done) await this.waitForTurn(this.done.ms, this.done.atMs);
    this.beganAtMs = this.workedMs();
  }

  /** To be called after each part that was begun. */
  end(): void {
    if (this.beganAtMs === null) return;
    this.done = { ms: this.workedMs() - this.beganAtMs, atMs: this.nowMs() };
    this.beganAtMs = null;
  }

  private async waitForTurn(partMs: number, endedAtMs: number): Promise<void> {
    const { shared } = this;
    const now = this.nowMs();
    const rested = Math.max(now, endedAtMs + partMs * (PARTS_OF_TIME - 1));
    // Where nobody has asked since, what was asked for can be put right: the part is known now.
    const free = shared.freeAtMs === this.askedUntilMs ? rested : Math.max(rested, shared.freeAtMs);
    const begin = Math.min(free, now + REST_MS_MAX);
    // The next part is taken to be as long as this one.
    this.askedUntilMs = shared.freeAtMs = Math.min(free + partMs * PARTS_OF_TIME, now + REST_MS_MAX);
    await this.pause(begin - now);
  }
}
