import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { webhookCases, type WebhookCase } from '../../../test/support/signed-cases.js';
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

const [event] = eventCatalogue(COMPOSITION.webhooks).filter(({ type }) => type === 'consent.granted');
const rawBody = JSON.stringify(event!.example);
const signedWebhook = ({ secrets, ...webhook }: WebhookCase): SignedWebhook => ({ ...webhook, secret: secrets });
const [[, , right]] = webhookCases(rawBody) as [[string, string, WebhookCase]];

describe('a webhook', () => {
  it.each(webhookCases(rawBody))('%s: %s', (outcome, _, one) => {
    const webhook = signedWebhook(one);
    expect(verifyWebhookSignature(webhook)).toBe(outcome === 'taken' || outcome === 'invalid_payload');
    if (outcome === 'taken') return expect(constructWebhookEvent(webhook)).toEqual(event!.example);
    expect(() => constructWebhookEvent(webhook)).toThrow(WebhookSignatureError);
    expect(() => constructWebhookEvent(webhook)).toThrow(
      expect.objectContaining({ reason: outcome, name: 'WebhookSignatureError' }),
    );
  });

  it.each<[string, Partial<SignedWebhook>]>([
    ['as bytes', { rawBody: Buffer.from(rawBody) }],
    ['as a buffer of bytes', { rawBody: new Uint8Array(Buffer.from(rawBody)).buffer }],
    ['with its header in a list', { header: [right.header!] }],
  ])('is taken %s', (_, more) =>
    expect(constructWebhookEvent({ ...signedWebhook(right), ...more })).toEqual(event!.example),
  );

  it('has no header in an empty list', () =>
    expect(() => constructWebhookEvent({ ...signedWebhook(right), header: [] })).toThrow(
      expect.objectContaining({ reason: 'missing_header' }),
    ));

  it('tells by its type what its data is', () => {
    const taken: WebhookEvent = constructWebhookEvent(signedWebhook(right));
    if (taken.type !== 'consent.granted') throw new Error('another type');
    const purpose: string = taken.data.object.purpose;
    expect(purpose).toBe('analytics');
  });

  it('is never judged without a secret, with which any sender could sign', () => {
    for (const none of ['', [], 'whsec_', [right.secrets[0]!, '']] as SignedWebhook['secret'][])
      expect(() => verifyWebhookSignature({ ...signedWebhook(right), secret: none })).toThrow(TypeError);
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
