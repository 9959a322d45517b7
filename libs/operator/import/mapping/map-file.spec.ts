import { describe, expect, it } from '@jest/globals';
import { readImportMap } from './map-file.js';

const RECORD = { subject: 'ref', purpose: 'p', decision: 'd', givenAt: 'at' };
const issuesOf = (map: unknown): unknown => readImportMap(map);

describe('a map', () => {
  it.each<[string, unknown, string, string]>([
    ['no object', 'records', '', 'must be an object'],
    ['no records', {}, 'records', 'at least one record'],
    ['a misspelt field', { records: [{ ...RECORD, givenat: 'x' }] }, 'records[0].givenat', 'did you mean "givenAt"?'],
    ['a missing field', { records: [{ purpose: 'p', decision: 'd' }] }, 'records[0].subject', 'is missing'],
    ['neither kind', { records: [{ subject: 's' }] }, 'records[0]', 'says neither'],
    ['both kinds', { records: [{ ...RECORD, field: 'f' }] }, 'records[0]', 'is a consent and a preference'],
    [
      'a field of the other kind',
      { records: [{ ...RECORD, channel: 'c' }] },
      'records[0].channel',
      'does not go with a consent',
    ],
    ['no source', { records: [{ ...RECORD, purpose: {} }] }, 'records[0].purpose', 'either column'],
    [
      'two sources',
      { records: [{ ...RECORD, purpose: { column: 'a', constant: 'b' } }] },
      'records[0].purpose',
      'either column',
    ],
    ['a zone that is none', { dates: { zone: 'Mars' }, records: [RECORD] }, 'dates.zone', 'no IANA time zone'],
    ['a format without a day', { dates: { format: 'HH:mm' }, records: [RECORD] }, 'dates.format', 'has no yyyy'],
    ['an encoding that is none', { encoding: 'x', records: [RECORD] }, 'encoding', 'is no encoding'],
    ['a purpose that is a list', { purposes: { a: [] }, records: [RECORD] }, 'purposes.a', 'must be the key'],
    ['a condition without values', { where: [{ column: 'a' }], records: [RECORD] }, 'where[0]', 'either is or isNot'],
    [
      'metadata that is a number',
      { records: [{ ...RECORD, metadata: 1 }] },
      'records[0].metadata',
      'must be an object',
    ],
    ['a list without a column', { records: [{ ...RECORD, each: {} }] }, 'records[0].each.column', 'must name'],
  ])('with %s is refused where it is wrong, and says what is right', (_, map, path, message) =>
    expect(issuesOf(map)).toEqual(
      expect.arrayContaining([{ path, message: expect.stringContaining(message) as unknown }]),
    ),
  );

  it('shares fields, of which a record takes those of its kind', () => {
    const map = readImportMap({
      common: { subject: { kind: 'email', column: 'Email' }, givenAt: 'at', country: 'c' },
      records: [
        { purpose: 'p', decision: { constant: 'GRANTED' } },
        { field: 'f', value: { constant: true } },
      ],
    });
    expect(map).toMatchObject({ records: [{}, {}] });
    const [consent, preference] = (map as Exclude<typeof map, unknown[]>).records.map(({ fields }) => [
      ...fields.keys(),
    ]);
    expect(consent).toEqual(['subject', 'subject.kind', 'givenAt', 'country', 'purpose', 'decision']);
    expect(preference).toEqual(['subject', 'subject.kind', 'givenAt', 'field', 'value']);
  });
});
