import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { AssentClient, type AssentError, type ClientOptions } from '../../libs/client/index.js';
import { signIdentityToken } from '../../libs/client/server/index.js';
import { startWorld, type World } from '../support/world.js';
import { until } from '../support/timing.js';

/* The client library, as a server and as a page without a browser use it, with the service. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

const client = (apiKey: 'sk' | 'pk', more: Partial<ClientOptions> = {}): AssentClient =>
  new AssentClient({
    baseUrl: world.url,
    apiKey: apiKey === 'sk' ? world.demo.secretKey : world.demo.publicKey,
    timeoutMs: 120_000,
    ...more,
  });
const person = (): string => `user_id:${randomBytes(6).toString('hex')}`;
const decision = (subject: string, decided: 'GRANTED' | 'DENIED' | 'WITHDRAWN' = 'GRANTED', purpose = 'analytics') =>
  ({ subject, purpose, decision: decided }) as const;
/** What a call rejects with, its class beside what it says. */
const failure = (call: Promise<unknown>): Promise<object> =>
  call.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: AssentError) => ({ ...error, isA: error.constructor.name }),
  );

describe('a decision', () => {
  test('that was recorded is read at once, also within cacheTtlMs and by another name of the subject', async () => {
    const server = client('sk', { cacheTtlMs: 600_000 });
    const [subject, alias] = [person(), person()];
    const [kind, value] = alias.split(':') as [string, string];
    const effective = async (name: string) => (await server.getConsentState(name)).purposes['analytics']?.effective;
    expect(await effective(subject)).toBe('BLOCKED');
    expect(await server.recordConsent(decision(subject))).toMatchObject({
      state: 'GRANTED',
      previousState: 'NOT_COLLECTED',
    });
    await server.addIdentifier(subject, { kind, value });
    expect([await effective(subject), await effective(alias)]).toEqual(['ALLOWED', 'ALLOWED']);
    await server.recordConsent(decision(alias, 'WITHDRAWN'));
    expect([await effective(subject), await effective(alias)]).toEqual(['BLOCKED', 'BLOCKED']);
    const { data } = await server.getConsentHistory(subject, { purpose: 'analytics' });
    expect(data.map(({ decision: decided }) => decided)).toEqual(['WITHDRAWN', 'GRANTED']);
  });

  test('has one effect under one key', async () => {
    const server = client('sk');
    const subject = person();
    const options = { idempotencyKey: `key-${subject}` };
    const first = await server.recordConsent(decision(subject), options);
    expect(await server.recordConsent(decision(subject), options)).toEqual(first);
    expect((await server.getConsentHistory(subject)).data).toHaveLength(1);
    expect(await failure(server.recordConsent(decision(subject, 'DENIED'), options))).toMatchObject({
      isA: 'InvalidRequestError',
      code: 'idempotency_key_reused',
      status: 422,
    });
  });

  test('of several purposes is one batch, tried before it is done', async () => {
    const server = client('sk');
    const subject = person();
    const records = [decision(subject), decision(subject, 'DENIED', 'marketing')];
    expect(await server.recordConsentBatch(records, { dryRun: true })).toMatchObject({ summary: { recorded: 0 } });
    expect(await server.recordConsentBatch(records, { mode: 'ATOMIC' })).toMatchObject({ summary: { recorded: 2 } });
    const { purposes } = await server.getConsentState(subject, { purpose: ['analytics', 'marketing'] });
    expect(Object.entries(purposes).map(([key, { state } = { state: '' }]) => [key, state])).toEqual([
      ['analytics', 'GRANTED'],
      ['marketing', 'DENIED'],
    ]);
  });

  test('has a receipt that is verified', async () => {
    const server = client('sk');
    const { receiptId, receiptToken } = await server.recordConsent(decision(person()));
    const receipt = await server.getReceipt(receiptId);
    expect(await server.verifyReceipt(receipt)).toMatchObject({
      valid: true,
      verdict: 'VALID',
      receipt: receipt.receipt,
    });
    const changed = { ...receipt, receipt: { ...receipt.receipt, site: 'other' } };
    expect(await server.verifyReceipt(changed)).toMatchObject({ valid: false, verdict: 'TAMPERED' });
    expect((await client('pk').getReceipt(receiptId, { token: receiptToken })).jws).toBe(receipt.jws);
    expect(await server.verifyReceipt(receipt, { keys: { keys: [] } })).toMatchObject({ verdict: 'UNKNOWN_KEY' });
  });
});

describe('preferences', () => {
  test('are recorded, read with their topics, and confirmed by a link of the server', async () => {
    const server = client('sk');
    const address = `${randomBytes(6).toString('hex')}@example.org`;
    const subject = `email:${address}`;
    await server.recordPreferences({ subject, channel: 'email', values: [{ field: 'product_updates', value: true }] });
    const { token, confirmUrl } = await server.createPreferenceConfirmationToken({
      subject,
      channel: 'email',
      values: [{ field: 'news', value: true }],
      redirectUrl: 'https://demo.example/thanks',
    });
    expect(new URL(confirmUrl).searchParams.get('token')).toBe(token);
    const topics = async () => (await server.getPreferences(subject)).channels['email']?.topics;
    expect(await topics()).toMatchObject({ product_updates: { state: 'GRANTED' }, news: { state: 'PENDING' } });
    expect((await server.getPreferenceHistory(subject, { limit: 1 })).data).toHaveLength(1);
  });
});

