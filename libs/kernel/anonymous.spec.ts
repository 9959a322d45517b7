import { describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { isAnonymous, isGuessable, ulid } from './index.js';

const value = (text: string): boolean => isAnonymous({ kind: 'visitor_id', value: text });
const oneUlid = (): string => ulid(Date.UTC(2026, 10, 21), randomBytes(10));

describe('a handle that cannot be guessed', () => {
  it.each<[string, () => string]>([
    ['a UUID', randomUUID],
    ['a UUID in capitals', () => randomUUID().toUpperCase()],
    ['32 hex digits', () => randomBytes(16).toString('hex')],
    ['64 hex digits', () => randomBytes(32).toString('hex')],
    ['43 base64url characters', () => randomBytes(32).toString('base64url')],
    ['two ULIDs', () => oneUlid() + oneUlid()],
    ['two ULIDs with a dot', () => `${oneUlid()}.${oneUlid()}`],
    ['two ULIDs in small letters', () => `${oneUlid()}-${oneUlid()}`.toLowerCase()],
  ])('is %s, whatever chance made of it', (_, make) => {
    for (let i = 0; i < 2000; i++) {
      const made = make();
      expect([made, value(made)]).toEqual([made, true]);
    }
  });

  it('is 22 base64url characters, but for the few in a million that read like words', () => {
    const made = Array.from({ length: 100_000 }, () => randomBytes(16).toString('base64url'));
    expect(made.filter((text) => !value(text)).length).toBeLessThan(10);
  });

  it.each([
    ['hex of eight digits', '01234567'.repeat(4)],
    ['hex that is zero half of the time', `${'0'.repeat(16)}123456789abcdef1`],
    ['letters with one digit among them', 'abcdefghijklmnopqrst9uvwxyz'],
    ['capitals with one digit among them', 'ABCDEFGHIJ1KLMNOPQRSTUV'],
    ['capitals and digits', 'ABCDEFGHIJKL1NOPQR9TUV'],
    ['short parts between hyphens and underscores', 'ROOOXOUo-LPMU-N_zbgkxw'],
  ])('may be %s', (_, text) => expect(value(text)).toBe(true));

  it.each([
    ['a UUID of seven digits', '01234560-1234-5601-2345-601234560123'],
    ['hex that is zero most of the time', `${'0'.repeat(17)}123456789abcdef`],
    ['hex of seven digits', '0123456'.repeat(5)],
    ['letters and a number behind them', 'abcdefghijklmnopqrst89'],
    ['small letters and capitals behind them', 'abcdefghijklmnopqrstYZ'],
    ['short hex', '7f2c1e6ab0d94c3f8e5d2a1b4c6f8e9'],
    ['short base64url', 'Zk3-9fQ_1xVb7Lm2Rt8Yw'],
    ['one ULID, with 80 random bits', '01KAK3V0ZC8W9J2M4N6P8Q0R2S'],
    ['one ULID in small letters', '01kak3v0zc8w9j2m4n6p8q0r2s'],
    ['the empty UUID', '00000000-0000-0000-0000-000000000000'],
    ['zeros', '0'.repeat(32)],
    ['a number with leading zeros', '00000000000000000000004711234567'],
    ['few characters', 'abababababababababababababababab'],
    ['words', 'customer-number-of-the-shop'],
    ['words and a number', 'customer-number-17-of-shop'],
    ['words with capitals', 'Customer-Number-17-Of-The-Shop'],
    ['a path of words', 'shop_customers_berlin_2026_00017'],
    ['small letters', 'abcdefghijklmnopqrstuvwxyz'],
    ['an address', 'ada.lovelace.1815@example.org'],
    ['dots', 'GA1.2.1234567890.1699999999.ab'],
    ['a UUID and more', '6d92078a-8246-4ba4-ae5b-76104861e7dc.1'],
  ])('is not %s', (_, text) => expect(value(text)).toBe(false));

  it('is of a kind that is made up by chance', () => {
    for (const kind of ['visitor_id', 'device_id'] as const)
      expect(isAnonymous({ kind, value: '7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90' })).toBe(true);
    for (const kind of ['user_id', 'external_id', 'custom.crm', 'idfa'] as const)
      expect(isAnonymous({ kind, value: '7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90' })).toBe(false);
  });

  it('is guessable where its kind is made up by chance and its value was not', () => {
    expect(isGuessable({ kind: 'visitor_id', value: '1234' })).toBe(true);
    expect(isGuessable({ kind: 'visitor_id', value: '7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90' })).toBe(false);
    expect(isGuessable({ kind: 'user_id', value: '1234' })).toBe(false);
  });
});
