import type { Database, Queries } from '../engines/database/database.js';
import { LEDGER } from './trees.js';

/**
 * Makes the ledger's writer build it again from the beginning of the log. Checkpoints stay. The tree has to reach each
 * signed root; where it does not, it stops there. The service signs nothing before the tree has reached the last one.
 * Entries of erased subjects are taken over from the old tree, because their salts are gone. May be called again while the
 * ledger is being built.
 */
export function beginAnew(database: Database): Promise<void> {
  return database.transaction(async (tx) => {
    await tx.run('select 1 from projection.shards where name = $1 for update', [LEDGER]);
    await tx.run(KEEP);
    await tx.run('truncate ledger.trees, ledger.bundles, ledger.tiles');
    await tx.run(
      `update projection.shards set position = -1, status = 'running', error = null, poison_position = null, owner = null, owned_until = null, updated_at = now() where name = $1`,
      [LEDGER],
    );
  });
}

const KEEP = `
insert into ledger.former as f select * from ledger.bundles
on conflict (site, env, number) do update set entries = excluded.entries, positions = excluded.positions
  where length(excluded.entries) > length(f.entries)`;

/** Drops the old entries of trees that have been built anew to their former size. */
export async function dropFormer(database: Queries): Promise<void> {
  await database.run(
    `delete from ledger.former f using ledger.bundles b
     where b.site = f.site and b.env = f.env and b.number = f.number and length(b.entries) >= length(f.entries)`,
  );
}
