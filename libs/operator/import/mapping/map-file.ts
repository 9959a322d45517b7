import { didYouMean, type Issue } from '../../../kernel/index.js';
import { isEncoding } from '../reading/decoded.js';
import { DEFAULT_DATES, formatFault, type DateRule } from './dates.js';
import type { EachRule, ImportMap, RecordRule, RowCondition, ValueRule } from './import-map.js';
import { isZone } from './zones.js';

/** Of a consent, then of a preference, then of both. */
export const CONSENT_FIELDS = [
  'purpose',
  'decision',
  'purposeVersion',
  'expiresAt',
  'country',
  'region',
  'placeSource',
];
export const PREFERENCE_FIELDS = ['channel', 'field', 'value', 'frequency', 'globalOptOut'];
export const SHARED_FIELDS = ['subject', 'givenAt', 'method', 'surface', 'url', 'locale', 'rowId', 'metadata'];
const FIELDS = [...SHARED_FIELDS, ...CONSENT_FIELDS, ...PREFERENCE_FIELDS];
const TOP = ['encoding', 'delimiter', 'header', 'dates', 'purposes', 'where', 'common', 'records'];
const RULE = ['column', 'constant', 'values', 'default', 'optional', 'as', 'format', 'zone'];
const DATE_FIELDS = ['givenAt', 'expiresAt'];

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** `dates` of the command line come before those of the map. */
export interface MapDefaults {
  dates?: Partial<DateRule>;
}

/** The map in a file, or everything that is wrong with it. */
export function readImportMap(content: unknown, defaults: MapDefaults = {}): ImportMap | Issue[] {
  const reading = new MapReading();
  const map = reading.map(content, defaults);
  return reading.issues.length > 0 ? reading.issues : map;
}

class MapReading {
  readonly issues: Issue[] = [];

  map(content: unknown, { dates: asked }: MapDefaults): ImportMap {
    const top = this.object(content, '', TOP);
    const dates = { ...this.dates(top['dates'], 'dates', DEFAULT_DATES), ...asked };
    const common = this.object(top['common'] ?? {}, 'common', FIELDS);
    if (top['encoding'] !== undefined && !(isText(top['encoding']) && isEncoding(top['encoding'])))
      this.wrong('encoding', 'is no encoding: write for example utf-8, utf-16le or windows-1252');
    if (top['delimiter'] !== undefined && !(isText(top['delimiter']) && top['delimiter'].length === 1))
      this.wrong('delimiter', 'must be one character, such as ";"');
    const records = this.list(top['records'], 'records');
    if (records.length === 0) this.wrong('records', 'must say at least one record that a row becomes');
    return {
      encoding: (top['encoding'] as string | undefined) ?? null,
      delimiter: (top['delimiter'] as string | undefined) ?? null,
      header: top['header'] === undefined ? null : this.texts(top['header'], 'header'),
      purposes: this.purposes(top['purposes'] ?? {}),
      where: this.conditions(top['where'] ?? [], 'where', dates),
      records: records.map((each, i) => this.record(each, `records[${i}]`, common, dates)),
    };
  }

  private record(content: unknown, path: string, common: Json, dates: DateRule): RecordRule {
    const { each, where = [], ...own } = this.object(content, path, ['each', 'where', ...FIELDS]);
    const fields = new Map<string, ValueRule>();
    for (const [from, at] of [[common, 'common'] as const, [own, path] as const])
      for (const [name, rule] of Object.entries(from)) this.field(fields, name, rule, `${at}.${name}`, dates);
    const isConsent = fields.has('purpose') || fields.has('decision');
    const isPreference = fields.has('field') || fields.has('globalOptOut');
    const needed = isConsent
      ? ['subject', 'purpose', 'decision']
      : ['subject', ...(fields.has('field') ? ['value'] : [])];
    const strange = isConsent ? PREFERENCE_FIELDS : CONSENT_FIELDS;
    if (isConsent && isPreference)
      this.wrong(
        path,
        'is a consent and a preference: write two records, one with purpose and decision, one with field and value',
      );
    else if (!isConsent && !isPreference) this.wrong(path, 'says neither purpose and decision, nor field and value');
    else {
      for (const name of needed) if (!fields.has(name)) this.wrong(`${path}.${name}`, 'is missing');
      for (const name of Object.keys(own))
        if (strange.includes(name))
          this.wrong(`${path}.${name}`, `does not go with a ${isConsent ? 'consent' : 'preference'}`);
    }
    // What all records share may be of one kind only.
    for (const name of strange) fields.delete(name);
    return {
      path,
      each: each === undefined ? null : this.each(each, `${path}.each`),
      where: this.conditions(where, `${path}.where`, dates),
      fields,
    };
  }

