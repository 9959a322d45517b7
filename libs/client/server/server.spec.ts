import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { signatureHeaders } from '../../webhooks/sending/signature.js';
import { COMPOSITION } from '../../composition/contexts.js';
import { eventCatalogue } from '../../webhooks/types/event-catalogue.js';
import { readIdentityToken, verifyIdentityToken } from '../../access/tokens/identity-token.js';
import { hkdfSha256, hmacSha256, sha256 } from './sha256.js';
import {
  constructWebhookEvent,
  signIdentityToken,
  verifyWebhookSignature,
  WEBHOOK_EVENTS,
  WebhookSignatureError,
  type SignedWebhook,
  type WebhookEvent,
} from './index.js';

afterEach(() => {
  jest.useRealTimers();
});

describe('the hash', () => {
  it('is that of Node.js, at every length around the borders of its blocks', () => {
    for (let length = 0; length <= 200; length++) {
      const [message, key] = [randomBytes(length), randomBytes(length)];
      expect(Buffer.from(sha256(message))).toEqual(createHash('sha256').update(message).digest());
      expect(Buffer.from(hmacSha256(key, message))).toEqual(createHmac('sha256', key).update(message).digest());
      expect(Buffer.from(hkdfSha256(key, message))).toEqual(Buffer.from(hkdfSync('sha256', key, '', message, 32)));
    }
    const large = randomBytes(1_000_003);
    expect(Buffer.from(sha256(large))).toEqual(createHash('sha256').update(large).digest());
  });
});

const [key, other] = [randomBytes(32), randomBytes(32)];
const secretOf = (bytes: Buffer): string => `whsec_${bytes.toString('base64')}`;
const secret = secretOf(key);
const [event] = eventCatalogue(COMPOSITION.webhooks).filter(({ type }) => type === 'consent.granted');
const rawBody = JSON.stringify(event!.example);
const now = (): number => Math.floor(Date.now() / 1000);
/** As the service signs it. */
const signed = (body: string, keys: readonly Buffer[] = [key], timestampS = now()): string =>
  signatureHeaders({ id: 'evt_1', timestampS, body: Buffer.from(body) }, keys)['Consent-Signature']!;
const webhook = (more: Partial<SignedWebhook> = {}): SignedWebhook => ({
  header: signed(rawBody),
  rawBody,
  secret,
  ...more,
});

describe('a webhook that the service signed', () => {
  it.each<[string, Partial<SignedWebhook>]>([
    ['as text', {}],
    ['as bytes', { rawBody: Buffer.from(rawBody) }],
    ['as a buffer of bytes', { rawBody: new Uint8Array(Buffer.from(rawBody)).buffer }],
    ['with its header in a list', { header: [signed(rawBody)] }],
    ['with spaces and schemes to come in its header', { header: `v2=abc, ${signed(rawBody).replaceAll(',', ' , ')}` }],
    [
      'with both secrets of a rotation, of which it knows the new one',
      { header: signed(rawBody, [other]), secret: [secret, secretOf(other)] },
    ],
    ['with two signatures, of which the receiver knows the old secret', { header: signed(rawBody, [other, key]) }],
    ['four minutes ago', { header: signed(rawBody, [key], now() - 240) }],
    ['an hour ago, where age does not count', { header: signed(rawBody, [key], now() - 3600), toleranceSeconds: 0 }],
    ['with a secret that is no base64', { secret: 'secret', header: signed(rawBody, [Buffer.from('secret')]) }],
  ])('is taken %s', (_, more) => {
    expect(constructWebhookEvent(webhook(more))).toEqual(event!.example);
    expect(verifyWebhookSignature(webhook(more))).toBe(true);
  });

  it('tells by its type what its data is', () => {
    const taken: WebhookEvent = constructWebhookEvent(webhook());
    if (taken.type !== 'consent.granted') throw new Error('another type');
    const purpose: string = taken.data.object.purpose;
    expect(purpose).toBe('analytics');
  });
});

