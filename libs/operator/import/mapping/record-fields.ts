import { IDENTIFIER_KINDS, isRefusal, parseReference, referenceText } from '../../../kernel/index.js';
import type { ImportMap, RecordRule } from './import-map.js';
import type { ImportRecord } from './import-record.js';
import { RowFault } from './row-fault.js';
import { jsonIn, NO_RECORD, translated, valueOf, type ColumnReader, type textOf } from './row-values.js';

/** Reads a field of the row at hand by its name. */
export type TextOf = (name: string) => ReturnType<typeof textOf>;
export type Named = Pick<ImportRecord, 'kind' | 'about' | 'decision' | 'body'>;

export function missing(field: string, { fields, path }: RecordRule): never {
  const columns = fields.get(field)?.columns.join(', ');
  throw new RowFault('value_missing', `has no ${field}${columns ? ` (column ${columns})` : ''}, which ${path} needs`);
}

export function consentIn(text: TextOf, map: ImportMap, rule: RecordRule): Named | null {
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

export function preferenceIn(
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
    return isOptOut ? { kind: 'preference', about: 'global opt-out', decision: optOut, body: { ...optOutBody } } : null;
  const field = text('field');
  const wanted = valueOf(fields.get('value')!, read);
  const frequency = text('frequency');
  if (field === NO_RECORD || wanted === NO_RECORD) return null;
  const value = jsonIn(wanted ?? missing('value', rule));
  const body = {
    ...(channel !== undefined && { channel }),
    values: [{ field: field ?? missing('field', rule), value, ...(typeof frequency === 'string' && { frequency }) }],
    ...optOutBody,
  };
  const about = channel === undefined ? field! : `${channel} ${field}`;
  // A report does not show what a person typed into a field.
  return { kind: 'preference', about, decision: typeof value === 'boolean' ? String(value) : 'a value', body };
}

export function subjectIn(text: string, kind: string | undefined): string {
  const lower = kind?.toLowerCase();
  const isKnown = (IDENTIFIER_KINDS as readonly (string | undefined)[]).includes(lower);
  const reference = parseReference(kind === undefined ? text : `${isKnown ? lower : kind}:${text}`);
  if (isRefusal(reference)) throw new RowFault(reference.code, `${reference.message} ${reference.hint}`);
  return reference.kind === 'subject' ? reference.value : referenceText(reference);
}

type Known = (name: string) => string | undefined;

export function jurisdictionIn(known: Known): { jurisdiction?: object } {
  const [country, region] = [known('country')?.toUpperCase(), known('region')?.toUpperCase()];
  if (country === undefined && region === undefined) return {};
  const source = known('placeSource')?.toUpperCase() ?? 'DECLARED';
  return { jurisdiction: { ...(country && { country }), ...(region && { region }), source } };
}

export function collectionIn(known: Known): { collection?: object } {
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
export function metadataIn(
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
