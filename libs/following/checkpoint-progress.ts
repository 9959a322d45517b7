import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../engines/database/database.js';
import { BEGINNING, type Position, type ReadProgress } from '../kernel/index.js';

const LOOK_EVERY_MS = 5;
const POSITION = {
  name: 'checkpoint-of-live',
  text: 'select position from projection.checkpoints where name = $1 and live and version = coalesce($2, version)',
};

/** How far a projection of another process has come, read from its checkpoint. */
export class CheckpointProgress implements ReadProgress {
  private known: Position = BEGINNING;

  constructor(
    private readonly database: Database,
    private readonly projection: string,
    /** Rows of other versions count for nothing; absent: they do. */
    private readonly version: number | null = null,
  ) {}

  /** What was last seen; the projection may be further. */
  position(): Position {
    return this.known;
  }

  async reached(position: Position, ms: number): Promise<boolean> {
    for (const until = performance.now() + ms; this.known < position; await pause(LOOK_EVERY_MS)) {
      await this.look();
      if (this.known < position && performance.now() >= until) return false;
    }
    return true;
  }

  async look(): Promise<Position> {
    const [row] = await this.database.query<{ position: Position }>(POSITION, [this.projection, this.version]);
    if (row && row.position > this.known) this.known = row.position;
    return this.known;
  }
}
