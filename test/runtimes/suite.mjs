// What holds on every runtime, in nothing but JavaScript and web standards. Answers the names of what was tried; throws
// where something does not hold.
import * as client from '@assent/client';
import { verifyReceipt } from '@assent/client/receipts';
import {
  constructWebhookEvent,
  signIdentityToken,
  verifyWebhookSignature,
  WEBHOOK_EVENTS,
} from '@assent/client/server';

const equal = (actual, expected, what) => {
  const [a, b] = [actual, expected].map((value) => JSON.stringify(value));
  if (a !== b) throw new Error(`${what}: ${a}, and not ${b}`);
};
const failure = (call) =>
  call.then(
    () => null,
    (error) => error,
  );
const someone = () => `user_id:${Math.random().toString(36).slice(2)}`;

const TRIED = {
  async 'a decision is recorded once, and read at once'({ url, secretKey }) {
    const server = new client.AssentClient({ baseUrl: url, apiKey: secretKey, cacheTtlMs: 60_000 });
    const subject = someone();
    const read = async () => (await server.getConsentState(subject)).purposes.analytics.state;
    equal(await read(), 'NOT_COLLECTED', 'before');
    const record = { subject, purpose: 'analytics', decision: 'GRANTED' };
    const [first, second] = await Promise.all(
      [1, 2].map(() => server.recordConsent(record, { idempotencyKey: subject })),
    );
    equal(first.id, second.id, 'the same key');
    equal(await read(), 'GRANTED', 'after');
    equal((await server.getConsentHistory(subject)).data.length, 1, 'history');
  },

  async 'errors are what they are'({ url, publicKey }) {
    const page = new client.AssentClient({ baseUrl: url, apiKey: publicKey });
    const unknown = await failure(page.getPurpose('nothing'));
    equal([unknown instanceof client.NotFoundError, unknown.code], [true, 'purpose_not_found'], 'an unknown purpose');
    equal((await failure(page.createSubject({ identifiers: [] }))).code, 'secret_key_required', 'a public key');
    const nowhere = new client.AssentClient({ baseUrl: 'http://127.0.0.1:1', apiKey: publicKey, timeoutMs: 3000 });
    equal((await failure(nowhere.getPurposes())) instanceof client.ConnectionError, true, 'nobody');
    const left = new AbortController();
    left.abort(new Error('left'));
    equal((await failure(page.getPurposes({ signal: left.signal }))).message, 'left', 'a signal');
  },

  async 'a server vouches for a person'({ url, site, publicKey, secretKey }) {
    const subject = someone();
    const identityToken = signIdentityToken({ subject, secretKey, site });
    const page = new client.AssentClient({ baseUrl: url, apiKey: publicKey, identityToken });
    await page.recordConsent({ subject, purpose: 'analytics', decision: 'DENIED' });
    equal((await page.getConsentState(subject)).purposes.analytics.effective, 'BLOCKED', 'the state');
  },

  async 'a receipt is verified, and a forged one is not'({ url, secretKey }) {
    const server = new client.AssentClient({ baseUrl: url, apiKey: secretKey });
    const { receiptId } = await server.recordConsent({ subject: someone(), purpose: 'analytics', decision: 'GRANTED' });
    const receipt = await server.getReceipt(receiptId);
    equal((await server.verifyReceipt(receipt)).verdict, 'VALID', 'the true one');
    const forged = { ...receipt, receipt: { ...receipt.receipt, site: 'other' } };
    equal((await verifyReceipt(forged, { keys: url })).verdict, 'TAMPERED', 'the forged one');
  },

  async 'a webhook is verified'() {
    // Made once with OpenSSL: HMAC-SHA-256 over 1614265330.<body>, with the decoded bytes of the secret.
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const header = 't=1614265330,v1=1d38ede538a02d46aef88cc1f40147002f8ffadf8a91b713f4fda4a8fbaf7746';
    const rawBody = '{"type": "webhook.test"}';
    equal(verifyWebhookSignature({ header, rawBody, secret, toleranceSeconds: 0 }), true, 'the signature');
    equal(constructWebhookEvent({ header, rawBody, secret, toleranceSeconds: 0 }).type, 'webhook.test', 'the event');
    equal(verifyWebhookSignature({ header, rawBody, secret }), false, 'its age');
    equal(
      verifyWebhookSignature({ header, rawBody: `${rawBody} `, secret, toleranceSeconds: 0 }),
      false,
      'another body',
    );
    equal(WEBHOOK_EVENTS.includes('consent.granted'), true, 'the types');
  },

  async 'a gate opens when it may'({ url, secretKey }) {
    const server = new client.AssentClient({ baseUrl: url, apiKey: secretKey });
    const subject = someone();
    const opened = new Promise((open) => server.gate(subject, ['analytics'], open));
    await server.recordConsent({ subject, purpose: 'analytics', decision: 'GRANTED' });
    server.notifyConsentChanged();
    await opened;
  },
};

export async function suite(installation) {
  for (const [name, tried] of Object.entries(TRIED))
    await tried(installation).catch((error) => {
      throw new Error(`${name}: ${error?.stack ?? error}`);
    });
  return Object.keys(TRIED);
}
