import { createHmac, sign } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { verifies } from '../../test/support/receipt.js';
import { VERIFIERS } from '../../test/support/receipt-verifiers.js';
import { canonicalJson } from '../kernel/index.js';
import { readJws, RECEIPT_JWS_TYPE, receiptJws } from './jws.js';
import { signingKey } from './signing-key.js';

/** The order of the group of Ed25519 (RFC 8032 section 5.1): a signature whose S is not below it is a second one for the same text. */
const L = 2n ** 252n + 27742317777372353535851937790883648493n;

const [key, other] = [signingKey(Buffer.alloc(32, 7)), signingKey(Buffer.alloc(32, 8))];
const receipt = { schema: 'urn:consent-receipt:1', site: 'shop', purposes: [{ key: 'analytics', state: 'GRANTED' }] };
const jws = receiptJws(receipt, key);
const [header, payload, signature] = jws.split('.') as [string, string, string];
const part = (value: object): string => Buffer.from(canonicalJson(value)).toString('base64url');
const ours = { alg: 'EdDSA', kid: key.jwk.kid, typ: RECEIPT_JWS_TYPE };

const macWith = (secret: Buffer): string => {
  const signed = `${part({ ...ours, alg: 'HS256' })}.${payload}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
};

/** The same signature with S + L in place of S: S is the second half, the least byte first. */
function malleable(): string {
  const bytes = Buffer.from(signature, 'base64url');
  const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + L;
  const second = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
  return [header, payload, Buffer.concat([bytes.subarray(0, 32), second]).toString('base64url')].join('.');
}

/** Signed by an attacker with a key of their own, under the name of our key. */
function underOurName(): string {
  const signed = `${header}.${payload}`;
  return `${signed}.${sign(null, Buffer.from(signed), other.privateKey).toString('base64url')}`;
}

const HOSTILE: [string, string][] = [
  ['no algorithm', `${part({ ...ours, alg: 'none' })}.${payload}.`],
  ['a MAC whose secret is the public key', macWith(Buffer.from(key.jwk.x, 'base64url'))],
  ['a MAC whose secret is the text of the public key', macWith(Buffer.from(key.jwk.x))],
  [
    'a MAC whose secret is the public key as PEM',
    macWith(Buffer.from(key.publicKey.export({ type: 'spki', format: 'pem' }))),
  ],
  ['a key that is not in the set', receiptJws(receipt, other)],
  ['a foreign key under our name', underOurName()],
  ['a signature with S above the order of the group', malleable()],
];

describe('a forged receipt', () => {
  it('differs from the true one, which everybody takes', async () => {
    expect(readJws(RECEIPT_JWS_TYPE, jws, [key])?.content).toEqual(receipt);
    expect(verifies(jws, receipt, [key.jwk])).toBe(true);
    for (const verifier of Object.values(VERIFIERS)) expect(await verifier(jws, [key.jwk])).toBe(true);
  });

  describe.each(HOSTILE)('with %s', (_, forged) => {
    it('is refused by the service and by whoever checks as the guide says', () =>
      expect([readJws(RECEIPT_JWS_TYPE, forged, [key]), verifies(forged, receipt, [key.jwk])]).toEqual([null, false]));

    it.each(Object.keys(VERIFIERS))('is refused by %s', async (name) =>
      expect(await VERIFIERS[name]!(forged, [key.jwk]).catch(() => false)).toBe(false),
    );
  });
});

describe('a true receipt', () => {
  it('is refused with any bit of any byte of its text turned', () => {
    for (let place = 0; place < jws.length; place++)
      for (let bit = 0; bit < 8; bit++) {
        const bytes = Buffer.from(jws, 'latin1');
        bytes[place]! ^= 1 << bit;
        expect([place, bit, readJws(RECEIPT_JWS_TYPE, bytes.toString('latin1'), [key])]).toEqual([place, bit, null]);
      }
  });

  it.each(Object.keys(VERIFIERS).filter((name) => !name.includes('command line')))(
    'is refused by %s with any byte of what it says changed',
    async (name) => {
      const said = Buffer.from(canonicalJson(receipt));
      for (let place = 0; place < said.length; place++) {
        const changed = Buffer.from(said);
        changed[place]! ^= 1;
        const text = [header, changed.toString('base64url'), signature].join('.');
        expect([place, await VERIFIERS[name]!(text, [key.jwk])]).toEqual([place, false]);
      }
    },
  );
});
