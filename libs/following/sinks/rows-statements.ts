import type { Statement } from '../../engines/database/database.js';
import { arrayParameters } from './column-arrays.js';
import type { Generation } from '../projections/projection.js';
import { countsColumns, countsTableOf, tableOf, type CountedCells, type Declared } from '../projections/read-table.js';

export interface RowsStatements {
  /** The rows of some keys. */
  load: Statement;
  /**
   * Values: one array per column of the rows to write, then per key column of those to delete, then per column of what is
   * added to counts.
   */
  write: Statement;
}

/** The statements of the table of a generation. Rows come as `ColumnArrays`. */
export function rowsStatements({ name, table, counts }: Declared, generation: Generation): RowsStatements {
  const target = tableOf(name, generation);
  const label = target.replace('read.', '');
  const columns = Object.keys(table.columns);
  const rest = columns.filter((column) => !table.primaryKey.includes(column));
  const afterRows = 1 + columns.length + table.primaryKey.length;
  return {
    load: { name: `load-${label}`, text: `select * from ${target} where ${table.keyColumn} = any($1::text[])` },
    write: {
      name: `write-${label}`,
      text: `
with gone as (
  delete from ${target} t using unnest(${arrayParameters(table.columns, table.primaryKey, 1 + columns.length)}) as d(${table.primaryKey.join(', ')})
  where ${table.primaryKey.map((column) => `t.${column} = d.${column}`).join(' and ')}
)${counts ? adding(countsTableOf(name, generation), counts, afterRows) : ''}
insert into ${target} (${columns.join(', ')})
select ${columns.join(', ')} from unnest(${arrayParameters(table.columns, columns, 1)}) as r(${columns.join(', ')})
on conflict (${table.primaryKey.join(', ')}) do ${rest.length === 0 ? 'nothing' : `update set ${rest.map((column) => `${column} = excluded.${column}`).join(', ')}`}`,
    },
  };
}

/** In the order of the cells, so that two shards that add to the same ones never wait for each other. */
function adding(target: string, counts: CountedCells, from: number): string {
  const columns = countsColumns(counts);
  const names = Object.keys(columns);
  const cell = Object.keys(counts.cell).join(', ');
  return `, added as (
  insert into ${target} as t (${names.join(', ')})
  select ${names.join(', ')} from unnest(${arrayParameters(columns, names, from)}) as r(${names.join(', ')})
  order by ${cell}
  on conflict (${cell}) do update set ${counts.of.map((name) => `${name} = t.${name} + excluded.${name}`).join(', ')}
)`;
}
