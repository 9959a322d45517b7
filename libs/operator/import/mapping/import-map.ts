import type { DateRule } from './dates.js';

/** Where a value of a record comes from, and how it translates. */
export interface ValueRule {
  /** Place in the map, such as `records[0].decision`; problems name it. */
  path: string;
  /** Columns of the row, the first with a value counts. `item`: of the list of `each`. Empty: a constant. */
  columns: readonly string[];
  constant: unknown;
  /** By the text that the row has; null as the result: no record comes of it. */
  values: ReadonlyMap<string, unknown> | null;
  /** For what `values` does not name. Undefined: the row is rejected. */
  otherwise: unknown;
  /** A row, and a file, without the column is right as well. */
  optional: boolean;
  /** Base64 becomes base64url without padding, as ids of visitors are written. */
  base64url: boolean;
  dates: DateRule;
}

/** What one row becomes, once, or once for each element of a list. */
export interface RecordRule {
  path: string;
  each: EachRule | null;
  /** Where one does not hold, this record is not made. */
  where: readonly RowCondition[];
  /** By the name of the field. `subject.kind` and `metadata.<name>` are fields too. */
  fields: ReadonlyMap<string, ValueRule>;
}

export interface EachRule {
  path: string;
  column: string;
  /** Between the elements where the list is a text that is no JSON. */
  separator: string;
}

/** Rows that are taken: those whose value is, or is not, one of these. */
export interface RowCondition {
  rule: ValueRule;
  is: ReadonlySet<string> | null;
  isNot: ReadonlySet<string> | null;
}

export interface ImportMap {
  encoding: string | null;
  delimiter: string | null;
  header: readonly string[] | null;
  /** Keys of purposes by what the file calls them; null: no record. */
  purposes: ReadonlyMap<string, string | null>;
  where: readonly RowCondition[];
  records: readonly RecordRule[];
}
