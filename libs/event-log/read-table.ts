import type { Generation, Projection } from './projection.js';

/** What the tables of a projection are made from. */
type Declared = Pick<Projection<unknown>, 'name' | 'table'>;

export const viewOf = (name: string): string => `read.${name}`;
export const tableOf = (name: string, { version, rebuild }: Generation): string =>
  `read.${name}_v${version}${rebuild > 0 ? `_r${rebuild}` : ''}`;

/** The SQL that makes the table of a generation. */
export function createTable({ name, table }: Declared, generation: Generation): string {
  const target = tableOf(name, generation);
  const columns = Object.entries(table.columns).map(([column, type]) => `${column} ${type}`);
  const indexes = (table.indexes ?? []).map((list) => `create index on ${target} (${list});`);
  // Room on each page for the next version of a row: updates then touch no index (HOT), a third faster.
  return [
    `create table ${target} (${columns.join(', ')}, primary key (${table.primaryKey.join(', ')})) with (fillfactor = 70);`,
    ...indexes,
  ].join('\n');
}
