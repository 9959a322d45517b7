import { dateIn } from './dates.js';
import type { FileRow } from '../reading/file-rows.js';
import type { EachRule, RowCondition, ValueRule } from './import-map.js';
import { RowFault } from './row-fault.js';
import type { Instant } from '../../../kernel/index.js';

/** What `values` answers for a value of which no record comes. */
export const NO_RECORD = Symbol('no record');

/** Most elements of one list. */
const ELEMENTS_MAX = 1_000;

/** Reads a column of the row at hand; undefined: there is none. */
export type ColumnReader = (column: string) => unknown;

/** `index`: where each column of a CSV stands. An object is read by names, and by paths such as `user.id`. */
export const columnsOf = (
  content: NonNullable<FileRow['content']>,
  index: ReadonlyMap<string, number>,
): ColumnReader =>
  isCells(content) ? (column) => content[index.get(column) ?? -1] : (column) => atPath(content, column);

const isCells = (content: NonNullable<FileRow['content']>): content is readonly string[] => Array.isArray(content);

/** With the columns of one element of a list before those of the row: `item`, `item.id`. */
export const withItem =
  (read: ColumnReader, item: unknown): ColumnReader =>
  (column) =>
    column === 'item' ? item : column.startsWith('item.') ? atPath(item, column.slice(5)) : read(column);

function atPath(value: unknown, path: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, path)) return (value as Record<string, unknown>)[path];
  const dot = path.indexOf('.');
  return dot < 0 ? undefined : atPath(own(value, path.slice(0, dot)), path.slice(dot + 1));
}
const own = (value: object, name: string): unknown =>
  Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;

/** The value of a field; undefined where the row has none. Throws a RowFault. */
export function valueOf(rule: ValueRule, read: ColumnReader): unknown {
  if (rule.columns.length === 0) return rule.constant;
  const raw = rule.columns.map(read).find((each) => !isEmpty(each));
  if (rule.values === null) return isEmpty(raw) ? rule.otherwise : raw;
  const text = isEmpty(raw) ? '' : textIn(raw, rule);
  const meant = translated(rule.values, text);
  if (meant !== undefined) return meant ?? NO_RECORD;
  if (rule.otherwise !== undefined) return rule.otherwise ?? NO_RECORD;
  if (text === '') return undefined;
  throw new RowFault(
    'value_unknown',
    `"${shown(text)}" in ${rule.columns.join(', ')} is not among the values of ${rule.path}: add it there, with null where no record is wanted`,
  );
}

/** By the exact text, else without regard to capitals. */
export function translated<T>(values: ReadonlyMap<string, T>, text: string): T | undefined {
  const exact = values.get(text);
  if (exact !== undefined) return exact;
  const lower = text.toLowerCase();
  for (const [key, value] of values) if (key.toLowerCase() === lower) return value;
  return undefined;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

export const shown = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** A value as text, without blanks around it. */
export function textIn(value: unknown, { path, columns, base64url }: ValueRule): string {
  if (typeof value === 'string') return base64url ? inBase64url(value.trim()) : value.trim();
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new RowFault(
      'number_too_large',
      `the number in ${columns.join(', ') || path} is too large to be read exactly: write it as a text, in quotation marks`,
    );
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const inBase64url = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

/** The text of a field; undefined where the row has none, NO_RECORD where none is wanted. */
export function textOf(rule: ValueRule | undefined, read: ColumnReader): string | undefined | typeof NO_RECORD {
  const value = rule && valueOf(rule, read);
  if (value === undefined || value === NO_RECORD) return value;
  return isEmpty(value) ? undefined : textIn(value, rule!);
}

export function instantIn(rule: ValueRule | undefined, read: ColumnReader): Instant | undefined {
  const text = textOf(rule, read);
  if (text === undefined || text === NO_RECORD) return undefined;
  const found = dateIn(text, rule!.dates);
  if (typeof found === 'string') return found;
  throw new RowFault('date_invalid', found.fault);
}

/** A text that is JSON (`true`, `12`, `null`, `["a"]`, `"12"`) is that value, every other one a text. */
export function jsonIn(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (!/^(true|false|null|-?\d|["[{])/i.test(text)) return text;
  try {
    return JSON.parse(/^(true|false|null)$/i.test(text) ? text.toLowerCase() : text);
  } catch {
    return text;
  }
}

export function holds({ rule, is, isNot }: RowCondition, read: ColumnReader): boolean {
  const text = textOf(rule, read) ?? '';
  if (text === NO_RECORD) return false;
  return is ? is.has(text) : !isNot!.has(text);
}

/** The elements of a list: of an array, of an object as `{ key, value }`, of JSON in a text, or of a text with separators. */
export function elementsOf({ column, separator, path }: EachRule, read: ColumnReader): unknown[] {
  const found = listIn(read(column), separator);
  if (found.length > ELEMENTS_MAX)
    throw new RowFault('list_too_long', `${path}: ${column} has more than ${ELEMENTS_MAX} elements`);
  return found;
}

function listIn(value: unknown, separator: string): unknown[] {
  if (isEmpty(value)) return [];
  if (Array.isArray(value)) return value as unknown[];
  if (typeof value === 'object') return Object.entries(value!).map(([key, of]) => ({ key, value: of as unknown }));
  const text = String(value).trim();
  const parsed = /^[[{]/.test(text) ? jsonIn(text) : text;
  if (typeof parsed === 'object') return listIn(parsed, separator);
  return text
    .split(separator)
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
