import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { secretText, signatureHeaders } from './signature.js';

const KEY = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
const OTHER = Buffer.alloc(32, 7);
const body = Buffer.from('{"test": 2432232314}');
const signed = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestampS: 1_614_265_330, body };
const nowS = (): number => Math.floor(Date.now() / 1000);
const verified = (headers: Record<string, string>, key: Uint8Array, of: Buffer = body): boolean => {
  try {
    new Webhook(secretText(key)).verify(of, headers);
    return true;
  } catch {
    return false;
  }
};

describe('the headers of a delivery', () => {
  it('are those of the published example of Standard Webhooks', () =>
    expect(signatureHeaders(signed, [KEY])).toMatchObject({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }));

  it('are verified by the package standardwebhooks, and not where anything was changed', () => {
    const fresh = { ...signed, timestampS: nowS() };
    const headers = signatureHeaders(fresh, [KEY]);
    expect(verified(headers, KEY)).toBe(true);
    expect(verified(headers, OTHER)).toBe(false);
    expect(verified(headers, KEY, Buffer.from('{"test": 2432232315}'))).toBe(false);
    expect(verified({ ...headers, 'webhook-id': 'msg_other' }, KEY)).toBe(false);
    expect(verified({ ...headers, 'webhook-timestamp': String(fresh.timestampS + 1) }, KEY)).toBe(false);
    // Older than the tolerance, though signed rightly.
    expect(verified(signatureHeaders({ ...fresh, timestampS: nowS() - 301 }, [KEY]), KEY)).toBe(false);
  });

  it('carry the same in the header of the client library, over time and body', () => {
    const { 'Consent-Signature': header } = signatureHeaders(signed, [KEY]);
    const mac = createHmac('sha256', KEY).update('1614265330.{"test": 2432232314}').digest('hex');
    expect(header).toBe(`t=1614265330,v1=${mac}`);
  });

  it('are taken by who knows either secret while it is rotated', () => {
    const headers = signatureHeaders({ ...signed, timestampS: nowS() }, [KEY, OTHER]);
    expect([KEY, OTHER, Buffer.alloc(32, 8)].map((key) => verified(headers, key))).toEqual([true, true, false]);
    expect(headers['Consent-Signature']!.match(/,v1=[0-9a-f]{64}/g)).toHaveLength(2);
  });

  it('sign the bytes that are sent, whatever they are', () => {
    const odd = Buffer.from([0xff, 0x00, 0x0a, 0xc3]);
    const { 'Consent-Signature': header } = signatureHeaders({ ...signed, body: odd }, [KEY]);
    const content = Buffer.concat([Buffer.from('1614265330.'), odd]);
    expect(header).toBe(`t=1614265330,v1=${createHmac('sha256', KEY).update(content).digest('hex')}`);
  });
});
