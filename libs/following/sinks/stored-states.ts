import { LRUCache } from 'lru-cache';
import type { DomainEvent } from '../../kernel/index.js';
import type { Database, Statement } from '../../engines/database/database.js';
import type { Projection, Row } from '../projections/projection.js';

/** Most folded states kept in memory: some 2 MB. What is not there is read with all else that a batch misses, in one statement. */
const STATES_MAX = 2_000;

/** The state of one key, and what stands in the table of it. */
export interface StoredState<State> {
  state: State;
  /** Identities of the rows that stand in the table. */
  rows: readonly string[];
}

/** What tells a row from the others of its key. */
export function identityOf({ table }: Pick<Projection<unknown>, 'table'>, row: Row): string {
  return JSON.stringify(
    table.primaryKey.map((column) => (typeof row[column] === 'bigint' ? String(row[column]) : row[column])),
  );
}

/** The columns that an identity names, as a row. */
export function rowOf({ table }: Pick<Projection<unknown>, 'table'>, identity: string): Row {
  const values = JSON.parse(identity) as unknown[];
  return Object.fromEntries(table.primaryKey.map((column, i) => [column, values[i]]));
}

/** The folded states of a projection: the last ones in memory, all others in their rows. */
export class StoredStates<State, E extends DomainEvent> {
  private readonly kept = new LRUCache<string, StoredState<State>>({ max: STATES_MAX });

  constructor(
    private readonly database: Database,
    private readonly projection: Projection<State, E>,
    private readonly load: Statement,
  ) {}

  keep(key: string, entry: StoredState<State>): void {
    this.kept.set(key, entry);
  }

  forget(): void {
    this.kept.clear();
  }

  begun(key: string): StoredState<State> {
    return { state: this.projection.initial(key), rows: [] };
  }

  /**
   * Copies for these keys: from memory, else from their rows, all in one query, else from the beginning. There are no
   * rows yet of those that are new.
   */
  async of(keys: ReadonlySet<string>, isNew: (key: string) => boolean): Promise<Map<string, StoredState<State>>> {
    const { load } = this.projection;
    const entries = new Map<string, StoredState<State>>();
    const missing: string[] = [];
    for (const key of keys) {
      const kept = this.kept.get(key);
      if (kept) entries.set(key, { ...kept });
      else if (isNew(key)) entries.set(key, this.begun(key));
      else missing.push(key);
    }
    if (missing.length === 0) return entries;
    const stored = await this.rowsOf(missing);
    for (const key of missing) {
      const rows = stored.get(key);
      entries.set(
        key,
        rows ? { state: load(key, rows), rows: rows.map((row) => identityOf(this.projection, row)) } : this.begun(key),
      );
    }
    return entries;
  }

  private async rowsOf(keys: readonly string[]): Promise<Map<string, Row[]>> {
    const { keyColumn } = this.projection.table;
    const stored = new Map<string, Row[]>();
    for (const row of await this.database.query<Row>(this.load, [keys])) {
      for (const [column, value] of Object.entries(row)) if (value instanceof Date) row[column] = value.toISOString();
      const key = row[keyColumn] as string;
      const rows = stored.get(key);
      if (rows) rows.push(row);
      else stored.set(key, [row]);
    }
    return stored;
  }
}
