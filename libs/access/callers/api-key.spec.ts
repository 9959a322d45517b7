import { hkdfSync, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { hashOfSecret, identityMacKey, isSecret, lastFour, mintKey, parseKey } from './api-key.js';

const key = mintKey('sk', 'live', randomBytes);

describe('an API key', () => {
  it('has the published form and is read back as it was minted', () => {
    expect(key.text).toMatch(/^sk_live_[0-9A-Za-z]{50}$/);
    expect(key.id).toMatch(/^key_[0-9A-Za-z]{12}$/);
    expect(parseKey(key.text)).toEqual(key);
  });

  it('is made of the randomness it was given, without favouring a character, and its checksum is CRC-32', () => {
    expect(mintKey('pk', 'test', (n) => new Uint8Array(n)).text).toBe(`pk_test_${'0'.repeat(44)}19Anux`);
    let call = 0;
    const minted = mintKey('pk', 'test', (n) => new Uint8Array(n).fill(call++ % 2 ? 61 : 255));
    expect(minted.secret).toBe('z'.repeat(32));
  });

  it('is refused when any one character was mistyped', () => {
    for (let at = 0; at < key.text.length; at++) {
      const typo = key.text.slice(0, at) + (key.text[at] === 'x' ? 'y' : 'x') + key.text.slice(at + 1);
      expect(parseKey(typo)).toBeNull();
    }
  });

  it('is refused in any other shape', () => {
    for (const text of [
      '',
      'pk_test_',
      key.text.slice(1),
      `${key.text}0`,
      ` ${key.text}`,
      `${key.text}\n`,
      key.text.toUpperCase(),
      key.text.replace('live', 'prod'),
    ]) {
      expect(parseKey(text)).toBeNull();
    }
    fc.assert(
      fc.property(fc.string({ maxLength: 70 }), (text) => parseKey(text) === null),
      { numRuns: 300 },
    );
  });

  it('cannot change its type or environment and keep its checksum', () => {
    expect(parseKey(key.text.replace('sk_', 'pk_'))).toBeNull();
    expect(parseKey(key.text.replace('_live_', '_test_'))).toBeNull();
  });

  it('is recognised by the hash of its secret alone', () => {
    const stored = hashOfSecret(key.secret);
    expect(stored).toMatch(/^[0-9a-f]{64}$/);
    expect(isSecret(key.secret, stored)).toBe(true);
    expect(isSecret(mintKey('sk', 'live', randomBytes).secret, stored)).toBe(false);
    expect(lastFour(key)).toBe(key.text.slice(-4));
  });

  it('derives the identity token key by HKDF-SHA-256 with the published label', () => {
    const expected = Buffer.from(
      hkdfSync('sha256', Buffer.from(key.text), Buffer.alloc(0), Buffer.from('consent-identity-token/v1'), 32),
    );
    expect(Buffer.from(identityMacKey(key.text))).toEqual(expected);
  });
});
