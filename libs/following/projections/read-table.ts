import { withMembers } from '../../kernel/index.js';
import type { Counts, Generation, Projection } from './projection.js';

/** What the tables of a projection are made from. */
export type Declared = Pick<Projection<unknown>, 'name' | 'table'> & { counts?: CountedCells };

/** As far as tables are concerned, what a projection counts. */
export type CountedCells = Pick<Counts<never>, 'cell' | 'of'>;

export const viewOf = (name: string): string => `read.${name}`;
export const tableOf = (name: string, { version, rebuild }: Generation): string =>
  `read.${name}_v${version}${rebuild > 0 ? `_r${rebuild}` : ''}`;
/** Where a projection that counts keeps its numbers: the view, and the table of a generation. */
export const countsViewOf = (name: string): string => `${viewOf(name)}_counts`;
export const countsTableOf = (name: string, generation: Generation): string => `${tableOf(name, generation)}_counts`;

/** Every column of a table of counts with its type. */
export const countsColumns = ({ cell, of }: CountedCells): Record<string, string> =>
  withMembers(cell, Object.fromEntries(of.map((name) => [name, 'bigint not null'])));

/** The SQL that makes the tables of a generation. */
export function createTable({ name, table, counts }: Declared, generation: Generation): string {
  const target = tableOf(name, generation);
  const columns = Object.entries(table.columns).map(([column, type]) => `${column} ${type}`);
  const indexes = (table.indexes ?? []).map((list) => `create index on ${target} (${list});`);
  // Room on each page for the next version of a row: updates then touch no index (HOT), a third faster.
  return [
    `create table ${target} (${columns.join(', ')}, primary key (${table.primaryKey.join(', ')})) with (fillfactor = 70);`,
    ...indexes,
    ...(counts ? [createCounts(name, counts, generation)] : []),
  ].join('\n');
}

function createCounts(name: string, counts: CountedCells, generation: Generation): string {
  const columns = Object.entries(countsColumns(counts)).map(([column, type]) => `${column} ${type}`);
  return `create table ${countsTableOf(name, generation)} (${columns.join(', ')}, primary key (${Object.keys(counts.cell).join(', ')})) with (fillfactor = 70);`;
}
