import { canonicalJson } from '../../libs/kernel/index.js';
import { signIdentityToken } from '../support/identity-token.js';
import { verifies } from '../support/receipt.js';
import { VERIFIERS, type Jwk } from '../support/receipt-verifiers.js';
import { newEmail, newKey, subjectPath, subjectsIn } from '../support/subjects.js';
import { pathOf, startWorld, type Answer, type Ask, type World } from '../support/world.js';

let world: World;
let keys: Jwk[];
beforeAll(async () => {
  world = await startWorld();
  ({ keys } = (await world.request('GET', '/.well-known/jwks.json', { key: null })).body as { keys: Jwk[] });
});
afterAll(() => world?.stop());

const { erase, merge } = subjectsIn(() => world);

const receiptOf = (id: string, ask: Ask = {}, query = ''): Promise<Answer> =>
  world.request('GET', `/v1/receipts/${id}${query}`, ask);
const NOBODYS = 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S';
const CANARY = 'canary-of-a-receipt';
const somebody = (): string => `email:${newEmail()}`;
const consent = (subject: string, more: object = {}): Promise<Answer> =>
  world.recorded(
    {
      subject,
      jurisdiction: { country: 'DE', source: 'DECLARED' },
      collection: { method: 'SAVE_CHOICES', surface: 'BANNER', url: `https://demo.example/${CANARY}`, locale: 'de' },
      actor: { type: 'GUARDIAN', id: CANARY, relationship: CANARY },
      metadata: { note: CANARY },
      ...more,
    },
    { key: 'sk' },
  );
const preference = (subject: string): Promise<Answer> =>
  world.request('POST', '/v1/preferences', {
    body: {
      subject,
      values: [{ field: 'channels.email.topics.product_updates', value: false }],
      metadata: { note: CANARY },
    },
  });
/** The receipt of a double opt-in, by the history of its subject. */
async function confirmation(subject: string): Promise<string> {
  const { token } = (
    await world.request('POST', '/v1/preferences/confirmation-token', {
      body: {
        subject,
        values: [{ field: 'channels.email.topics.news', value: true }],
        redirectUrl: 'https://demo.example/',
      },
    })
  ).body as { token: string };
  expect((await world.request('POST', '/v1/preferences/confirm', { key: null, body: { token } })).status).toBe(200);
  const { data } = (await world.request('GET', subjectPath(subject, '/preferences/history'))).body;
  return (data as { object: string; receiptId: string }[]).find(({ object }) => object === 'preference_confirmation')!
    .receiptId;
}

