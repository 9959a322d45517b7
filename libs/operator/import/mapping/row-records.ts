import { didYouMean, type Instant, type Issue } from '../../../kernel/index.js';
import type { FileRow } from '../reading/file-rows.js';
import type { ImportMap, RecordRule, ValueRule } from './import-map.js';
import { withKey, type ImportRecord } from './import-record.js';
import {
  collectionIn,
  consentIn,
  jurisdictionIn,
  metadataIn,
  missing,
  preferenceIn,
  subjectIn,
} from './record-fields.js';
import { RowFault } from './row-fault.js';
import {
  columnsOf,
  elementsOf,
  holds,
  instantIn,
  NO_RECORD,
  textOf,
  withItem,
  type ColumnReader,
} from './row-values.js';

/** Makes records of rows by a map. */
export interface RecordMaker {
  /** Records of a row; none where the map leaves it out. Throws a RowFault where the row is wrong. */
  recordsOf(content: NonNullable<FileRow['content']>): ImportRecord[];
}

/** A maker for a file, or the columns of the map that it lacks. `header`: of a CSV; null: objects. */
export function recordMaker(
  map: ImportMap,
  header: readonly string[] | null,
  givenAt: Instant | null,
): RecordMaker | Issue[] {
  const { index, issues } =
    header === null ? { index: new Map<string, number>(), issues: [] } : columnIndex(map, header);
  if (issues.length > 0) return issues;
  return {
    recordsOf: (content) => {
      const read = columnsOf(content, index);
      if (!map.where.every((condition) => holds(condition, read))) return [];
      return map.records.flatMap((rule) => recordsOf(rule, map, read, givenAt));
    },
  };
}

/** Where the columns that a map names stand in a file: exact names, else without regard to capitals. */
function columnIndex(map: ImportMap, header: readonly string[]): { index: Map<string, number>; issues: Issue[] } {
  const index = new Map<string, number>();
  const issues: Issue[] = [];
  const find = (column: string): boolean => {
    if (/^item(\.|$)/.test(column) || index.has(column)) return true;
    const exact = header.indexOf(column);
    const at = exact >= 0 ? exact : header.findIndex((name) => name.toLowerCase() === column.toLowerCase());
    if (at >= 0) index.set(column, at);
    return at >= 0;
  };
  // Of several columns one is enough.
  const findAll = ({ columns, path, optional }: Pick<ValueRule, 'columns' | 'path' | 'optional'>): void => {
    if (columns.filter(find).length > 0 || columns.length === 0 || optional) return;
    const names = columns.map((column) => `"${column}"`).join(' or ');
    issues.push({ path, message: `the file has no column ${names}${didYouMean(columns[0]!, header)}` });
  };
  for (const { rule } of map.where) findAll(rule);
  for (const { each, where, fields } of map.records) {
    if (each) findAll({ columns: [each.column], path: each.path, optional: false });
    for (const { rule } of where) findAll(rule);
    fields.forEach(findAll);
  }
  return { index, issues };
}

function recordsOf(rule: RecordRule, map: ImportMap, read: ColumnReader, givenAt: Instant | null): ImportRecord[] {
  const readers = rule.each ? elementsOf(rule.each, read).map((item) => withItem(read, item)) : [read];
  return readers.flatMap((each) =>
    rule.where.every((condition) => holds(condition, each)) ? (recordOf(rule, map, each, givenAt) ?? []) : [],
  );
}

/** Null where a value says that no record is wanted. */
function recordOf(rule: RecordRule, map: ImportMap, read: ColumnReader, assumed: Instant | null): ImportRecord | null {
  const { fields } = rule;
  const text = (name: string) => textOf(fields.get(name), read);
  const known = (name: string): string | undefined => {
    const found = text(name);
    return found === NO_RECORD ? undefined : found;
  };
  const named = fields.has('purpose') ? consentIn(text, map, rule) : preferenceIn(fields, text, read, rule);
  const subjectText = text('subject');
  if (named === null || subjectText === NO_RECORD) return null;
  const subject = subjectIn(subjectText ?? missing('subject', rule), known('subject.kind'));
  const dated = instantIn(fields.get('givenAt'), read);
  const givenAt = dated ?? assumed;
  if (givenAt === null)
    throw new RowFault('date_missing', 'has no date: add the column, or set one for all such rows with --given-at');
  const expiresAt = instantIn(fields.get('expiresAt'), read);
  const metadata = metadataIn(fields, read, known('rowId'), dated === undefined);
  const body = {
    subject,
    ...named.body,
    source: 'MIGRATION',
    givenAt,
    ...(expiresAt !== undefined && { expiresAt }),
    ...jurisdictionIn(known),
    ...collectionIn(known),
    ...(metadata && { metadata }),
  };
  const { kind, about, decision } = named;
  return { kind, subject, about, decision, ...withKey(kind, body) };
}
