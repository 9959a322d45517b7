import { describe, expect, it } from '@jest/globals';
import { readJws, receiptJws, signedJws } from './jws.js';
import { signingKey } from './signing-key.js';

const TYPE = 'consent-presentation+jws';
const [key, other] = [signingKey(Buffer.alloc(32, 7)), signingKey(Buffer.alloc(32, 8))];
const STATEMENT = { site: 'shop', shownAt: '2026-11-22T12:00:00.000Z', buttons: [['ACCEPT_ALL', 1]] };
const text = signedJws(TYPE, STATEMENT, key);
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describe('a signed statement', () => {
  it('says what was stated, and which key signed it', () => {
    expect(readJws(TYPE, text, [other, key])).toEqual({ key, content: STATEMENT });
    expect(readJws(TYPE, text, [other])).toBeNull();
  });

  it('is the same text however the statement was built', () =>
    expect(signedJws(TYPE, Object.fromEntries(Object.entries(STATEMENT).reverse()), key)).toBe(text));

  it('is not read as a receipt, nor a receipt as a statement', () => {
    expect(readJws('consent-receipt+jws', text, [key])).toBeNull();
    expect(readJws(TYPE, receiptJws(STATEMENT, key), [key])).toBeNull();
  });

  it('is none with any bit of any byte turned', () => {
    for (let place = 0; place < text.length; place++)
      for (let bit = 0; bit < 8; bit++) {
        const bytes = Buffer.from(text, 'latin1');
        bytes[place]! ^= 1 << bit;
        expect(readJws(TYPE, bytes.toString('latin1'), [key, other])).toBeNull();
      }
  });

  // Some of these decode to the very same signature.
  it('is none with another letter in its signature', () => {
    for (let place = text.lastIndexOf('.') + 1; place < text.length; place++)
      for (const letter of [...BASE64URL, '=', '+', '/', ' '])
        if (letter !== text[place])
          expect(readJws(TYPE, text.slice(0, place) + letter + text.slice(place + 1), [key, other])).toBeNull();
  });

  it.each(['', '.', '..', '...', `${text}.`, `${text}=`, `${text}A`, ` ${text}`, `${text}\n`, text.slice(0, -1)])(
    'is none as %j',
    (wrong) => expect(readJws(TYPE, wrong, [key])).toBeNull(),
  );

  it('is none with a header or payload that says the same in other bytes', () => {
    const [header, payload, signature] = text.split('.');
    const spaced = (part: string): string =>
      Buffer.from(JSON.stringify(JSON.parse(Buffer.from(part, 'base64url').toString()), null, 1)).toString('base64url');
    expect(readJws(TYPE, [spaced(header!), payload, signature].join('.'), [key])).toBeNull();
    expect(readJws(TYPE, [header, spaced(payload!), signature].join('.'), [key])).toBeNull();
  });
});