describe('a receipt', () => {
  test('of a decision says what was decided on which text, and nothing that is personal', async () => {
    const subject = somebody();
    const first = (await consent(subject)).body;
    const second = (await consent(subject, { decision: 'WITHDRAWN' })).body;
    const { status, body, headers, text } = await receiptOf(second.receiptId);
    expect([status, headers['cache-control']]).toEqual([200, 'private, no-store']);
    const { body: purpose } = await world.request('GET', '/v1/purposes/analytics/versions/1?locale=de');
    expect(body).toEqual({
      receipt: {
        schema: 'urn:consent-receipt:1',
        id: second.receiptId,
        record: second.id,
        issuer: `urn:assent:site:${world.demo.site}`,
        site: world.demo.site,
        environment: 'test',
        subject: { id: second.subject.id },
        controllers: [{ name: purpose.controller.name, contact: purpose.controller.contact }],
        jurisdiction: { country: 'DE', region: null, source: 'DECLARED' },
        event: {
          type: 'consent',
          at: second.givenAt,
          recordedAt: second.recordedAt,
          validUntil: null,
          method: 'SAVE_CHOICES',
          surface: 'BANNER',
          source: 'API',
          actor: 'GUARDIAN',
        },
        purposes: [
          {
            key: 'analytics',
            version: 1,
            legalBasis: purpose.legalBasis,
            dataCategories: purpose.dataCategories,
            recipients: purpose.recipients,
            retention: purpose.retention,
            decision: 'WITHDRAWN',
            previousState: 'GRANTED',
            state: 'WITHDRAWN',
            applied: true,
            previousReceipt: first.receiptId,
          },
        ],
        preferences: [],
        vendors: [],
        gpc: null,
        notice: {
          hash: purpose.contentHash,
          language: purpose.locale,
          url: `/v1/purposes/analytics/versions/1?locale=${purpose.locale}`,
        },
        evidence: [],
        withdrawal: { method: 'POST', url: '/v1/consent' },
      },
      jws: expect.any(String),
      subjectErasedAt: null,
    });
    expect(text).not.toContain(CANARY);
    // Where it points to, the text that was shown can be read.
    expect((await world.request('GET', body.receipt.notice.url)).body.contentHash).toBe(body.receipt.notice.hash);
    expect((await receiptOf(first.receiptId)).body.receipt.purposes[0].previousReceipt).toBeNull();
  });

  test('is there at once for what was just recorded, also for what did not take effect', async () => {
    const subject = somebody();
    const now = (await consent(subject)).body;
    const late = (await consent(subject, { source: 'IMPORT', givenAt: '2020-01-01T00:00:00.000Z' })).body;
    expect(late.appliedToState).toBe(false);
    expect((await receiptOf(late.receiptId)).body.receipt).toMatchObject({
      event: { source: 'IMPORT', at: '2020-01-01T00:00:00.000Z' },
      purposes: [{ applied: false, previousReceipt: now.receiptId }],
    });
  });

  test('of preferences and of a confirmation says what changed', async () => {
    const subject = somebody();
    const set = (await preference(subject)).body;
    expect((await receiptOf(set.receiptId)).body.receipt).toMatchObject({
      event: { type: 'preference', at: set.givenAt },
      purposes: [],
      preferences: [{ field: 'channels.email.topics.product_updates', state: 'DENIED', previousReceipt: null }],
    });
    const confirmed = await receiptOf(await confirmation(subject));
    expect(confirmed.body.receipt).toMatchObject({
      event: { type: 'confirmation', source: 'LINK', actor: 'SUBJECT' },
      preferences: [{ field: 'channels.email.topics.news', previousState: 'PENDING', state: 'GRANTED' }],
    });
  });

  test('of an erasure is the one that erasing answered', async () => {
    const subject = somebody();
    await consent(subject);
    const { body: answered } = await erase(subject);
    const { body } = await receiptOf(answered.receipt.id);
    expect(body).toEqual({ ...answered, subjectErasedAt: answered.receipt.event.at });
  });

  test('comes bare too, and as Kantara has it; what is about no consent has no such form', async () => {
    const { receiptId } = (await consent(somebody())).body;
    const { body } = await receiptOf(receiptId);
    const bare = await receiptOf(receiptId, { headers: { Accept: 'application/jose' } });
    expect([bare.status, bare.headers['content-type'], bare.text]).toEqual([
      200,
      expect.stringMatching(/^application\/jose/),
      body.jws,
    ]);
    for (const Accept of ['application/json', 'application/json, application/jose;q=0.5', '*/*'])
      expect((await receiptOf(receiptId, { headers: { Accept } })).body).toEqual(body);
    expect((await receiptOf(receiptId, { headers: { Accept: 'text/plain' } })).status).toBe(406);

    const kantara = (await receiptOf(receiptId, {}, '?format=kantara')).body;
    expect(kantara.receipt).toMatchObject({
      version: 'KI-CR-v1.1.0',
      consentReceiptID: receiptId,
      piiPrincipalId: body.receipt.subject.id,
      policyUrl: expect.stringMatching(/^https?:\/\/[^/]+\/.*v1\/purposes\/analytics\/versions\/1\?locale=/),
    });
    const { pathname, search } = new URL(kantara.receipt.policyUrl);
    expect((await world.request('GET', pathname + search)).status).toBe(200);
    expect(verifies(kantara.jws, kantara.receipt, keys)).toBe(true);
    const set = (await preference(somebody())).body;
    for (const query of ['?format=kantara', '?format=pdf', '?unknown=1'])
      expect((await receiptOf(set.receiptId, {}, query)).body.code).toBe('validation_failed');
  });
});

