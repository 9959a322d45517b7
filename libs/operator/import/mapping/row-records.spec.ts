import { describe, expect, it } from '@jest/globals';
import type { Issue } from '../../../kernel/index.js';
import type { ImportMap } from './import-map.js';
import { readImportMap } from './map-file.js';
import { makerFor } from './map-source.js';
import { RowFault } from './row-fault.js';
import type { ImportRecord } from './import-record.js';
import { recordMaker } from './row-records.js';

type Content = readonly string[] | Readonly<Record<string, unknown>>;

function mapped(
  map: unknown,
  header: readonly string[] | null,
  content: Content,
  givenAt: string | null = null,
): ImportRecord[] {
  const read = readImportMap(map);
  if (Array.isArray(read)) throw new Error(JSON.stringify(read));
  const maker = recordMaker(read, header, givenAt);
  if (Array.isArray(maker)) throw new Error(JSON.stringify(maker));
  return maker.recordsOf(content);
}
function plain(header: string[], cells: string[], givenAt: string | null = null): ImportRecord[] {
  const maker = makerFor({ map: null, purposes: new Map(), kind: null, defaults: {} }, header, givenAt);
  if (Array.isArray(maker)) throw new Error(JSON.stringify(maker));
  return maker.recordsOf(cells);
}
const bodies = (records: ImportRecord[]): unknown[] =>
  records.map(({ body: { idempotencyKey: _, source, ...rest } }) => {
    expect(source).toBe('MIGRATION');
    return rest;
  });
const faultOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    if (error instanceof RowFault) return [error.code, error.message];
    throw error;
  }
};

const HEADER = ['subject', 'purpose', 'decision', 'given_at'];
const ROW = ['email:Ada@Example.org', 'analytics', 'granted', '2024-05-01T10:00:00Z'];
const AT = '2024-05-01T10:00:00.000Z';

describe('a row of a plain file', () => {
  it('is a consent, with all that stands in it', () => {
    expect(bodies(plain(HEADER, ROW))).toEqual([
      { subject: 'email:ada@example.org', purpose: 'analytics', decision: 'GRANTED', givenAt: AT },
    ]);
    const more = ['expires_at', 'country', 'region', 'locale', 'method', 'surface', 'url', 'row_id', 'metadata.shop'];
    const cells = [
      '2025-05-01T10:00:00Z',
      'de',
      '',
      'de_AT',
      'accept_all',
      'banner',
      'https://a.example/x',
      '17',
      'Wien',
    ];
    expect(bodies(plain([...HEADER, ...more], [...ROW, ...cells]))).toEqual([
      {
        subject: 'email:ada@example.org',
        purpose: 'analytics',
        decision: 'GRANTED',
        givenAt: AT,
        expiresAt: '2025-05-01T10:00:00.000Z',
        jurisdiction: { country: 'DE', source: 'DECLARED' },
        collection: { method: 'ACCEPT_ALL', surface: 'BANNER', url: 'https://a.example/x', locale: 'de-AT' },
        metadata: { shop: 'Wien', row_id: '17' },
      },
    ]);
  });

  it('names its subject by kind and value too', () => {
    const [record] = plain(
      ['kind', 'value', 'purpose', 'decision', 'given_at'],
      ['phone', '+49 30 901820', 'a', 'DENIED', AT],
    );
    expect(record!.subject).toBe('phone:+4930901820');
  });

  it('is a preference where it has a field, in one file with consents too', () => {
    const header = ['subject', 'purpose', 'decision', 'channel', 'field', 'value', 'given_at'];
    expect(bodies(plain(header, ['user_id:1', '', '', 'email', 'news', 'true', AT]))).toEqual([
      { subject: 'user_id:1', channel: 'email', values: [{ field: 'news', value: true }], givenAt: AT },
    ]);
    expect(bodies(plain(header, ['user_id:1', 'a', 'GRANTED', '', '', '', AT]))).toMatchObject([{ purpose: 'a' }]);
    const values = ['false', 'null', '12', '["a","b"]', '"12"', 'Wien', '007'].map(
      (value) =>
        (bodies(plain(header, ['user_id:1', '', '', '', 'x', value, AT]))[0] as { values: { value: unknown }[] })
          .values[0]!.value,
    );
    expect(values).toEqual([false, null, 12, ['a', 'b'], '12', 'Wien', '007']);
  });

  it('takes the date of the whole import where it has none, and says so', () => {
    expect(bodies(plain(HEADER, [...ROW.slice(0, 3), ''], AT))).toMatchObject([
      { givenAt: AT, metadata: { given_at: 'set for the whole import' } },
    ]);
    expect(bodies(plain(HEADER, ROW, '2020-01-01T00:00:00.000Z'))).not.toMatchObject([{ metadata: {} }]);
  });

  it.each<[string, string[], string]>([
    ['a person is missing', ['', 'a', 'GRANTED', AT], 'value_missing'],
    ['a person is none', ['email:x', 'a', 'GRANTED', AT], 'subject_ref_invalid'],
    ['the kind is unknown', ['mail:x@y.example', 'a', 'GRANTED', AT], 'identifier_kind_unknown'],
    ['the purpose is missing', ['user_id:1', ' ', 'GRANTED', AT], 'value_missing'],
    ['the date is missing', ['user_id:1', 'a', 'GRANTED', ''], 'date_missing'],
    ['the date has no zone', ['user_id:1', 'a', 'GRANTED', '2024-05-01 10:00:00'], 'date_invalid'],
  ])('is rejected where %s', (_, cells, code) =>
    expect(faultOf(() => plain(HEADER, cells))).toEqual([code, expect.any(String)]),
  );

  it.each<[string[], string, string]>([
    [['subject', 'purpose', 'decison'], 'decison', 'did you mean "decision"?'],
    [['subject', 'purpose', 'note'], 'note', 'Call it metadata.note'],
    [['purpose', 'decision'], 'subject', 'is missing'],
    [['kind', 'value', 'field'], 'subject', 'value is the value of the preference'],
    [['subject', 'given_at'], 'purpose', 'is missing'],
    [['subject', 'field'], 'value', 'is missing'],
  ])('with the header %j is refused', (header, path, message) => {
    const issues = makerFor({ map: null, purposes: new Map(), kind: null, defaults: {} }, header, null) as Issue[];
    expect(issues).toEqual(expect.arrayContaining([{ path, message: expect.stringContaining(message) as unknown }]));
  });

  it('may be an object, with other names from row to row', () => {
    const maker = makerFor(
      { map: null, purposes: new Map([['stat', 'analytics']]), kind: null, defaults: {} },
      null,
      null,
    );
    const of = (content: Content): ImportRecord[] => (maker as Exclude<typeof maker, Issue[]>).recordsOf(content);
    const row = { subject: 'user_id:1', purpose: 'stat', decision: 'DENIED', given_at: AT };
    expect(bodies(of(row))).toMatchObject([{ purpose: 'analytics' }]);
    expect(bodies(of({ ...row, metadata: { shop: 1 }, import_line: '3' }))).toMatchObject([{ metadata: { shop: 1 } }]);
    expect(faultOf(() => of({ ...row, decison: 1 }))).toEqual(['row_invalid', expect.stringContaining('decision')]);
  });
});

