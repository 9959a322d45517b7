import type { Queries } from '../platform/database/database.js';
import type { Generation, Projection } from './projection.js';
import { tableOf } from './read-table.js';

const KEYS_SHOWN = 10;

/** What two tables of one projection hold, compared row by row. */
export interface Parity {
  equal: boolean;
  /** Rows and checksum over all columns, whatever their order. */
  old: { rows: number; checksum: string };
  new: { rows: number; checksum: string };
  /** Some keys that differ: ids of ours, never anything personal. */
  keys: string[];
}

/** Compares what the transaction sees of two generations. Costs one reading of both tables. */
export async function compareGenerations(
  tx: Queries,
  { name, table }: Pick<Projection<unknown>, 'name' | 'table'>,
  before: Generation,
  after: Generation,
): Promise<Parity> {
  const checksum = async (generation: Generation): Promise<Parity['old']> => {
    const [sum] = await tx.run<{ rows: bigint; checksum: string }>(
      `select count(*) as rows, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text as checksum from ${tableOf(name, generation)} t`,
    );
    return { rows: Number(sum!.rows), checksum: sum!.checksum };
  };
  const [old, built] = [await checksum(before), await checksum(after)];
  const equal = old.rows === built.rows && old.checksum === built.checksum;
  if (equal) return { equal, old, new: built, keys: [] };
  const differing = await tx.run<{ key: string }>(
    `select distinct coalesce(o.${table.keyColumn}, n.${table.keyColumn}) as key
     from ${tableOf(name, before)} o full join ${tableOf(name, after)} n on ${table.primaryKey.map((column) => `o.${column} = n.${column}`).join(' and ')}
     where o::text is distinct from n::text order by key limit ${KEYS_SHOWN}`,
  );
  return { equal, old, new: built, keys: differing.map(({ key }) => key) };
}