describe('whoever holds a receipt and the key set', () => {
  test.each(Object.keys(VERIFIERS))('verifies it with %s', async (name) => {
    const subject = somebody();
    const ids = [(await consent(subject)).body.receiptId, (await preference(subject)).body.receiptId];
    ids.push(await confirmation(subject), (await erase(subject)).body.receipt.id);
    for (const id of ids) {
      const { receipt, jws } = (await receiptOf(id)).body as { receipt: object; jws: string };
      expect(await VERIFIERS[name]!(jws, keys)).toBe(true);
      expect(Buffer.from(jws.split('.')[1]!, 'base64url').toString()).toBe(canonicalJson(receipt));
      expect(verifies(jws, receipt, keys)).toBe(true);
      // Nothing else was signed.
      const [header, payload, signature] = jws.split('.') as [string, string, string];
      const other = Buffer.from(canonicalJson({ ...receipt, site: 'other' })).toString('base64url');
      expect(await VERIFIERS[name]!([header, other, signature].join('.'), keys)).toBe(false);
      const bytes = Buffer.from(signature, 'base64url');
      bytes[0]! ^= 1;
      expect(await VERIFIERS[name]!([header, payload, bytes.toString('base64url')].join('.'), keys)).toBe(false);
    }
  });
});

describe('the bytes of a receipt', () => {
  test('are the same at every call, after a restart, and after everything personal was erased', async () => {
    const subject = somebody();
    const set = (await preference(subject)).body;
    const ids = [(await consent(subject)).body.receiptId, set.receiptId, await confirmation(subject)];
    const ask = (): Promise<Answer[]> => Promise.all(ids.map((id) => receiptOf(id)));
    const before = await ask();
    expect(before.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await ask()).map(({ text }) => text)).toEqual(before.map(({ text }) => text));
    await world.restart();
    expect((await ask()).map(({ text }) => text)).toEqual(before.map(({ text }) => text));

    const { receipt } = (await erase(subject)).body;
    // Who is merged or erased is known everywhere within seconds; the receipt waits for nothing.
    expect((await ask()).map(({ body }) => body)).toEqual(
      before.map(({ body }) => ({ ...body, subjectErasedAt: receipt.event.at })),
    );
  });
});

