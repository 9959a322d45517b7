import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Database, Statement } from '../../engines/database/database.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import type { Writer } from './sink.js';

/** How long a write waits for rows that somebody else holds, in ms, before all that were sent with it go on without it. */
export const JOINED_LOCK_MS = 50;

interface Waiting {
  statement: Statement;
  values: readonly unknown[];
  resolve: (rows: never[]) => void;
  reject: (error: unknown) => void;
}

/**
 * What the consumers of a process write at the same moment goes to the database together: one round trip and one commit
 * where each had its own. While that is on its way the next writes gather; nobody waits for anything but the write
 * before. Each statement still moves its own checkpoint or does not (see MOVED), so one that lost its shard changes
 * nothing for the others. Where the database refuses what they come to together, each is tried by itself: an event that
 * cannot be applied stops the consumer that it belongs to, and no other.
 */
export class JoinedWrites implements Writer {
  private waiting: Waiting[] = [];
  private isWriting = false;

  /**
   * @param shared for writes that go together; should wait for locks no longer than JOINED_LOCK_MS
   * @param alone for those that have to be tried by themselves
   */
  constructor(
    private readonly shared: Pick<Database, 'together'>,
    private readonly alone: Pick<Database, 'query'>,
  ) {}

  query<R>(statement: Statement, values: readonly unknown[]): Promise<R[]> {
    return new Promise<R[]>((resolve, reject) => {
      this.waiting.push({ statement, values, resolve, reject });
      if (!this.isWriting) void this.writeAll();
    });
  }

  private async writeAll(): Promise<void> {
    this.isWriting = true;
    while (this.waiting.length > 0) {
      // All that this turn of the event loop brings joins.
      await endOfTurn();
      await this.write(this.next());
    }
    this.isWriting = false;
  }

  /**
   * Each statement once and in the order of their names, in every process: two that write the same tables then wait for
   * each other in one direction only, and cannot block each other for good.
   */
  private next(): Waiting[] {
    const names = new Set<string>();
    const next: Waiting[] = [];
    const later: Waiting[] = [];
    for (const each of this.waiting) {
      (names.has(each.statement.name) ? later : next).push(each);
      names.add(each.statement.name);
    }
    this.waiting = later;
    return next.sort((a, b) => (a.statement.name < b.statement.name ? -1 : 1));
  }

  private async write(writes: readonly Waiting[]): Promise<void> {
    try {
      const rows = await this.shared.together(writes);
      writes.forEach(({ resolve }, i) => resolve(rows[i] as never[]));
    } catch (error) {
      // Whether it took effect is not known: each finds out from its checkpoint.
      if (error instanceof DependencyUnavailable) for (const { reject } of writes) reject(error);
      // Nobody waits for these: one may be kept waiting by somebody who holds its rows.
      else
        for (const { statement, values, resolve, reject } of writes)
          void this.alone.query<never>(statement, values).then(resolve, reject);
    }
  }
}
