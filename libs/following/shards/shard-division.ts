import type { Position } from '../../kernel/index.js';
import type { Queries } from '../../engines/database/database.js';
import { knownGenerations, same } from '../generations/known-generations.js';
import type { Generation } from '../projections/projection.js';

const OF = 'name = $1 and version = $2 and rebuild = $3';

/** The checkpoints of a generation in so many shards, all at one position. */
export async function createShards(
  tx: Queries,
  name: string,
  { version, rebuild }: Generation,
  shards: number,
  position: Position,
): Promise<void> {
  await tx.run(
    `insert into projection.shards (name, version, rebuild, shard, shards, position)
     select $1, $2, $3, shard, $4, $5 from generate_series(0, $4::int - 1) as shard`,
    [name, version, rebuild, shards, position],
  );
}

/** Locks the checkpoints of the generation: none of them moves until the transaction ends. */
export async function freezeShards(tx: Queries, name: string, { version, rebuild }: Generation): Promise<void> {
  await tx.run(`select 1 from projection.shards where ${OF} order by shard for update`, [name, version, rebuild]);
}

/**
 * Splits a generation into as many shards as it should have, at a position that all its shards have reached. Where they
 * are apart, none may go further than the first of them until all are there. True when it is so split.
 *
 * A shard's rows are the fold of its streams up to its checkpoint. Where all shards stand at one position, the rows of
 * all are the fold of all streams up to there, however they are divided. An owner of the old division writes nothing
 * any more: its statement names the number of shards that it knew.
 */
export async function divideAnew(tx: Queries, name: string, generation: Generation): Promise<boolean> {
  const of = [name, generation.version, generation.rebuild];
  await freezeShards(tx, name, generation);
  const known = (await knownGenerations(tx, name)).find((each) => same(each, generation));
  if (!known) return true;
  const hold = (position: Position | null): Promise<unknown> =>
    tx.run(`update projection.shards set held_at = $4 where ${OF}`, [...of, position]);
  if (known.positions.length === known.wantedShards) {
    if (known.isHeld) await hold(null);
    return true;
  }
  const furthest = known.positions.reduce((a, b) => (a > b ? a : b));
  const [halted] = await tx.run(`select 1 from projection.shards where ${OF} and status <> 'running'`, of);
  if (known.position < furthest || halted) {
    // A shard that an event has stopped would hold up all others until an operator looks at it.
    await hold(halted ? null : furthest);
    return false;
  }
  await tx.run(`delete from projection.shards where ${OF}`, of);
  await createShards(tx, name, generation, known.wantedShards, furthest);
  return true;
}
