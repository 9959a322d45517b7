import { isForgotten } from '../../kernel/index.js';
import { binaryArray, hasBinaryForm, textArray } from '../../engines/database/binary-array.js';
import type { Row } from '../projections/projection.js';

/** `text collate "C" not null` is `text`. */
const bareType = (type: string): string =>
  type.split(/ (?:collate|not null|null|default|check|references|generated)\b/)[0]!;

/** Column name to SQL type with its constraints. */
export type Columns = Readonly<Record<string, string>>;

/** `$5::text[], $6::text[]::bigint[]`: what a statement unnests. */
export const arrayParameters = (columns: Columns, names: readonly string[], from: number): string =>
  names
    .map((name, i) => {
      const type = bareType(columns[name]!);
      return hasBinaryForm(type) ? `$${from + i}::${type}[]` : `$${from + i}::text[]::${type}[]`;
    })
    .join(', ');

/**
 * Rows as one array per column, which Postgres reads a third faster than JSON. Forgotten values and those that are not
 * there become null. Each goes as text in the binary form of arrays, which escapes nothing; the database makes of it what
 * the column holds, and refuses what it cannot.
 */
export class ColumnArrays {
  private readonly names: readonly string[];
  private readonly types: readonly string[];
  private readonly isJson: readonly boolean[];
  private readonly arrays: unknown[][];

  constructor(columns: Columns, names: readonly string[] = Object.keys(columns)) {
    this.names = names;
    this.types = names.map((name) => bareType(columns[name]!));
    this.isJson = this.types.map((type) => type === 'json' || type === 'jsonb');
    this.arrays = names.map(() => []);
  }

  add(row: Row): void {
    for (let i = 0; i < this.names.length; i++) {
      const value = row[this.names[i]!];
      if (value === undefined || value === null || isForgotten(value)) this.arrays[i]!.push(null);
      else this.arrays[i]!.push(this.isJson[i] ? JSON.stringify(value) : isPlain(value) ? String(value) : value);
    }
  }

  get rows(): number {
    return this.arrays[0]!.length;
  }

  /** The values of `arrayParameters`. */
  get values(): unknown[] {
    return this.arrays.map((values, i) => {
      const type = this.types[i]!;
      if (!values.every(isTextOrNull)) return values;
      return hasBinaryForm(type) ? binaryArray(type, values) : textArray(values);
    });
  }
}

const isPlain = (value: unknown): value is number | bigint | boolean =>
  typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean';
const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string';
