import { isForgotten } from '../kernel/index.js';
import type { Row } from './projection.js';

/** `text collate "C" not null` is `text`. */
const bareType = (type: string): string =>
  type.split(/ (?:collate|not null|null|default|check|references|generated)\b/)[0]!;

/** Column name to SQL type with its constraints. */
export type Columns = Readonly<Record<string, string>>;

/** `$5::text[], $6::bigint[]`: what a statement unnests. */
export const arrayParameters = (columns: Columns, names: readonly string[], from: number): string =>
  names.map((name, i) => `$${from + i}::${bareType(columns[name]!)}[]`).join(', ');

/**
 * Rows as one array per column, which Postgres reads a third faster than JSON. Forgotten values and those that are not
 * there become null.
 */
export class ColumnArrays {
  readonly values: unknown[][];
  private readonly names: readonly string[];
  private readonly isJson: readonly boolean[];

  constructor(columns: Columns, names: readonly string[] = Object.keys(columns)) {
    this.names = names;
    this.isJson = names.map((name) => /^jsonb?\b/.test(columns[name]!));
    this.values = names.map(() => []);
  }

  add(row: Row): void {
    for (let i = 0; i < this.names.length; i++) {
      const value = row[this.names[i]!];
      if (value === undefined || value === null || isForgotten(value)) this.values[i]!.push(null);
      else this.values[i]!.push(this.isJson[i] ? JSON.stringify(value) : value);
    }
  }

  get rows(): number {
    return this.values[0]!.length;
  }
}