  private field(fields: Map<string, ValueRule>, name: string, rule: unknown, path: string, dates: DateRule): void {
    if (name === 'metadata') {
      // One column that holds an object.
      if (isText(rule)) return void fields.set('metadata', this.rule(rule, path, dates));
      if (!isObject(rule)) return this.wrong(path, 'must be an object: its names, and a column for each');
      for (const [key, of] of Object.entries(rule))
        fields.set(`metadata.${key}`, this.rule(of, `${path}.${key}`, dates));
      return;
    }
    if (name === 'subject' && isObject(rule)) {
      const { kind, ...rest } = rule;
      fields.set('subject', this.rule(rest, path, dates));
      // A kind is nearly always one for all.
      if (kind !== undefined)
        fields.set('subject.kind', this.rule(isText(kind) ? { constant: kind } : kind, `${path}.kind`, dates));
      return;
    }
    fields.set(
      name,
      this.rule(rule, path, DATE_FIELDS.includes(name) && isObject(rule) ? this.ownDates(rule, path, dates) : dates),
    );
  }

  private ownDates({ format, zone }: Json, path: string, dates: DateRule): DateRule {
    return this.dates({ ...(format !== undefined && { format }), ...(zone !== undefined && { zone }) }, path, dates);
  }

  private dates(content: unknown, path: string, from: DateRule): DateRule {
    if (content === undefined) return from;
    const { format, zone } = this.object(content, path, ['format', 'zone']);
    const formats =
      format === undefined ? from.formats : isText(format) ? [format] : this.texts(format, `${path}.format`);
    for (const each of formats) {
      const fault = formatFault(each);
      if (fault)
        this.wrong(
          `${path}.format`,
          `"${each}" ${fault}: write iso, unix, unix-ms or a pattern such as dd.MM.yyyy HH:mm:ss`,
        );
    }
    if (zone !== undefined && !(isText(zone) && isZone(zone)))
      this.wrong(`${path}.zone`, 'is no IANA time zone: write for example Europe/Berlin or UTC');
    return { formats, zone: (zone as string | undefined) ?? from.zone };
  }

  private rule(content: unknown, path: string, dates: DateRule): ValueRule {
    const short = isText(content) || Array.isArray(content) ? { column: content } : content;
    const rule = this.object(short, path, RULE);
    const { column, constant, values, default: otherwise, optional = false, as } = rule;
    if ((column === undefined) === (constant === undefined))
      this.wrong(path, 'must say either column, where the value stands, or constant, the value itself');
    if (as !== undefined && as !== 'base64url') this.wrong(`${path}.as`, 'is base64url, or left out');
    if (typeof optional !== 'boolean') this.wrong(`${path}.optional`, 'must be true or false');
    if (values !== undefined && !isObject(values))
      this.wrong(`${path}.values`, 'must be an object: what the file has, and what it means');
    return {
      path,
      columns: column === undefined ? [] : isText(column) ? [column] : this.texts(column, `${path}.column`),
      constant,
      values: isObject(values) ? new Map(Object.entries(values)) : null,
      otherwise,
      optional: optional === true,
      base64url: as === 'base64url',
      dates,
    };
  }

  private each(content: unknown, path: string): EachRule {
    const { column, separator = ',' } = this.object(isText(content) ? { column: content } : content, path, [
      'column',
      'separator',
    ]);
    if (!isText(column)) this.wrong(`${path}.column`, 'must name the column with the list');
    if (!isText(separator)) this.wrong(`${path}.separator`, 'must be what stands between the elements, such as ";"');
    return { path, column: String(column), separator: String(separator) };
  }

  private conditions(content: unknown, path: string, dates: DateRule): RowCondition[] {
    return this.list(content, path).map((each, i) => this.condition(each, `${path}[${i}]`, dates));
  }

  private condition(content: unknown, path: string, dates: DateRule): RowCondition {
    const { is, isNot, ...rest } = this.object(content, path, [...RULE, 'is', 'isNot']);
    if ((is === undefined) === (isNot === undefined))
      this.wrong(path, 'must say either is or isNot, with a value or a list');
    const set = (of: unknown): Set<string> | null => (of === undefined ? null : new Set([of].flat().map(String)));
    return { rule: this.rule(rest, path, dates), is: set(is), isNot: set(isNot) };
  }

  private purposes(content: unknown): Map<string, string | null> {
    const found = new Map<string, string | null>();
    if (!isObject(content))
      this.wrong('purposes', 'must be an object: the name in the file, and the key of the purpose');
    else
      for (const [old, key] of Object.entries(content)) {
        if (key !== null && !isText(key))
          this.wrong(`purposes.${old}`, 'must be the key of a purpose, or null where no record is wanted');
        found.set(old, key as string | null);
      }
    return found;
  }

  private list(content: unknown, path: string): readonly unknown[] {
    if (Array.isArray(content)) return content;
    if (content !== undefined) this.wrong(path, 'must be a list');
    return [];
  }

  private texts(content: unknown, path: string): string[] {
    if (!Array.isArray(content) || content.length === 0 || !content.every(isText)) {
      this.wrong(path, 'must be a text, or a list of texts');
      return [];
    }
    return content;
  }

  private object(content: unknown, path: string, known: readonly string[]): Json {
    if (!isObject(content)) {
      this.wrong(path, 'must be an object');
      return {};
    }
    for (const name of Object.keys(content))
      if (!known.includes(name))
        this.wrong(path === '' ? name : `${path}.${name}`, `is no field here${didYouMean(name, known)}`);
    return content;
  }

  private wrong(path: string, message: string): void {
    this.issues.push({ path, message });
  }
}
