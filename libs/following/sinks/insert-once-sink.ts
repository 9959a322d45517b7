import type { Statement } from '../../engines/database/database.js';
import { arrayParameters, ColumnArrays, type Columns } from './column-arrays.js';
import type { RecordedEvent } from '../../log/port.js';
import type { Row } from '../projections/projection.js';
import { Poison, type Effect, type Sink } from './sink.js';

export interface InsertOnceOptions {
  /** With its schema; it has a primary key or a unique constraint that tells a row from every other. */
  table: string;
  columns: Columns;
  /** The rows that an event brings; none where it does not matter. Pure. */
  rows: (event: RecordedEvent) => readonly Row[];
}

/**
 * Rows that are inserted and never changed by what follows: deliveries, indexes. A row that is there already stays as it
 * is, because a delivery of it may have begun since.
 */
export class InsertOnceSink implements Sink {
  private readonly insert: Statement;

  constructor(private readonly options: InsertOnceOptions) {
    const { table, columns } = options;
    const names = Object.keys(columns);
    this.insert = {
      name: `insert-once-${table}`,
      text: `
insert into ${table} (${names.join(', ')})
select ${names.join(', ')} from unnest(${arrayParameters(columns, names, 1)}) as r(${names.join(', ')})
on conflict do nothing`,
    };
  }

  prepare(events: readonly RecordedEvent[]): Effect {
    const { columns, rows } = this.options;
    const arrays = new ColumnArrays(columns);
    let counted = 0;
    for (const event of events) {
      try {
        const made = rows(event);
        if (made.length > 0) counted += 1;
        for (const row of made) arrays.add(row);
      } catch (cause) {
        throw new Poison(event.position, { cause });
      }
    }
    return { events: counted, isEmpty: arrays.rows === 0, write: (tx) => tx.query(this.insert, arrays.values) };
  }

  /** It remembers nothing. */
  reset(): void {}
}
