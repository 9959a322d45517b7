import type { Database, Queries } from '../engines/database/database.js';
import { LEDGER } from './trees.js';

/**
 * Has the ledger built again from the beginning of the log, by whoever writes it. Checkpoints stay: the tree has to come
 * to each root that was signed, else it stops there, and nothing is signed before it has come to the last. What
 * stood for events of subjects that were erased is taken over, because nobody can make it again. May be called again
 * while it is being built.
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

/** Drops what was kept of a tree that has been built anew as far as it was. */
export async function dropFormer(database: Queries): Promise<void> {
  await database.run(
    `delete from ledger.former f using ledger.bundles b
     where b.site = f.site and b.env = f.env and b.number = f.number and length(b.entries) >= length(f.entries)`,
  );
}
