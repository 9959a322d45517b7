import { afterEach, describe, expect, it } from '@jest/globals';
import { sign } from 'node:crypto';
import { canonicalJson } from '../../kernel/index.js';
import { RECEIPT_JWS_TYPE, receiptJws } from '../../receipts/jws.js';
import { signingKey } from '../../receipts/signing-key.js';
import { keysAtHand, verdictOn as verdictOfService } from '../../receipts/verdict.js';
import { answers, startFailingServer } from '../../../test/support/failing-server.js';
import { verifyReceipt, type VerifyingKeys } from './index.js';
import { tweetnaclHolds } from './tweetnacl.js';

const [key, other] = [signingKey(Buffer.alloc(32, 7)), signingKey(Buffer.alloc(32, 8))];
const keys: VerifyingKeys = { keys: [other.jwk, key.jwk] };
const receipt = {
  schema: 'urn:consent-receipt:1',
  site: 'shop',
  event: { recordedAt: '2026-11-21T12:00:00.000Z', note: 'Grüße  €' },
  purposes: [{ key: 'analytics', version: 1, previousReceipt: null }],
};
const jws = receiptJws(receipt, key);
const [header, payload, signature] = jws.split('.') as [string, string, string];
const part = (value: object): string => Buffer.from(canonicalJson(value)).toString('base64url');
const signedBy = (head: object, body: string): string => {
  const text = `${part(head)}.${body}`;
  return `${text}.${sign(null, Buffer.from(text), key.privateKey).toString('base64url')}`;
};
const ours = { alg: 'EdDSA', kid: key.jwk.kid, typ: RECEIPT_JWS_TYPE };
const dated = (more: object): VerifyingKeys => ({ keys: [{ ...key.jwk, ...more }] });

/** RFC 8032 section 5.1: a signature with S + L in place of S is a second one for the same text. */
function malleable(): string {
  const L = 2n ** 252n + 27742317777372353535851937790883648493n;
  const bytes = Buffer.from(signature, 'base64url');
  const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + L;
  const second = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
  return [header, payload, Buffer.concat([bytes.subarray(0, 32), second]).toString('base64url')].join('.');
}

const CASES: [verdict: string, what: string, presented: unknown, keys?: VerifyingKeys][] = [
  ['VALID', 'what the service answers', { receipt, jws, subjectErasedAt: null }],
  ['VALID', 'its text', ` ${JSON.stringify({ receipt, jws })}\n`],
  ['VALID', 'the bare JWS', jws],
  ['VALID', 'the newer name of the algorithm', signedBy({ ...ours, alg: 'Ed25519' }, payload)],
  ['VALID', 'a key that signed from then on', jws, dated({ signsFrom: '2026-11-21T12:00:00.000Z' })],
  ['KEY_NOT_YET_VALID', 'a key of later', jws, dated({ signsFrom: '2026-11-22T00:00:00.000Z' })],
  ['REVOKED_KEY', 'a key that others may have', jws, dated({ revokedAt: '2026-11-22T00:00:00.000Z' })],
  ['UNKNOWN_KEY', 'a key set without its key', jws, { keys: [other.jwk] }],
  ['UNKNOWN_KEY', 'an empty key set', jws, { keys: [] }],
  ['UNKNOWN_KEY', 'a key of another kind under its name', jws, dated({ crv: 'X25519' })],
  ['TAMPERED', 'another receipt beside it', { receipt: { ...receipt, site: 'other' }, jws }],
  ['TAMPERED', 'a receipt with more in it', { receipt: { ...receipt, more: 1 }, jws }],
  ['TAMPERED', 'a changed payload', [header, part({ ...receipt, site: 'other' }), signature].join('.')],
  ['TAMPERED', 'a signature of another key', [header, payload, receiptJws(receipt, other).split('.')[2]].join('.')],
  ['TAMPERED', 'a signature with S above the order of the group', malleable()],
  ['TAMPERED', 'half a signature', jws.slice(0, -43)],
  ['NOT_A_RECEIPT', 'another type', signedBy({ ...ours, typ: 'JWT' }, payload)],
  ['NOT_A_RECEIPT', 'no algorithm', `${part({ ...ours, alg: 'none' })}.${payload}.`],
  ['NOT_A_RECEIPT', 'JSON in another order', signedBy(ours, Buffer.from('{"b":1,"a":2}').toString('base64url'))],
  ['NOT_A_RECEIPT', 'base64 with padding', `${jws}=`],
  ['NOT_A_RECEIPT', 'text', 'hello'],
  ['NOT_A_RECEIPT', 'nothing', null],
];

const { subtle } = crypto;
afterEach(() => {
  Object.defineProperty(crypto, 'subtle', { value: subtle, configurable: true });
});

describe.each([
  ['with WebCrypto', subtle],
  ['without it', undefined],
])('%s', (_, available) => {
  it.each(CASES)('%s: %s', async (verdict, _what, presented, set = keys) => {
    Object.defineProperty(crypto, 'subtle', { value: available, configurable: true });
    const judged = await verifyReceipt(presented, { keys: set });
    expect([judged.verdict, judged.valid]).toEqual([verdict, verdict === 'VALID']);
    expect(judged.receipt).toEqual(judged.receipt === null ? null : receipt);
  });
});

it('the verdict is that of the service, whatever is presented', async () => {
  for (const [, what, presented, set = keys] of CASES) {
    const text = typeof presented === 'string' ? presented : JSON.stringify(presented);
    const hand = keysAtHand(set);
    const judged = (await verifyReceipt(text, { keys: set })).verdict;
    // The service refuses a whole set that holds a key of another kind under an id; here only that key is passed over.
    if (hand) expect([what, judged]).toEqual([what, verdictOfService(text, hand).verdict]);
  }
});

it('WebCrypto and what takes its place agree on every changed byte', async () => {
  const bytes = Buffer.from(signature, 'base64url');
  const signed = Buffer.from(`${header}.${payload}`);
  const imported = await subtle.importKey('jwk', { ...key.jwk, key_ops: ['verify'] }, 'Ed25519', false, ['verify']);
  for (let place = 0; place < bytes.length; place += 7) {
    const changed = Buffer.from(bytes);
    changed[place]! ^= 1;
    const held = tweetnaclHolds(changed, signed, Buffer.from(key.jwk.x, 'base64url'));
    expect(held).toBe(await subtle.verify('Ed25519', imported, changed, signed));
  }
});

it('the key set of a service is fetched once, and again only for a key that is new', async () => {
  const server = await startFailingServer();
  try {
    server.next((response) => response.writeHead(503).end(), answers(200, { keys: [other.jwk] }), answers(200, keys));
    const verdict = async (text: string): Promise<string> =>
      (await verifyReceipt(text, { keys: `${server.url}/` })).verdict;
    await expect(verdict(jws)).rejects.toThrow('503');
    expect(await verdict(receiptJws(receipt, other))).toBe('VALID');
    expect(await Promise.all([verdict(receiptJws(receipt, other)), verdict(jws)])).toEqual(['VALID', 'VALID']);
    expect(server.asked.map(({ path }) => path)).toEqual(Array(3).fill('/.well-known/jwks.json'));
  } finally {
    await server.stop();
  }
});