describe('a webhook', () => {
  it.each<[string, string, Partial<SignedWebhook>]>([
    ['no header', 'missing_header', { header: null }],
    ['an empty list of headers', 'missing_header', { header: [] }],
    ['no time', 'malformed_header', { header: 'v1=00' }],
    ['two times', 'malformed_header', { header: `t=1,${signed(rawBody)}` }],
    ['a time in words', 'malformed_header', { header: signed(rawBody).replace(/t=\d+/, 't=now') }],
    ['schemes to come only', 'malformed_header', { header: signed(rawBody).replace('v1=', 'v0=') }],
    ['a body that was changed', 'no_match', { rawBody: rawBody.replace('granted', 'denied!') }],
    ['a body that was written anew', 'no_match', { rawBody: JSON.stringify(JSON.parse(rawBody), null, 1) }],
    ['another secret', 'no_match', { secret: secretOf(other) }],
    ['another time than was signed', 'no_match', { header: signed(rawBody).replace(/t=\d+/, `t=${now() + 1}`) }],
    [
      'a signature in capitals',
      'no_match',
      { header: signed(rawBody).replace(/v1=.*/, (v1) => `v1=${v1.slice(3).toUpperCase()}`) },
    ],
    ['half a signature', 'no_match', { header: signed(rawBody).slice(0, -32) }],
    ['an empty signature', 'no_match', { header: signed(rawBody).replace(/v1=.*/, 'v1=') }],
    ['a time long ago', 'timestamp_out_of_tolerance', { header: signed(rawBody, [key], now() - 310) }],
    ['a time to come', 'timestamp_out_of_tolerance', { header: signed(rawBody, [key], now() + 1000) }],
  ])('with %s is refused: %s', (_, reason, more) => {
    expect(verifyWebhookSignature(webhook(more))).toBe(false);
    expect(() => constructWebhookEvent(webhook(more))).toThrow(
      expect.objectContaining({ reason, name: 'WebhookSignatureError' }),
    );
    expect(() => constructWebhookEvent(webhook(more))).toThrow(WebhookSignatureError);
  });

  it.each(['no json', '"text"', '{"type": 1}', 'null'])('that is signed and says %s is no event', (body) => {
    const more = { rawBody: body, header: signed(body) };
    expect(() => constructWebhookEvent(webhook(more))).toThrow(expect.objectContaining({ reason: 'invalid_payload' }));
    expect(verifyWebhookSignature(webhook(more))).toBe(true);
  });

  it('is never judged without a secret, with which any sender could sign', () => {
    for (const none of ['', [], 'whsec_', [secret, '']] as SignedWebhook['secret'][])
      expect(() => verifyWebhookSignature(webhook({ secret: none }))).toThrow(TypeError);
  });
});

it('every type of the catalogue is listed', () =>
  expect([...WEBHOOK_EVENTS]).toEqual(eventCatalogue(COMPOSITION.webhooks).map(({ type }) => type)));

describe('an identity token', () => {
  const secretKey = 'sk_test_abcdefghijkl0123456789';
  const macKey = Buffer.from(hkdfSync('sha256', secretKey, '', 'consent-identity-token/v1', 32));
  const expected = { site: 'shop', env: 'test' } as const;
  const verified = (token: string, at: string) => verifyIdentityToken(readIdentityToken(token)!, macKey, expected, at);

  it('is one that the service takes, for a quarter of an hour', () => {
    jest.useFakeTimers({ now: Date.parse('2026-11-21T12:00:00.000Z') });
    const token = signIdentityToken({ subject: 'user_id:Müller 42', secretKey, site: 'shop' });
    expect(verified(token, '2026-11-21T12:14:59.000Z')).toEqual({
      outcome: 'verified',
      reference: { kind: 'user_id', value: 'Müller 42' },
      keyId: 'key_abcdefghijkl',
      issuedAt: '2026-11-21T12:00:00.000Z',
      scopes: null,
    });
    expect(verified(token, '2026-11-21T12:16:01.000Z')).toEqual({ outcome: 'expired' });
  });

  it('has the given lifetime and scopes', () => {
    const token = signIdentityToken({
      subject: 'user_id:1',
      secretKey,
      site: 'shop',
      expiresInSeconds: 86_400,
      scope: ['consent:read'],
    });
    const later = new Date(Date.now() + 86_000_000).toISOString();
    expect(verified(token, later)).toMatchObject({ outcome: 'verified', scopes: ['consent:read'] });
  });

  it.each<[string, object]>([
    ['a public key', { secretKey: 'pk_test_abcdefghijkl' }],
    ['no kind', { subject: '42' }],
    ['the id of a subject', { subject: 'subject:sub_1' }],
    ['no site', { site: '' }],
    ['more than a day', { expiresInSeconds: 86_401 }],
    ['no time at all', { expiresInSeconds: 0 }],
  ])('cannot be made of %s', (_, more) =>
    expect(() => signIdentityToken({ subject: 'user_id:1', secretKey, site: 'shop', ...more })).toThrow(TypeError),
  );
});
