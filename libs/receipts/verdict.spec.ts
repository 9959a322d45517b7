import { createHmac, sign } from 'node:crypto';
import { canonicalJson } from '../kernel/index.js';
import { compactJws, RECEIPT_JWS_TYPE, receiptJws, signedJws } from './jws.js';
import { signingKey } from './signing-key.js';
import { keysAtHand, verdictOn, type Verdict } from './verdict.js';

const [first, second] = [signingKey(Buffer.alloc(32, 7)), signingKey(Buffer.alloc(32, 8))];
const SECOND_SIGNS_FROM = '2026-06-01T00:00:00.000Z';
const published = { keys: [first.jwk, { ...second.jwk, signsFrom: SECOND_SIGNS_FROM }] };
const keys = keysAtHand(published)!;
const receiptOf = (recordedAt: string) => ({
  schema: 'urn:consent-receipt:1',
  id: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
  site: 'shop',
  event: { type: 'consent', at: '2020-01-01T00:00:00.000Z', recordedAt },
  purposes: [{ key: 'analytics', state: 'GRANTED', version: 1 }],
});
const receipt = receiptOf('2026-11-21T12:00:00.000Z');
const jws = receiptJws(receipt, second);
const file = JSON.stringify({ receipt, jws, subjectErasedAt: null });
const said = (text: string, by = keys): Verdict['verdict'] => verdictOn(text, by).verdict;

