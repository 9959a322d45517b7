import { createHash } from 'node:crypto';
import {
  canonicalJson,
  didYouMean,
  IDENTIFIER_KINDS,
  isRefusal,
  parseReference,
  referenceText,
  type Instant,
  type Issue,
} from '../../kernel/index.js';
import type { FileRow } from './file-rows.js';
import type { ImportMap, RecordRule, ValueRule } from './import-map.js';
import { RowFault } from './row-fault.js';
import {
  columnsOf,
  elementsOf,
  holds,
  instantIn,
  jsonIn,
  NO_RECORD,
  textOf,
  translated,
  valueOf,
  withItem,
  type ColumnReader,
} from './row-values.js';

export type RecordKind = 'consent' | 'preference';

/** A record as it is sent. */
export interface ImportRecord {
  kind: RecordKind;
  /** Normalised reference: two spellings of a person are one. */
  subject: string;
  /** Body of an item of a batch, `idempotencyKey` included. */
  body: Readonly<Record<string, unknown>>;
  /** Bytes of the body, nearly. */
  bytes: number;
  /** For the report: purpose and decision, or the field and what was wanted. */
  about: string;
  decision: string;
}

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
  const { index, issues } = header === null ? { index: new Map<string, number>(), issues: [] } : columnIndex(map, header);
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

type TextOf = (name: string) => ReturnType<typeof textOf>;
type Named = Pick<ImportRecord, 'kind' | 'about' | 'decision' | 'body'>;

function missing(field: string, { fields, path }: RecordRule): never {
  const columns = fields.get(field)?.columns.join(', ');
  throw new RowFault('value_missing', `has no ${field}${columns ? ` (column ${columns})` : ''}, which ${path} needs`);
}

function consentIn(text: TextOf, map: ImportMap, rule: RecordRule): Named | null {
  const old = text('purpose');
  const said = text('decision');
  if (old === NO_RECORD || said === NO_RECORD) return null;
  const purpose = translated(map.purposes, old ?? missing('purpose', rule));
  if (purpose === null) return null;
  const decision = (said ?? missing('decision', rule)).toUpperCase();
  const version = text('purposeVersion');
  const body = {
    purpose: purpose ?? old,
    decision,
    ...(typeof version === 'string' && { purposeVersion: Number(version) }),
  };
  return { kind: 'consent', about: purpose ?? old!, decision, body };
}

function preferenceIn(
  fields: RecordRule['fields'],
  text: TextOf,
  read: ColumnReader,
  rule: RecordRule,
): Named | null {
  const channel = text('channel');
  const optOut = text('globalOptOut');
  if (channel === NO_RECORD || optOut === NO_RECORD) return null;
  const isOptOut = fields.has('globalOptOut') && optOut !== undefined;
  const optOutBody = isOptOut && { globalOptOut: jsonIn(optOut) };
  if (!fields.has('field'))
    return isOptOut
      ? { kind: 'preference', about: 'global opt-out', decision: optOut, body: { ...optOutBody } }
      : null;
  const field = text('field');
  const wanted = valueOf(fields.get('value')!, read);
  const frequency = text('frequency');
  if (field === NO_RECORD || wanted === NO_RECORD) return null;
  const value = jsonIn(wanted ?? missing('value', rule));
  const body = {
    ...(channel !== undefined && { channel }),
    values: [
      { field: field ?? missing('field', rule), value, ...(typeof frequency === 'string' && { frequency }) },
    ],
    ...optOutBody,
  };
  const about = channel === undefined ? field! : `${channel} ${field}`;
  // What a person typed into a field is nobody's business in a report.
  return { kind: 'preference', about, decision: typeof value === 'boolean' ? String(value) : 'a value', body };
}

function subjectIn(text: string, kind: string | undefined): string {
  const lower = kind?.toLowerCase();
  const isKnown = (IDENTIFIER_KINDS as readonly (string | undefined)[]).includes(lower);
  const reference = parseReference(kind === undefined ? text : `${isKnown ? lower : kind}:${text}`);
  if (isRefusal(reference)) throw new RowFault(reference.code, `${reference.message} ${reference.hint}`);
  return reference.kind === 'subject' ? reference.value : referenceText(reference);
}

type Known = (name: string) => string | undefined;

function jurisdictionIn(known: Known): { jurisdiction?: object } {
  const [country, region] = [known('country')?.toUpperCase(), known('region')?.toUpperCase()];
  if (country === undefined && region === undefined) return {};
  const source = known('placeSource')?.toUpperCase() ?? 'DECLARED';
  return { jurisdiction: { ...(country && { country }), ...(region && { region }), source } };
}

function collectionIn(known: Known): { collection?: object } {
  const [method, surface, url, locale] = ['method', 'surface', 'url', 'locale'].map(known);
  if ([method, surface, url, locale].every((each) => each === undefined)) return {};
  return {
    collection: {
      method: method?.toUpperCase() ?? 'IMPORT',
      surface: surface?.toUpperCase() ?? 'API',
      ...(url !== undefined && { url }),
      ...(locale !== undefined && { locale: locale.replaceAll('_', '-') }),
    },
  };
}

/** Own facts about the record. `row_id` leads back to the file, `given_at` says that the date is not of the row. */
function metadataIn(
  fields: RecordRule['fields'],
  read: ColumnReader,
  rowId: string | undefined,
  isAssumed: boolean,
): Record<string, unknown> | null {
  const found: Record<string, unknown> = {};
  for (const [name, rule] of fields) {
    if (!name.startsWith('metadata')) continue;
    const value = valueOf(rule, read);
    if (value === undefined || value === NO_RECORD) continue;
    const whole = name === 'metadata' ? jsonIn(value) : null;
    if (typeof whole === 'object' && whole !== null && !Array.isArray(whole)) Object.assign(found, whole);
    else found[name.replace(/^metadata\./, '')] = value;
  }
  if (rowId !== undefined) found['row_id'] = rowId;
  if (isAssumed) found['given_at'] = 'set for the whole import';
  return Object.keys(found).length > 0 ? found : null;
}

/**
 * The key is a digest of the record itself, so the same record is recorded once, whatever file it comes in: the same
 * file again, renamed, packed, in another order, with mended rows, or a later export that begins with the same rows.
 * A key of the file and the row number would record all rows twice where one of them was mended. Rows that are equal in
 * everything, `row_id` included, are one record.
 */
function withKey(kind: RecordKind, record: Readonly<Record<string, unknown>>): Pick<ImportRecord, 'body' | 'bytes'> {
  let text: string;
  try {
    text = canonicalJson(record);
  } catch {
    throw new RowFault('text_broken', 'holds half of a character (a lone surrogate): mend the text');
  }
  const digest = createHash('sha256').update(`${kind} ${text}`).digest('base64url');
  return { body: { ...record, idempotencyKey: `import-${digest}` }, bytes: Buffer.byteLength(text) + 100 };
}
