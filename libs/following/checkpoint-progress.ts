import type { Database } from '../engines/database/database.js';
import type { Position, ReadProgress } from '../kernel/index.js';
import { Arrivals } from './arrivals.js';
import { MOVED } from './checkpoint.js';
import { Rest } from './rest.js';

/** Channel of NOTIFY: a caller of a process waits for the rows that other processes write. */
export const AWAITED = 'read_awaited';
/** How often the checkpoint is looked at for all callers that wait: a notification may be lost. */
const LOOK_EVERY_MS = 25;

const FIELDS = 'from projection.checkpoints where name = $1 and live and version = coalesce($2, version)';
const POSITION = { name: 'checkpoint-of-live', text: `select position ${FIELDS}` };
/** Also notifies those that write the rows where they are not there yet. */
const AWAIT = {
  name: 'checkpoint-of-live-awaited',
  text: `select position, case when position < $3 then pg_notify('${AWAITED}', '') end ${FIELDS}`,
};

/**
 * How far a projection of another process has come, read from its checkpoint. While callers wait for a position, the
 * notification of each move wakes them; one look for all of them makes up for a lost one.
 */
export class CheckpointProgress implements ReadProgress {
  private readonly arrivals = new Arrivals();
  private readonly rest = new Rest();
  private isListening = false;
  private isWatching = false;

  constructor(
    private readonly database: Database,
    private readonly projection: string,
    /** Rows of other versions count for nothing; absent: they do. */
    private readonly version: number | null = null,
  ) {}

  /** What was last seen; the projection may be further. */
  position(): Position {
    return this.arrivals.position;
  }

  /** Whether a position is reached, waiting for it at most that long. Rejects where the first look does. */
  async reached(position: Position, ms: number): Promise<boolean> {
    if (this.position() >= position) return true;
    if (ms <= 0) return (await this.look()) >= position;
    const until = performance.now() + ms;
    this.listen();
    await this.lookFor(position);
    const left = until - performance.now();
    if (this.position() >= position || left <= 0) return this.position() >= position;
    const arrival = this.arrivals.waitFor(position, left);
    void this.watch();
    return arrival;
  }

  async look(): Promise<Position> {
    return this.seen(await this.database.query<{ position: Position }>(POSITION, [this.projection, this.version]));
  }

  private async lookFor(position: Position): Promise<void> {
    const { projection, version } = this;
    this.seen(await this.database.query<{ position: Position }>(AWAIT, [projection, version, position]));
  }

  private seen([row]: { position: Position }[]): Position {
    if (row) this.arrivals.advance(row.position);
    return this.position();
  }

  /** Ends with the database. */
  private listen(): void {
    if (this.isListening) return;
    this.isListening = true;
    this.database.listen(MOVED, (text) => this.hear(text));
  }

  /** `text` undefined: notifications may have been missed. */
  private hear(text: string | undefined): void {
    const [name, version, position] = text?.split(' ') ?? [];
    const isOther = name !== this.projection || (this.version !== null && Number(version) !== this.version);
    if (text !== undefined && isOther) return;
    if (position === undefined) this.rest.wake();
    else this.arrivals.advance(BigInt(position));
  }

  /** Looks now and then for as long as callers wait. Never rejects. */
  private async watch(): Promise<void> {
    if (this.isWatching) return;
    this.isWatching = true;
    while (this.arrivals.isAwaited) {
      await this.rest.take(LOOK_EVERY_MS);
      if (this.arrivals.isAwaited) await this.look().catch(() => undefined);
    }
    this.isWatching = false;
  }
}