describe('who may read a receipt', () => {
  const vouched = (subject: string, claims = {}): Ask => ({
    key: 'pk',
    headers: {
      'Consent-Identity': signIdentityToken({
        secretKey: world.demo.secretKey,
        site: world.demo.site,
        subject,
        claims,
      }),
    },
  });
  const became = ({ status, body }: Answer): string => (status === 200 ? 'let in' : `${status} ${body.code as string}`);

  test('a secret key of its site and environment, and a public key for the person that is vouched for', async () => {
    const subject = somebody();
    const { receiptId } = (await consent(subject)).body;
    const live = (
      await world.request('POST', `/admin/v1/sites/${world.demo.site}/keys`, {
        key: 'operator',
        body: { type: 'sk', env: 'live', name: 'live' },
      })
    ).body.key as string;
    expect(became(await receiptOf(receiptId))).toBe('let in');
    expect(became(await receiptOf(receiptId, { key: live }))).toBe('404 receipt_not_found');
    expect(became(await receiptOf(receiptId, { key: 'pk' }))).toBe('403 identity_token_required');
    expect(became(await receiptOf(receiptId, vouched(subject)))).toBe('let in');
    expect(became(await receiptOf(receiptId, vouched(subject, { scope: ['consent:read'] })))).toBe('403 scope_missing');
    expect(became(await receiptOf(receiptId, { key: null }))).toBe('401 api_key_missing');
  });

  test('nobody else, who learns nothing of whether it exists', async () => {
    const { receiptId } = (await consent(somebody())).body;
    const ask = vouched(somebody());
    const told = [];
    for (const id of [receiptId, NOBODYS, 'rct_x', 'rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S'])
      told.push(await receiptOf(id, { ...ask, headers: { ...ask.headers, 'X-Request-Id': 'the-same' } }));
    expect(new Set(told.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(became(told[0]!)).toBe('404 receipt_not_found');
  });

  test('of a visitor who turned out to be somebody, that person', async () => {
    const [visitor, person] = [world.visitor(), somebody()];
    const { receiptId } = (await world.recorded({ subject: visitor })).body;
    await consent(person);
    expect((await merge([visitor], person)).status).toBe(200);
    expect(became(await receiptOf(receiptId, vouched(person)))).toBe('let in');
  });

  test('whoever has the capability from the answer to the write, without any key and from any page', async () => {
    const record = (await world.recorded({ subject: world.visitor() })).body;
    const other = (await world.recorded({ subject: world.visitor() })).body;
    const by = (id: string, token: string, ask: Ask = { key: null }): Promise<Answer> =>
      receiptOf(id, ask, `?token=${token}`);
    const { receiptId, receiptToken } = record;
    const read = await by(receiptId, receiptToken, { key: null, headers: { Origin: 'https://anywhere.example' } });
    expect([became(read), read.headers['access-control-allow-origin']]).toEqual(['let in', '*']);
    expect(read.body).toEqual((await receiptOf(receiptId)).body);
    for (const token of [other.receiptToken, `${receiptToken}A`, 'rpt_x'])
      expect(became(await by(receiptId, token))).toBe('404 receipt_not_found');
    // One that is too long for any is refused as what it is.
    expect(became(await by(receiptId, 'x'.repeat(65)))).toBe('422 validation_failed');
    expect(became(await by(NOBODYS, receiptToken))).toBe('404 receipt_not_found');
    // With a public key beside it as well; a key that does not count is noticed.
    expect(became(await by(receiptId, receiptToken, { key: 'pk' }))).toBe('let in');
    expect(became(await by(receiptId, receiptToken, { key: 'sk_test_nonsense' }))).toBe('401 api_key_invalid');
  });
});

describe('the capability', () => {
  test('is in the answer to every record, and the same when the request is repeated', async () => {
    const subject = world.visitor();
    const send = (path: string, body: object, key: string): Promise<Answer> =>
      world.request('POST', path, { key: 'pk', body, headers: { 'Idempotency-Key': key } });
    const record = { subject, purpose: 'analytics', decision: 'GRANTED' };
    const opens = async ({ receiptId, receiptToken }: { receiptId: string; receiptToken: string }): Promise<number> =>
      (await receiptOf(receiptId, { key: null }, `?token=${receiptToken}`)).status;
    for (const [path, body] of [
      ['/v1/consent', record],
      ['/v1/consent/batch', { records: [record, { ...record, purpose: 'marketing' }] }],
      ['/v1/preferences', { subject, values: [{ field: 'channels.email.topics.product_updates', value: false }] }],
    ] as const) {
      const key = newKey();
      const first = await send(path, body, key);
      expect([200, 201]).toContain(first.status);
      const again = await send(path, body, key);
      expect([again.headers['idempotent-replayed'], again.text]).toEqual(['true', first.text]);
      const records = first.body.results?.map((result: { record: object }) => result.record) ?? [first.body];
      for (const each of records) expect(await opens(each)).toBe(200);
    }
  });
});

test('history and state name receipts that can be read', async () => {
  const subject = somebody();
  await consent(subject);
  const { data } = (await world.request('GET', pathOf(subject, '/history'))).body;
  const { purposes } = (await world.request('GET', pathOf(subject, '?fresh=true'))).body;
  for (const id of [data[0].receiptId, purposes.analytics.receiptId])
    expect((await receiptOf(id)).body.receipt.id).toBe(id);
});
