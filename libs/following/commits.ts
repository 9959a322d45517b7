import type { Database } from '../engines/database/database.js';
import { GroupCommit } from '../engines/database/group-commit.js';
import { DependencyUnavailable } from '../engines/dependency-unavailable.js';
import { moveCheckpoints, type CheckpointMove } from './checkpoint.js';
import { isAboutTheData } from './failure-kinds.js';
import type { Effect } from './sinks/sink.js';

/** How long effects that are written together wait for rows that another transaction holds, in ms. */
const LOCK_MS = 50;

/** What a consumer made of a page, and the checkpoint that goes with it. */
export interface PreparedPage {
  move: CheckpointMove;
  /** Null: only the checkpoint moves. */
  effect: Effect | null;
}

/**
 * Writes what the consumers of a process made of a page of the log: one transaction moves all their checkpoints and
 * writes all their effects. A consumer whose checkpoint cannot be moved, because another process owns its shard by now,
 * changes nothing for the others. Where the database refuses the whole, each consumer gets a transaction of its own: so
 * an event that cannot be applied stops the consumer that it belongs to, and rows that are locked hold up only that one.
 */
export class Commits {
  private readonly pages: GroupCommit<PreparedPage, boolean>;

  constructor(private readonly database: Database) {
    this.pages = new GroupCommit((pages) => this.writeTogether(pages));
  }

  /**
   * Resolves to false where the checkpoint may not be moved like that; then nothing was written. Rejects with what the
   * database refuses, or with DependencyUnavailable: then it is not known whether it was written.
   */
  submit(page: PreparedPage): Promise<boolean> {
    return this.pages.submit(page);
  }

  private async writeTogether(pages: readonly PreparedPage[]): Promise<(boolean | Promise<boolean>)[]> {
    try {
      return await this.write(pages, LOCK_MS);
    } catch (error) {
      if (error instanceof DependencyUnavailable || (pages.length === 1 && isAboutTheData(error))) throw error;
      // The next group does not wait for these: one of them may wait for a lock for as long as its transaction may take.
      return pages.map(async (page) => (await this.write([page], 0))[0]!);
    }
  }

  /** Effects in the order of their names, in every process: two processes wait for each other in one direction only. */
  private write(pages: readonly PreparedPage[], lockMs: number): Promise<boolean[]> {
    const moves = pages.map(({ move }) => move);
    const inOrder = pages.filter(({ effect }) => effect).toSorted((a, b) => orderOf(a.move, b.move));
    return this.database.transaction(async (tx) => {
      const moved = await moveCheckpoints(tx, moves, lockMs);
      // Sent together, carried out in this order: one round trip for all.
      const owned = inOrder.filter(({ move }) => moved.has(move.owner));
      await Promise.all(owned.map(({ effect, move }) => effect!.write(tx, move.to)));
      return moves.map(({ owner }) => moved.has(owner));
    });
  }
}

const orderOf = (a: CheckpointMove, b: CheckpointMove): number =>
  a.name === b.name ? a.shard - b.shard : a.name < b.name ? -1 : 1;
