import type { Queries } from '../../engines/database/database.js';
import type { Generation } from './projection.js';
import { countsTableOf, tableOf, type CountedCells, type Declared } from './read-table.js';

const KEYS_SHOWN = 10;

/** What two tables of one projection hold, compared row by row: the rows, and what is counted besides. */
export interface Parity {
  equal: boolean;
  /** Rows and checksum over all columns, whatever their order. */
  old: { rows: number; checksum: string };
  new: { rows: number; checksum: string };
  /** Some keys that differ: ids of ours, never anything personal. */
  keys: string[];
}

/** Two tables of the same rows. */
interface Compared {
  before: string;
  after: string;
  /** SQL that names a row, for an operator who looks for what differs; null where the row is not there. */
  key: (row: string) => string;
  identity: readonly string[];
}

/** Compares what the transaction sees of two generations. Costs one reading of their tables. */
export async function compareGenerations(
  tx: Queries,
  { name, table, counts }: Declared,
  before: Generation,
  after: Generation,
): Promise<Parity> {
  const rows: Compared = {
    before: tableOf(name, before),
    after: tableOf(name, after),
    key: (row) => `${row}.${table.keyColumn}`,
    identity: table.primaryKey,
  };
  const parities = [await compare(tx, rows)];
  if (counts) parities.push(await compare(tx, countedTables(name, counts, before, after)));
  return parities.reduce(both);
}

/** Without cells that come to nothing: whether those have a row depends on how the events came in batches. */
function countedTables(name: string, { cell, of }: CountedCells, before: Generation, after: Generation): Compared {
  const filled = (generation: Generation): string =>
    `(select * from ${countsTableOf(name, generation)} where ${of.map((each) => `${each} <> 0`).join(' or ')})`;
  const identity = Object.keys(cell);
  return {
    before: filled(before),
    after: filled(after),
    key: (row) => `nullif(concat_ws(' ', ${identity.map((column) => `${row}.${column}`).join(', ')}), '')`,
    identity,
  };
}

const both = (a: Parity, b: Parity): Parity => ({
  equal: a.equal && b.equal,
  old: sum(a.old, b.old),
  new: sum(a.new, b.new),
  keys: [...a.keys, ...b.keys].slice(0, KEYS_SHOWN),
});

const sum = (a: Parity['old'], b: Parity['old']): Parity['old'] => ({
  rows: a.rows + b.rows,
  checksum: String(BigInt(a.checksum) + BigInt(b.checksum)),
});

async function compare(tx: Queries, { before, after, key, identity }: Compared): Promise<Parity> {
  const checksum = async (table: string): Promise<Parity['old']> => {
    const [read] = await tx.run<{ rows: bigint; checksum: string }>(
      `select count(*) as rows, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text as checksum from ${table} t`,
    );
    return { rows: Number(read!.rows), checksum: read!.checksum };
  };
  const [old, built] = [await checksum(before), await checksum(after)];
  const equal = old.rows === built.rows && old.checksum === built.checksum;
  if (equal) return { equal, old, new: built, keys: [] };
  const differing = await tx.run<{ key: string }>(
    `select distinct coalesce(${key('o')}, ${key('n')}) as key
     from ${before} o full join ${after} n on ${identity.map((column) => `o.${column} = n.${column}`).join(' and ')}
     where o::text is distinct from n::text order by key limit ${KEYS_SHOWN}`,
  );
  return { equal, old, new: built, keys: differing.map(({ key }) => key) };
}
