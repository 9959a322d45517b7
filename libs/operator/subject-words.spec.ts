import { describe, expect, it } from '@jest/globals';
import { maskedText } from '../kernel/index.js';
import { identifiersOf, whatHappened } from './subject-words.js';

const event = (type: string, data: unknown) => ({ type, data });
const clear = (text: string): string => text;

describe('identifiers', () => {
  const added = (identifierId: string, value: unknown) =>
    event('IdentifierAdded', {
      identifierId,
      kind: 'email',
      value,
      addedAt: '2026-01-01T00:00:00.000Z',
      verifiedAt: null,
    });

  it('are those that were added, verified where one of the events says so, and null where they were forgotten', () =>
    expect(
      identifiersOf(
        [
          added('idn_1', 'ada@example.org'),
          added('idn_2', null),
          event('IdentifierVerified', { identifierId: 'idn_1' }),
        ],
        maskedText,
      ).map(({ value, verified }) => [value, verified]),
    ).toEqual([
      ['a…@example.org', true],
      [null, false],
    ]));
});

describe('what happened', () => {
  it.each<[string, unknown, string]>([
    [
      'ConsentRecorded',
      { purpose: 'ads', decision: 'GRANTED', purposeVersion: 2, appliedToState: false },
      'ads GRANTED, version 2, without effect: a newer decision stands',
    ],
    [
      'PreferenceSet',
      {
        changes: [
          { field: 'city', value: 'Amsterdam' },
          { field: 'news', wanted: true },
        ],
        globalOptOut: { state: true },
      },
      'city = Am…am, news = true, all of them',
    ],
    ['SubjectsMerged', { absorbedId: 'sub_1', survivorId: 'sub_2' }, 'sub_1 into sub_2'],
    // This release cannot read it.
    ['PreferenceSet', null, ''],
  ])('as %s is told in a line without what a person wrote', (type, data, line) =>
    expect(whatHappened(event(type, data), maskedText)).toBe(line),
  );

  it('names everything where that is asked for', () =>
    expect(whatHappened(event('IdentifierAdded', { kind: 'email', value: 'ada@example.org' }), clear)).toBe(
      'email ada@example.org',
    ));
});