describe('the key of a record', () => {
  const keyOf = (header: string[], cells: string[]): unknown => plain(header, cells)[0]!.body['idempotencyKey'];
  it('is the same for the same record, however it is written, and another for another one', () => {
    const key = keyOf(HEADER, ROW);
    expect(key).toMatch(/^import-[\w-]{43}$/);
    expect(keyOf([...HEADER].reverse(), [...ROW].reverse())).toBe(key);
    expect(keyOf(HEADER, ['email:ada@example.org ', 'analytics', 'GRANTED', '2024-05-01T12:00:00+02:00'])).toBe(key);
    expect(keyOf(HEADER, ['email:ada@example.org', 'analytics', 'DENIED', AT])).not.toBe(key);
    expect(keyOf([...HEADER, 'row_id'], [...ROW, '1'])).not.toBe(key);
    expect(keyOf([...HEADER, 'row_id'], [...ROW, '1'])).not.toBe(keyOf([...HEADER, 'row_id'], [...ROW, '2']));
  });
});

describe('a row by a map', () => {
  const common = { subject: { kind: 'visitor_id', column: 'Key' }, givenAt: 'Date' };
  const decision = { values: { true: 'GRANTED', false: 'DENIED', '': null } };

  it('becomes a record for each column of a purpose', () => {
    const map = {
      dates: { format: 'dd.MM.yyyy HH:mm', zone: 'Europe/Berlin' },
      common,
      records: ['Statistics', 'Marketing'].map((name) => ({
        purpose: { constant: name.toLowerCase() },
        decision: { column: name, ...decision },
      })),
      purposes: { Statistics: 'analytics' },
    };
    const header = ['key', 'Date', 'Statistics', 'Marketing'];
    expect(bodies(mapped(map, header, ['v1', '01.05.2024 10:00', 'TRUE', 'false']))).toEqual([
      { subject: 'visitor_id:v1', purpose: 'analytics', decision: 'GRANTED', givenAt: '2024-05-01T08:00:00.000Z' },
      { subject: 'visitor_id:v1', purpose: 'marketing', decision: 'DENIED', givenAt: '2024-05-01T08:00:00.000Z' },
    ]);
    expect(mapped(map, header, ['v1', '01.05.2024 10:00', '', ''])).toEqual([]);
    expect(faultOf(() => mapped(map, header, ['v1', '01.05.2024 10:00', 'maybe', '']))).toEqual([
      'value_unknown',
      expect.stringContaining('records[0].decision'),
    ]);
  });

  it('becomes a record for each element of a list: of objects, texts, JSON in a cell, an object of choices', () => {
    const map = (record: object): unknown => ({ common: { subject: 's', givenAt: 'at' }, records: [record] });
    const row = { s: 'user_id:1', at: AT };
    const purposesOf = (records: ImportRecord[]): unknown => records.map(({ about, decision: said }) => [about, said]);
    const item = { each: 'user.list', purpose: 'item.id', decision: { column: 'item.on', ...decision } };
    const list = [
      { id: 'a', on: true },
      { id: 'b', on: false },
    ];
    expect(purposesOf(mapped(map(item), null, { ...row, user: { list } }))).toEqual([
      ['a', 'GRANTED'],
      ['b', 'DENIED'],
    ]);
    const choices = { each: 'list', purpose: 'item.key', decision: { column: 'item.value', ...decision } };
    const header = ['s', 'at', 'list'];
    expect(purposesOf(mapped(map(choices), header, ['user_id:1', AT, '{"a":true,"b":false}']))).toEqual([
      ['a', 'GRANTED'],
      ['b', 'DENIED'],
    ]);
    const texts = { each: { column: 'list', separator: ';' }, purpose: 'item', decision: { constant: 'GRANTED' } };
    expect(purposesOf(mapped(map(texts), header, ['user_id:1', AT, 'a; b;']))).toEqual([
      ['a', 'GRANTED'],
      ['b', 'GRANTED'],
    ]);
    expect(mapped(map(texts), header, ['user_id:1', AT, ''])).toEqual([]);
  });

  it('is left out by its conditions, by a purpose without a key, or a value without a record', () => {
    const map = {
      where: [{ column: 'type', isNot: ['test'] }],
      purposes: { necessary: null },
      common: { subject: 's', givenAt: { constant: AT } },
      records: [{ purpose: 'p', decision: { column: 'd', values: { yes: 'GRANTED' }, default: null } }],
    };
    const header = ['s', 'p', 'd', 'type'];
    expect(mapped(map, header, ['user_id:1', 'a', 'yes', 'real'])).toHaveLength(1);
    for (const cells of [
      ['user_id:1', 'a', 'yes', 'test'],
      ['user_id:1', 'Necessary', 'yes', ''],
      ['user_id:1', 'a', 'x', ''],
    ])
      expect(mapped(map, header, cells)).toEqual([]);
  });

  it('has the kind of identifier that the command line names, and Base64 as ids of visitors are written', () => {
    const subject = { column: 's', kind: 'email', as: 'base64url' };
    const map = readImportMap({
      records: [{ subject, purpose: 'p', decision: 'd', givenAt: { constant: AT } }],
    }) as ImportMap;
    const maker = makerFor({ map, purposes: new Map(), kind: 'visitor_id', defaults: {} }, ['s', 'p', 'd'], null);
    const [record] = (maker as Exclude<typeof maker, Issue[]>).recordsOf([
      'G+6rYDfrzwrZItFRfHCbe8iQIFLh/w==',
      'a',
      'DENIED',
    ]);
    expect(record!.subject).toBe('visitor_id:G-6rYDfrzwrZItFRfHCbe8iQIFLh_w');
  });

  it('names the columns that a file lacks', () => {
    const map = readImportMap({
      records: [{ ...common, purpose: 'Purpos', decision: { column: 'x', optional: true } }],
    }) as ImportMap;
    expect(recordMaker(map, ['Key', 'Date', 'Purpose'], null)).toEqual([
      { path: 'records[0].purpose', message: 'the file has no column "Purpos"; did you mean "Purpose"?' },
    ]);
  });

  it('does not read a number that JSON cannot hold', () => {
    const map = {
      common: { subject: { kind: 'user_id', column: 'id' }, givenAt: { constant: AT } },
      records: [{ purpose: 'p', decision: 'd' }],
    };
    const row = JSON.parse('{"id":12345678901234567890,"p":"a","d":"GRANTED"}') as Content;
    expect(faultOf(() => mapped(map, null, row))).toEqual(['number_too_large', expect.stringContaining('as a text')]);
  });

  it('reads no names that every object has', () => {
    const map = {
      common: { subject: 's', givenAt: { constant: AT } },
      records: [{ purpose: { column: 'constructor.name' }, decision: 'd' }],
    };
    expect(faultOf(() => mapped(map, null, { s: 'user_id:1', d: 'GRANTED' }))).toEqual([
      'value_missing',
      expect.any(String),
    ]);
  });
});