describe('the catalogue', () => {
  test('is read in a language, by any key', async () => {
    const page = client('pk');
    const { data } = await page.getPurposes({ locale: 'de' });
    expect(data.find(({ key }) => key === 'analytics')).toMatchObject({ locale: 'de' });
    expect(await page.getPurpose('analytics')).toMatchObject({ key: 'analytics', object: 'purpose' });
    expect(await page.getPolicy({ country: 'DE' })).toMatchObject({ country: 'DE', model: 'OPT_IN' });
    expect(await page.getBanner({ country: 'DE' })).toMatchObject({ presentation: 'OPT_IN' });
    expect((await page.getPreferenceTemplate()).channels.map(({ key }) => key)).toContain('email');
    expect((await page.getWebhookEvents()).events.map(({ type }) => type)).toContain('consent.granted');
    expect(await failure(page.getPurpose('nothing'))).toMatchObject({
      isA: 'NotFoundError',
      code: 'purpose_not_found',
      hint: expect.stringMatching(/./),
      docUrl: expect.stringContaining('/docs/errors/purpose_not_found'),
    });
  });
});

describe('subjects', () => {
  test('are created and become one', async () => {
    const server = client('sk');
    const [one, two] = [person(), person()];
    for (const name of [one, two])
      await server.createSubject({ identifiers: [{ kind: 'user_id', value: name.slice('user_id:'.length) }] });
    const { target } = await server.mergeSubjects({ sources: [one], target: two });
    expect((await server.getConsentState(one)).subject.id).toBe(target.id);
  });
});

test('what was decided is read in the formats of advertising tools', async () => {
  const server = client('sk');
  const subject = person();
  const gtag = jest.fn();
  await server.recordConsent(decision(subject));
  const stop = await server.applyConsentMode(subject, gtag);
  stop();
  expect(gtag.mock.calls.map(([, action]) => action)).toEqual(['default', 'update']);
  expect((await server.getConsentMode(subject)).update.analytics_storage).toBe('granted');
  expect((await server.getTcString(subject)).tcString).toMatch(/^[\w.-]+$/);
  expect((await server.getGppString(subject)).gppString).toMatch(/^DB[\w~.-]+$/);
});

test('a data request is opened, and the portal by a link', async () => {
  const server = client('sk');
  const subject = person();
  await server.recordConsent(decision(subject));
  expect(await server.createDataRequest({ subject, type: 'ACCESS' })).toMatchObject({
    type: 'ACCESS',
    duplicateOf: null,
  });
  const { url, expiresAt } = await server.createPortalToken(subject, { expiresInSeconds: 600 });
  expect(new URL(url).pathname).toMatch(/^\/portal\//);
  expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(600_000);
});

describe('a public key', () => {
  test('reaches a person by the identity token that the server signed, and nobody else', async () => {
    const subject = person();
    const { site, secretKey } = world.demo;
    const page = client('pk', {
      identityToken: () => Promise.resolve(signIdentityToken({ subject, secretKey, site })),
    });
    await page.recordConsent(decision(subject));
    expect((await page.getConsentState(subject)).purposes['analytics']?.state).toBe('GRANTED');
    expect(await failure(page.getConsentState(person()))).toMatchObject({
      isA: 'PermissionError',
      code: 'identity_token_subject_mismatch',
    });
    expect(await failure(client('pk').getConsentState(subject))).toMatchObject({ code: 'identity_token_required' });
  });

  test('that is none is refused with the reason', async () =>
    expect(await failure(client('pk', { apiKey: 'pk_test_nothing' }).getPurposes())).toMatchObject({
      isA: 'AuthenticationError',
      code: 'api_key_invalid',
      requestId: expect.stringMatching(/./),
    }));
});

test('a gate opens when somebody with the client says that consent has changed, and not before', async () => {
  const server = client('sk', { cacheTtlMs: 600_000 });
  const subject = person();
  const opened: string[] = [];
  const open = (name: string) => () => void opened.push(name);
  server.gate(subject, ['analytics', 'marketing'], open('any of two'));
  server.gate(subject, ['marketing'], open('another purpose'));
  const stop = server.gate(subject, ['analytics'], open('stopped'));
  const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  server.gate(subject, ['analytics'], () => {
    throw new Error('of the tag');
  });
  stop();
  await server.getConsentState(subject, { fresh: true });
  // By somebody else, of whose write this client knows nothing.
  await client('sk').recordConsent(decision(subject));
  expect(opened).toEqual([]);
  server.notifyConsentChanged();
  await until(() => opened.length > 0);
  server.gate(subject, ['analytics'], open('at once'));
  await until(() => opened.length >= 2);
  expect(opened).toEqual(['any of two', 'at once']);
  expect(printed.mock.calls).toEqual([[new Error('of the tag')]]);
  printed.mockRestore();
});
