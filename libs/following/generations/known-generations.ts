import { setImmediate as endOfTurn } from 'node:timers/promises';
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

const generations = (where: string): string => `
select g.name, g.version, g.rebuild, g.live, g.builder, g.wanted_shards as "wantedShards", min(s.position) as position,
       bool_or(s.held_at is not null) as "isHeld", array_agg(s.position::text order by s.shard) as positions
from projection.generations g join projection.shards s using (name, version, rebuild)
${where} group by g.name, g.version, g.rebuild order by g.version, g.rebuild`;
const OF_ONE = generations('where g.name = $1');
const OF_ALL = { name: 'known-generations', text: generations('') };

type Row = Omit<Known, 'positions'> & { name: string; positions: string[] };
const knownOf = ({ name: _, positions, ...row }: Row): Known => ({ ...row, positions: positions.map(BigInt) });

/** All generations of a projection, the oldest first. */
export async function knownGenerations(tx: Queries, name: string): Promise<Known[]> {
  return (await tx.run<Row>(OF_ONE, [name])).map(knownOf);
}

const asked = new WeakMap<Queries, Promise<Row[]>>();

/** The same, for those who look again and again: what is asked in one turn of a process is one statement for all of them. */
export async function knownTogether(database: Queries, name: string): Promise<Known[]> {
  let asking = asked.get(database);
  if (!asking) {
    asking = endOfTurn().then(() => {
      asked.delete(database);
      return database.query<Row>(OF_ALL, []);
    });
    asked.set(database, asking);
  }
  return (await asking).filter((row) => row.name === name).map(knownOf);
}

export const same = (a: Generation, b: Generation): boolean => a.version === b.version && a.rebuild === b.rebuild;
export const isNewer = (a: Generation, b: Generation): boolean =>
  a.version > b.version || (a.version === b.version && a.rebuild > b.rebuild);
