import type { Position } from '../../kernel/index.js';
import type { Queries } from '../../engines/database/database.js';
import type { Generation } from '../projections/projection.js';

/** A generation as the database knows it. */
export interface Known extends Generation {
  live: boolean;
  /** The command that alone may switch to it; null: any process that serves the projection. */
  builder: string | null;
  wantedShards: number;
  /** Whether its shards wait for each other, to be split anew. */
  isHeld: boolean;
  /** Of each shard. */
  positions: readonly Position[];
  /** The smallest of them. */
  position: Position;
}

const GENERATIONS = `
select g.version, g.rebuild, g.live, g.builder, g.wanted_shards as "wantedShards", min(s.position) as position,
       bool_or(s.held_at is not null) as "isHeld", array_agg(s.position::text order by s.shard) as positions
from projection.generations g join projection.shards s using (name, version, rebuild)
where g.name = $1 group by g.name, g.version, g.rebuild order by g.version, g.rebuild`;

/** All generations of a projection, the oldest first. */
export async function knownGenerations(tx: Queries, name: string): Promise<Known[]> {
  const rows = await tx.run<Omit<Known, 'positions'> & { positions: string[] }>(GENERATIONS, [name]);
  return rows.map((row) => ({ ...row, positions: row.positions.map(BigInt) }));
}

export const same = (a: Generation, b: Generation): boolean => a.version === b.version && a.rebuild === b.rebuild;
export const isNewer = (a: Generation, b: Generation): boolean =>
  a.version > b.version || (a.version === b.version && a.rebuild > b.rebuild);
