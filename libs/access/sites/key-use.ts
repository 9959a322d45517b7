import { systemClock, type Clock, type Instant } from '../../kernel/index.js';
import type { Queries } from '../../engines/database/database.js';

const WRITE_EVERY_MS = 60_000;

// In the order of the keys, so that two processes cannot deadlock.
const WRITE = {
  name: 'key_use_write',
  text: `insert into write.key_use as u (key_id, used_hour)
         select key_id, used_hour from unnest($1::text[], $2::timestamptz[]) as w(key_id, used_hour) order by key_id
         on conflict (key_id) do update set used_hour = excluded.used_hour where u.used_hour < excluded.used_hour`,
};
const READ = {
  name: 'key_use_read',
  text: 'select key_id, used_hour from write.key_use where key_id = any($1::text[])',
};

/**
 * The hour in which each key was last used, so that an operator finds keys that are no longer used. Bookkeeping, no
 * proof: a request only notes its key in memory, each process writes new notes once a minute in one statement (a key at
 * most once an hour), and notes that are not yet written are lost with the process.
 */
export class KeyUse {
  private readonly noted = new Set<string>();
  /** By key, the hour to write. */
  private readonly waiting = new Map<string, Instant>();
  /** By key, the hour that was written. As many as the directory has keys. */
  private readonly written = new Map<string, Instant>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    /** null: no use is stored. */
    private readonly database: Queries | null,
    private readonly clock: Clock = systemClock,
  ) {}

  /**
   * Reads no clock, which would cost more than all the rest: the minute in which the note is written is precise enough.
   */
  note(keyId: string): void {
    if (this.database) this.noted.add(keyId);
  }

  start(): void {
    // Notes that cannot be written now are written a minute later.
    this.timer = setInterval(() => void this.write().catch(() => undefined), WRITE_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.write().catch(() => undefined);
  }

  /**
   * Last use: of other processes as they last wrote it, of this one as of now. Rejects with DependencyUnavailable:
   * "unknown" must not read as "never".
   */
  async lastUsed(keyIds: readonly string[]): Promise<ReadonlyMap<string, Instant>> {
    if (!this.database) return new Map();
    await this.write();
    const rows = await this.database.query<{ key_id: string; used_hour: Date }>(READ, [keyIds]);
    return new Map(rows.map((row) => [row.key_id, row.used_hour.toISOString()]));
  }

  async write(): Promise<void> {
    const hour = hourOf(this.clock());
    for (const keyId of this.noted) if (this.written.get(keyId) !== hour) this.waiting.set(keyId, hour);
    this.noted.clear();
    if (!this.database || this.waiting.size === 0) return;
    const uses = [...this.waiting];
    await this.database.query(WRITE, [uses.map(([keyId]) => keyId), uses.map(([, used]) => used)]);
    for (const [keyId, used] of uses) {
      this.written.set(keyId, used);
      if (this.waiting.get(keyId) === used) this.waiting.delete(keyId);
    }
  }
}

const hourOf = (at: Instant): Instant => `${at.slice(0, 13)}:00:00.000Z`;
