import { describe, expect, it } from '@jest/globals';
import { isRefusal, parseReference } from '../kernel/index.js';
import { readCorrections } from './corrections.js';
import type { Correction } from './events.js';

const read = (...sent: Correction[]) => readCorrections(sent, parseReference);
const wrongAt = (...sent: Correction[]): string | undefined => {
  const answer = read(...sent);
  return isRefusal(answer) ? answer.issues[0]?.path : undefined;
};

describe('corrections as they were sent', () => {
  it('name identifiers as they are looked up', () => {
    expect(read({ kind: 'email', value: ' Ada@Example.ORG ', replaces: 'ADA@example.net' })).toEqual([
      { kind: 'email', value: 'ada@example.org', replaces: 'ada@example.net' },
    ]);
    expect(read({ kind: 'email', value: null, replaces: 'ada@example.net' })).toEqual([
      { kind: 'email', value: null, replaces: 'ada@example.net' },
    ]);
  });

  it('keep country, language and preferences as they are', () => {
    const sent: Correction[] = [
      { kind: 'country', value: 'AT' },
      { kind: 'locale', value: null },
      { kind: 'preference', field: 'channels.email.topics.news', value: false },
      { kind: 'preference', field: 'channels.email.topics.offers', value: true },
    ];
    expect(read(...sent)).toEqual(sent);
  });

  it.each<[string, string, Correction[]]>([
    ['an identifier without anything right or wrong', 'corrections[0].value', [{ kind: 'email', value: null }]],
    ['an identifier that is no text', 'corrections[0].value', [{ kind: 'email', value: 7 }]],
    ['an address that is none', 'corrections[0].value', [{ kind: 'email', value: 'nobody' }]],
    [
      'a wrong address that is none',
      'corrections[0].replaces',
      [{ kind: 'email', value: 'a@example.org', replaces: 'x' }],
    ],
    ['the id of a subject', 'corrections[0].kind', [{ kind: 'subject', value: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S' }]],
    [
      'one that takes its own place',
      'corrections[0].replaces',
      [{ kind: 'email', value: 'a@example.org', replaces: 'A@example.org' }],
    ],
    ['a country by its name', 'corrections[0].value', [{ kind: 'country', value: 'Austria' }]],
    ['a language that is no tag', 'corrections[0].value', [{ kind: 'locale', value: 'de_AT' }]],
    ['a country that replaces', 'corrections[0].replaces', [{ kind: 'country', value: 'AT', replaces: 'DE' }]],
    ['a country with a field', 'corrections[0].field', [{ kind: 'country', value: 'AT', field: 'x' }]],
    ['a preference without its field', 'corrections[0].field', [{ kind: 'preference', value: true }]],
    [
      'the same thing twice',
      'corrections[1]',
      [
        { kind: 'country', value: 'AT' },
        { kind: 'country', value: 'DE' },
      ],
    ],
  ])('refuse %s', (_, path, sent) => {
    expect(wrongAt(...sent)).toBe(path);
  });
});
