import type { Statement } from '../platform/database/database.js';
import { AFTER_MOVED, MOVED } from './checkpoint.js';
import { arrayParameters } from './column-arrays.js';
import type { Generation, Projection } from './projection.js';
import { tableOf } from './read-table.js';

export interface RowsStatements {
  /** The rows of some keys. */
  load: Statement;
  /** Values: those of a `Move`, then one array per column of the rows to write, then per key column of those to delete. */
  write: Statement;
}

/** The statements of the table of a generation. Rows come as `ColumnArrays`. */
export function rowsStatements(
  { name, table }: Pick<Projection<unknown>, 'name' | 'table'>,
  generation: Generation,
): RowsStatements {
  const target = tableOf(name, generation);
  const label = target.replace('read.', '');
  const columns = Object.keys(table.columns);
  const rest = columns.filter((column) => !table.primaryKey.includes(column));
  return {
    load: { name: `load-${label}`, text: `select * from ${target} where ${table.keyColumn} = any($1::text[])` },
    write: {
      name: `write-${label}`,
      text: `
with ${MOVED}, gone as (
  delete from ${target} t using unnest(${arrayParameters(table.columns, table.primaryKey, AFTER_MOVED + columns.length)}) as d(${table.primaryKey.join(', ')})
  where exists (select from moved) and ${table.primaryKey.map((column) => `t.${column} = d.${column}`).join(' and ')}
), written as (
  insert into ${target} (${columns.join(', ')})
  select ${columns.join(', ')} from unnest(${arrayParameters(table.columns, columns, AFTER_MOVED)}) as r(${columns.join(', ')}) where exists (select from moved)
  on conflict (${table.primaryKey.join(', ')}) do ${rest.length === 0 ? 'nothing' : `update set ${rest.map((column) => `${column} = excluded.${column}`).join(', ')}`}
)
select count(*)::int as moved from moved`,
    },
  };
}
