import { sign } from 'node:crypto';
import { canonicalJson } from '../../libs/kernel/index.js';
import { RECEIPT_JWS_TYPE, receiptJws } from '../../libs/receipts/jws.js';
import { signingKey } from '../../libs/receipts/signing-key.js';
import { signatureHeaders } from '../../libs/webhooks/sending/signature.js';
import type { VerifyingKeys } from '../../libs/client/receipts/verify.js';

/* What the client library of every language has to make of receipts and webhooks, whatever is done to them. */

export const [key, other] = [signingKey(Buffer.alloc(32, 7)), signingKey(Buffer.alloc(32, 8))];
export const keys: VerifyingKeys = { keys: [other.jwk, key.jwk] };
export const receipt = {
  schema: 'urn:consent-receipt:1',
  site: 'shop',
  event: { recordedAt: '2026-11-21T12:00:00.000Z', note: 'Grüße  €' },
  purposes: [{ key: 'analytics', version: 1, previousReceipt: null }],
};
export const jws = receiptJws(receipt, key);
const [header, payload, signature] = jws.split('.') as [string, string, string];
const encoded = (text: string): string => Buffer.from(text).toString('base64url');
const part = (value: object): string => encoded(canonicalJson(value));
const ours = { alg: 'EdDSA', kid: key.jwk.kid, typ: RECEIPT_JWS_TYPE };
const signedBy = (head: object, body: string): string => {
  const text = `${part(head)}.${body}`;
  return `${text}.${sign(null, Buffer.from(text), key.privateKey).toString('base64url')}`;
};
/** A receipt of ours over any text. */
const signedText = (text: string): string => signedBy(ours, encoded(text));
const dated = (more: object): VerifyingKeys => ({ keys: [{ ...key.jwk, ...more }] });

/** RFC 8032 section 5.1: a signature with S + L in place of S is a second one for the same text. */
function malleable(): string {
  const L = 2n ** 252n + 27742317777372353535851937790883648493n;
  const bytes = Buffer.from(signature, 'base64url');
  const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + L;
  const second = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
  return [header, payload, Buffer.concat([bytes.subarray(0, 32), second]).toString('base64url')].join('.');
}

/** What RFC 8785 writes otherwise than most libraries do: order by UTF-16 units, escapes, numbers. */
const ODD = {
  ﬀ: 1,
  '😀': [1e21, 1e-7, 123456789012345680000, 0.000001, -0.5, 1.5e300, 5e-324, 0.1, 100, -1],
  é: '\u0007\b\t\n\f\r"\\/\u007f\u2028<>&',
  e: true,
};

export const RECEIPT_CASES: [verdict: string, what: string, presented: unknown, keys?: VerifyingKeys][] = [
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
  ['NOT_A_RECEIPT', 'JSON in another order', signedText('{"b":1,"a":2}')],
  ['NOT_A_RECEIPT', 'JSON with spaces', signedText('{"a": 1}')],
  ['NOT_A_RECEIPT', 'a name twice', signedText('{"a":1,"a":1}')],
  ['NOT_A_RECEIPT', 'a number that is written otherwise', signedText('{"a":1.0}')],
  ['NOT_A_RECEIPT', 'no JSON', signedText('{"a":NaN}')],
  ['NOT_A_RECEIPT', 'base64 with padding', `${jws}=`],
  ['NOT_A_RECEIPT', 'text', 'hello'],
  ['NOT_A_RECEIPT', 'nothing', null],
];

/** A receipt with every odd text and number, which is signed as RFC 8785 writes it. */
export const ODD_RECEIPT = { receipt: ODD, jws: signedText(canonicalJson(ODD)) };

export interface WebhookCase {
  header: string | null;
  rawBody: string;
  /** One, or two during a rotation. */
  secrets: string[];
  toleranceSeconds?: number;
}

const [own, foreign] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const secretOf = (bytes: Buffer): string => `whsec_${bytes.toString('base64')}`;
const nowS = (): number => Math.floor(Date.now() / 1000);
/** As the service signs it. */
export const webhookHeader = (body: string, secrets: readonly Buffer[] = [own], timestampS = nowS()): string =>
  signatureHeaders({ id: 'evt_1', timestampS, body: Buffer.from(body) }, secrets)['Consent-Signature']!;

/** `body`: of an event. Made when they are used, since they are signed now. */
export function webhookCases(rawBody: string): [outcome: string, what: string, webhook: WebhookCase][] {
  const by = (secrets: readonly Buffer[], ageS = 0): string => webhookHeader(rawBody, secrets, nowS() - ageS);
  const right = by([own]);
  const webhook = (more: Partial<WebhookCase> = {}): WebhookCase => ({
    header: right,
    rawBody,
    secrets: [secretOf(own)],
    ...more,
  });
  const capitals = right.replace(/v1=.*/, (v1) => `v1=${v1.slice(3).toUpperCase()}`);
  return [
    ['taken', 'one of the service', webhook()],
    ['taken', 'spaces and schemes to come', webhook({ header: `v2=abc, ${right.replaceAll(',', ' , ')}` })],
    [
      'taken',
      'both secrets of a rotation, of which the service knows the new one',
      webhook({ header: by([foreign]), secrets: [secretOf(own), secretOf(foreign)] }),
    ],
    ['taken', 'two signatures, of which the receiver knows the old secret', webhook({ header: by([foreign, own]) })],
    ['taken', 'one of four minutes ago', webhook({ header: by([own], 240) })],
    [
      'taken',
      'one of an hour ago, where age does not count',
      webhook({ header: by([own], 3600), toleranceSeconds: 0 }),
    ],
    ['taken', 'a secret that is no base64', webhook({ secrets: ['secret'], header: by([Buffer.from('secret')]) })],
    ['missing_header', 'no header', webhook({ header: null })],
    ['malformed_header', 'no time', webhook({ header: 'v1=00' })],
    ['malformed_header', 'two times', webhook({ header: `t=1,${right}` })],
    ['malformed_header', 'a time in words', webhook({ header: right.replace(/t=\d+/, 't=now') })],
    ['malformed_header', 'schemes to come only', webhook({ header: right.replace('v1=', 'v0=') })],
    ['no_match', 'a body that was changed', webhook({ rawBody: rawBody.replace('granted', 'denied!') })],
    ['no_match', 'a body that was written anew', webhook({ rawBody: JSON.stringify(JSON.parse(rawBody), null, 1) })],
    ['no_match', 'another secret', webhook({ secrets: [secretOf(foreign)] })],
    ['no_match', 'another time than was signed', webhook({ header: right.replace(/t=\d+/, `t=${nowS() + 9}`) })],
    ['no_match', 'a signature in capitals', webhook({ header: capitals })],
    ['no_match', 'half a signature', webhook({ header: right.slice(0, -32) })],
    ['no_match', 'an empty signature', webhook({ header: right.replace(/v1=.*/, 'v1=') })],
    ['timestamp_out_of_tolerance', 'a time long ago', webhook({ header: by([own], 310) })],
    ['timestamp_out_of_tolerance', 'a time to come', webhook({ header: by([own], -1000) })],
    ...['no json', '"text"', '{"type": 1}', 'null'].map((body): [string, string, WebhookCase] => [
      'invalid_payload',
      `a signed body that says ${body}`,
      webhook({ rawBody: body, header: webhookHeader(body) }),
    ]),
  ];
}
