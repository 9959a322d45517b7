import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Database, type Statement } from '../engines/database/database.js';

/** Injection token: after how many days without use a key is forgotten; null: never. */
export const KEY_RETENTION_DAYS = Symbol('KeyRetentionDays');

/** Keys that are looked at in one statement. */
const PAGE = 2_000;
/** After a walk through all keys, so long until the next one. */
const REST_MS = 3_600_000;

const PRUNE: Statement = {
  name: 'idempotency_prune',
  text: `with page as materialized (
           select key, subjects <> '{}' and greatest(reserved_at, leased_until) < now() - make_interval(days => $2) as is_over
           from write.idempotency where key > $1 order by key limit ${PAGE}
         ), gone as (
           delete from write.idempotency
           where key = any(array(select key from page where is_over))
             and greatest(reserved_at, leased_until) < now() - make_interval(days => $2)
           returning key
         )
         select (select key from page order by key desc limit 1) as last,
           (select count(*)::int from page) as seen, (select count(*)::int from gone) as pruned`,
};

/**
 * Walks through the keys in their order and deletes those that were not used for so many days, a page at a time: no
 * statement takes long, and the table needs no index by time, which every request would pay for. Keys that name no
 * subject stay: those of operators, whose repeat shows again what was issued, and of erasures. They are few.
 */
export class KeyRetention {
  private after: Buffer = Buffer.alloc(0);

  constructor(
    private readonly database: Database,
    private readonly days: number,
  ) {}

  /** One page further. `over`: that was the last one, and the next begins anew. */
  async prunePage(): Promise<{ pruned: number; over: boolean }> {
    const [page] = await this.database.query<{ last: Buffer | null; seen: number; pruned: number }>(PRUNE, [
      this.after,
      this.days,
    ]);
    const { last, seen, pruned } = page!;
    const over = seen < PAGE;
    this.after = over ? Buffer.alloc(0) : last!;
    return { pruned, over };
  }

  /** All of them. Answers how many were deleted. */
  async pruneAll(): Promise<number> {
    for (let all = 0; ;) {
      const { pruned, over } = await this.prunePage();
      all += pruned;
      if (over) return all;
    }
  }
}

/** Forget the keys that are over, a page of them. */
export class PruneKeys extends Command<void> {}

@CommandHandler(PruneKeys)
export class PruneKeysHandler implements ICommandHandler<PruneKeys> {
  private readonly retention: KeyRetention | null;
  private restsUntilMs = 0;

  constructor(database: Database, @Inject(KEY_RETENTION_DAYS) days: number | null) {
    this.retention = days === null ? null : new KeyRetention(database, days);
  }

  async execute(): Promise<void> {
    if (!this.retention || performance.now() < this.restsUntilMs) return;
    if ((await this.retention.prunePage()).over) this.restsUntilMs = performance.now() + REST_MS;
  }
}