describe('the verdict on a receipt', () => {
  it('is VALID in both forms, however the JSON is laid out, and says what was signed', () => {
    for (const text of [file, jws, `${jws}\n`, JSON.stringify(JSON.parse(file), null, 2)])
      expect(verdictOn(text, keys)).toMatchObject({ verdict: 'VALID', kid: second.jwk.kid, receipt, revokedAt: null });
  });

  it('is never VALID with one byte changed, wherever in the JSON or in the JWS', () => {
    // What stands beside receipt and JWS, such as when the subject was erased, is not signed.
    for (const text of [JSON.stringify({ receipt, jws }), jws])
      for (let place = 0; place < text.length; place++) {
        const bytes = Buffer.from(text);
        bytes[place]! ^= 1;
        expect([place, said(bytes.toString()) === 'VALID']).toEqual([place, false]);
      }
  });

  it('is TAMPERED where header, content or signature were changed, or where another receipt stands beside it', () => {
    const [header, payload, signature] = jws.split('.') as [string, string, string];
    const other = receiptJws({ ...receipt, site: 'other' }, second).split('.');
    expect(said([header, other[1], signature].join('.'))).toBe('TAMPERED');
    expect(said([header, payload, other[2]].join('.'))).toBe('TAMPERED');
    expect(said(JSON.stringify({ receipt: { ...receipt, site: 'other' }, jws }))).toBe('TAMPERED');
    expect(said(JSON.stringify({ receipt: { ...receipt, more: '\ud800' }, jws }))).toBe('TAMPERED');
  });

  it('is UNKNOWN_KEY where the key set does not hold the key, or it names none', () => {
    expect(verdictOn(jws, keysAtHand({ keys: [first.jwk] })!)).toMatchObject({
      verdict: 'UNKNOWN_KEY',
      kid: second.jwk.kid,
      receipt: null,
    });
    const header = Buffer.from(canonicalJson({ alg: 'EdDSA', typ: RECEIPT_JWS_TYPE })).toString('base64url');
    expect(said([header, ...jws.split('.').slice(1)].join('.'))).toBe('UNKNOWN_KEY');
  });

  it('is REVOKED_KEY where the key is compromised, with what was signed', () => {
    const revokedAt = '2026-12-01T00:00:00.000Z';
    const revoked = keysAtHand({ keys: [{ ...second.jwk, revokedAt }] })!;
    expect(verdictOn(jws, revoked)).toMatchObject({ verdict: 'REVOKED_KEY', revokedAt, receipt });
  });

  it('is KEY_NOT_YET_VALID where it says to be recorded before its key signed anything', () => {
    expect(said(receiptJws(receiptOf('2026-05-31T23:59:59.999Z'), second))).toBe('KEY_NOT_YET_VALID');
    expect(said(receiptJws(receiptOf(SECOND_SIGNS_FROM), second))).toBe('VALID');
    const erasure = { schema: receipt.schema, event: { type: 'erasure', at: '2026-05-31T23:59:59.999Z' } };
    expect(said(receiptJws(erasure, second))).toBe('KEY_NOT_YET_VALID');
    // The first key signs from the beginning.
    expect(said(receiptJws(receiptOf('2020-01-01T00:00:00.000Z'), first))).toBe('VALID');
    // Kantara's form does not say when it was recorded.
    expect(said(receiptJws({ version: 'KI-CR-v1.1.0', consentTimestamp: 1 }, second))).toBe('VALID');
  });

  const part = (value: object): string => Buffer.from(canonicalJson(value)).toString('base64url');
  const [, payload] = jws.split('.');
  const headed = (header: object): string => {
    const signed = `${part({ kid: second.jwk.kid, typ: RECEIPT_JWS_TYPE, ...header })}.${payload}`;
    const mac = createHmac('sha256', Buffer.from(second.jwk.x, 'base64url')).update(signed).digest('base64url');
    return `${signed}.${mac}`;
  };
  const member = ([name, value]: [string, unknown]): string => `${JSON.stringify(name)}:${canonicalJson(value)}`;
  /** The right key signs a text of the receipt that is not the canonical one. */
  const signedAs = (text: string): string =>
    compactJws({ alg: 'EdDSA', kid: second.jwk.kid, typ: RECEIPT_JWS_TYPE }, text, second.privateKey);
  it.each([
    ['nothing', ''],
    ['some text', 'hello'],
    ['JSON that is none', '{"receipt":{}}'],
    ['broken JSON', '{"receipt":'],
    ['a JWS of two parts', jws.split('.').slice(0, 2).join('.')],
    ['a JWS of four parts', `${jws}.x`],
    ['a JWS in another base64', jws.replace(/.$/, '=')],
    ['a token', signedJws('JWT', receipt, second)],
    ['no algorithm', headed({ alg: 'none' })],
    ['a MAC by the public key', headed({ alg: 'HS256' })],
    ['what is signed and no object', receiptJws('text' as never, second)],
    ['what is signed with spaces between', signedAs(JSON.stringify(receipt, null, 1))],
    ['what is signed in another order', signedAs(`{${Object.entries(receipt).reverse().map(member).join(',')}}`)],
    ['what is signed with a member twice', signedAs(`${canonicalJson(receipt).slice(0, -1)},"site":"shop"}`)],
  ])('is NOT_A_RECEIPT of %s', (_, text) => expect(said(text)).toBe('NOT_A_RECEIPT'));

  it('takes the name that RFC 9864 gives the algorithm', () => {
    const signed = `${part({ alg: 'Ed25519', kid: second.jwk.kid, typ: RECEIPT_JWS_TYPE })}.${payload}`;
    const signature = sign(null, Buffer.from(signed), second.privateKey).toString('base64url');
    expect(said(`${signed}.${signature}`)).toBe('VALID');
  });
});

describe('a key set at hand', () => {
  it('leaves out what signs in another way', () =>
    expect([
      ...keysAtHand({ keys: [first.jwk, { kty: 'RSA', n: 'x', e: 'AQAB', kid: 'other' }, null] })!.keys(),
    ]).toEqual([first.jwk.kid]));

  it('is none where a key has a name that is not its own, or there is no list', () => {
    for (const wrong of [null, [], {}, { keys: {} }, { keys: [{ ...first.jwk, kid: second.jwk.kid }] }])
      expect(keysAtHand(wrong)).toBeNull();
    expect(keysAtHand({ keys: [{ ...first.jwk, x: 'AAAA' }] })).toBeNull();
  });
});
