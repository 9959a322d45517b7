import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMPOSITION } from '../../libs/composition/contexts.js';
import { eventCatalogue } from '../../libs/webhooks/types/event-catalogue.js';
import {
  answers,
  hangs,
  refuses,
  resets,
  startFailingServer,
  type FailingServer,
  type Way,
} from '../support/failing-server.js';
import { LANGUAGES, type Driver } from '../support/sdk-drivers.js';
import { keys, ODD_RECEIPT, RECEIPT_CASES, webhookCases } from '../support/signed-cases.js';
import { startWorld, type World } from '../support/world.js';

/* What the client library of every language does, with the service and with one that fails. */

let world: World;
let failing: FailingServer;
let folder: string;
beforeAll(async () => {
  [world, failing] = await Promise.all([startWorld(), startFailingServer()]);
  folder = mkdtempSync(join(tmpdir(), 'assent-sdk-'));
});
afterAll(async () => {
  await Promise.all([world?.stop(), failing?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

const PATIENT_MS = 120_000;
/** Compilers of other languages take half a minute of processor, and much longer beside other specs. */
const MADE_WITHIN_MS = 1_200_000;
const person = (): string => `user_id:${randomBytes(6).toString('hex')}`;
const record = (subject: string, decision: string) => ({ subject, purpose: 'analytics', decision });

for (const { name, missing, guide, start } of LANGUAGES) {
  const suite = missing === null ? describe : describe.skip;
  suite(missing === null ? name : `${name} (${missing})`, () => {
    let driver: Driver;
    let place: string;
    beforeAll(async () => {
      place = mkdtempSync(join(folder, 'sdk-'));
      driver = await start(place);
    }, MADE_WITHIN_MS);
    afterAll(() => driver?.stop());
    const call: Driver['call'] = (what, asked) => driver.call(what, asked);
    const open = (more: object = {}): Promise<unknown> =>
      call('open', { baseUrl: world.url, apiKey: world.demo.secretKey, timeoutMs: PATIENT_MS, ...more });
    const openAtFailing = (): Promise<unknown> => open({ baseUrl: failing.url });

    describe('with the service', () => {
      test('what was recorded is read, and its history by pages', async () => {
        await open();
        const subject = person();
        const recorded = [];
        for (const decision of ['GRANTED', 'WITHDRAWN', 'GRANTED'])
          recorded.push(await call('recordConsent', record(subject, decision)));
        expect(recorded[2]).toMatchObject({ purpose: 'analytics', state: 'GRANTED', previousState: 'WITHDRAWN' });
        expect(await call('getConsentState', { subject, purpose: 'analytics' })).toMatchObject({
          purposes: { analytics: { state: 'GRANTED', effective: 'ALLOWED', receiptId: recorded[2].receiptId } },
        });
        const first = await call('getConsentHistory', { subject, limit: 2 });
        expect(first).toMatchObject({ hasMore: true, data: [{ id: recorded[2].id }, { id: recorded[1].id }] });
        const second = await call('getConsentHistory', { subject, limit: 2, cursor: first.nextCursor });
        expect(second).toMatchObject({ hasMore: false, data: [{ id: recorded[0].id }] });
        expect(second.nextCursor ?? null).toBeNull();
      });

      test('a repeat under one key has one effect, and another body under it is refused', async () => {
        await open();
        const subject = person();
        const idempotencyKey = `key-${subject}`;
        const first = await call('recordConsent', { ...record(subject, 'GRANTED'), idempotencyKey });
        expect(await call('recordConsent', { ...record(subject, 'GRANTED'), idempotencyKey })).toEqual(first);
        expect((await call('getConsentHistory', { subject, limit: 9 })).data).toHaveLength(1);
        expect(await call('recordConsent', { ...record(subject, 'DENIED'), idempotencyKey })).toMatchObject({
          failed: { code: 'idempotency_key_reused', status: 422 },
        });
      });

      test('a batch answers for each of its records', async () => {
        await open();
        const [one, two] = [person(), person()];
        const answer = await call('recordConsentBatch', {
          records: [record(one, 'GRANTED'), { ...record(two, 'DENIED'), purpose: 'nothing' }],
        });
        expect(answer).toMatchObject({
          summary: { recorded: 1 },
          results: [{ record: { state: 'GRANTED' } }, { error: { code: 'purpose_unknown' } }],
        });
      });

      test('preferences are set and read', async () => {
        await open();
        const subject = `email:${randomBytes(6).toString('hex')}@example.org`;
        const values = [{ field: 'product_updates', value: true }];
        expect(await call('setPreferences', { subject, channel: 'email', values })).toMatchObject({
          object: 'preference_record',
        });
        expect(await call('getPreferences', { subject })).toMatchObject({
          channels: { email: { topics: { product_updates: { state: 'GRANTED' } } } },
        });
      });

      test('a subject is created, and found where it is there', async () => {
        await open();
        const identifier = { kind: 'user_id', value: randomBytes(6).toString('hex') };
        const { id } = await call('createSubject', identifier);
        expect(id).toMatch(/^sub_/);
        expect(await call('createSubject', identifier)).toMatchObject({ id });
      });

      test('a refusal says its code, how to fix it, where, and the id of the request', async () => {
        await open();
        expect(await call('recordConsent', { ...record(person(), 'GRANTED'), purpose: 'not a key' })).toEqual({
          failed: {
            code: 'validation_failed',
            status: 422,
            hint: expect.stringMatching(/./),
            requestId: expect.stringMatching(/./),
            paths: ['purpose'],
          },
        });
        await open({ apiKey: world.demo.publicKey });
        expect(await call('getConsentHistory', { subject: person(), limit: 1 })).toMatchObject({
          failed: { code: 'secret_key_required' },
        });
      });

      test('an identity token opens one subject to the public key', async () => {
        const { publicKey: apiKey, secretKey, site } = world.demo;
        const subject = `user_id:Müller ${randomBytes(6).toString('hex')}`;
        await open();
        await call('recordConsent', record(subject, 'GRANTED'));
        await open({ apiKey });
        const asked = { subject, purpose: 'analytics' };
        expect(await call('getConsentState', asked)).toMatchObject({ failed: { code: 'identity_token_required' } });
        await open({ apiKey, identityToken: await call('signIdentityToken', { subject, secretKey, site }) });
        expect(await call('getConsentState', asked)).toMatchObject({ purposes: { analytics: { state: 'GRANTED' } } });
        expect(await call('getConsentState', { ...asked, subject: person() })).toMatchObject({
          failed: { code: 'identity_token_subject_mismatch' },
        });
        const forWriting = { subject, secretKey, site, expiresInSeconds: 86_400, scope: ['consent:write'] };
        await open({ apiKey, identityToken: await call('signIdentityToken', forWriting) });
        expect(await call('getConsentState', asked)).toMatchObject({ failed: { code: 'scope_missing' } });
      });

      test('a receipt is verified, and refused where it was changed', async () => {
        await open();
        const { receiptId } = await call('recordConsent', record(person(), 'GRANTED'));
        const { receipt, jws } = await call('getReceipt', { id: receiptId });
        const verdict = (presented: object): Promise<unknown> =>
          call('verifyReceipt', { receipt: JSON.stringify(presented) });
        expect(await verdict({ receipt, jws })).toBe('VALID');
        expect(await verdict({ receipt: { ...receipt, site: 'other' }, jws })).toBe('TAMPERED');
      });

      if (guide)
        test('the samples of its guide run, and print what they say', async () => {
          const data = join(place, 'user', 'data');
          mkdirSync(data);
          writeFileSync(join(data, 'demo.json'), JSON.stringify({ url: world.url, ...world.demo }));
          expect((await call('guide')).trim().split('\n')).toEqual(guide.prints);
        });

      test('a write whose answer was lost is sent again, and has one effect', async () => {
        const forwarded = async (asked: Parameters<Way>[1]): Promise<Response> =>
          fetch(world.url + asked.path, {
            method: asked.method,
            headers: { ...(asked.headers as Record<string, string>), host: new URL(world.url).host },
            body: asked.body,
          });
        failing.next(
          async (response, asked) => {
            await (await forwarded(asked)).text();
            response.socket?.resetAndDestroy();
          },
          async (response, asked) => {
            const answer = await forwarded(asked);
            answers(answer.status, await answer.json())(response, asked);
          },
        );
        await openAtFailing();
        const subject = person();
        const { id } = await call('recordConsent', record(subject, 'GRANTED'));
        expect(failing.asked).toHaveLength(2);
        await open();
        expect((await call('getConsentHistory', { subject, limit: 9 })).data).toEqual([
          expect.objectContaining({ id }),
        ]);
      });
    });

    describe('with a service that fails', () => {
      const state = { subject: { id: 'sub_1' }, revision: 1, asOf: '2026-11-21T12:00:00.000Z', purposes: {} };
      const read = { subject: 'user_id:1', purpose: 'analytics' };

      test.each([429, 503])('%i is waited for as it says, and the tries share one key', async (status) => {
        failing.next(refuses(status, 'rate_limited', { 'Retry-After': '1' }), answers(201, { id: 'rec_1' }));
        await openAtFailing();
        expect(await call('recordConsent', record('user_id:1', 'GRANTED'))).toMatchObject({ id: 'rec_1' });
        const [first, second] = failing.asked;
        expect(second!.at - first!.at).toBeGreaterThanOrEqual(990);
        expect(first!.headers['idempotency-key']).toMatch(/^[\x21-\x7e]{16,255}$/);
        expect(second!.headers['idempotency-key']).toBe(first!.headers['idempotency-key']);
        expect(second!.body).toBe(first!.body);
      });

      test('three tries, then the last failure', async () => {
        await openAtFailing();
        failing.next(resets);
        expect(await call('getConsentState', read)).toMatchObject({ failed: { code: 'no_connection', status: 0 } });
        expect(failing.asked).toHaveLength(3);
        failing.next((response) => response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad</h1>'));
        expect(await call('getConsentState', read)).toMatchObject({ failed: { code: 'http_502', status: 502 } });
        expect(failing.asked).toHaveLength(3);
      });

      test('what is refused for good is not tried again, nor what would be late', async () => {
        await openAtFailing();
        failing.next(refuses(422, 'validation_failed'));
        expect(await call('recordConsent', record('user_id:1', 'GRANTED'))).toMatchObject({ failed: { status: 422 } });
        expect(failing.asked).toHaveLength(1);
        failing.next(refuses(503, 'dependency_unavailable', { 'Retry-After': '3600' }));
        expect(await call('getConsentState', read)).toMatchObject({ failed: { code: 'dependency_unavailable' } });
        expect(failing.asked).toHaveLength(1);
      });

      test('a service that hangs is given up in time', async () => {
        // One of its own: what was given up may come in late, when the next test counts what came in.
        const hanging = await startFailingServer();
        hanging.next(hangs);
        await open({ baseUrl: hanging.url, timeoutMs: 500 });
        expect(await call('getConsentState', read)).toMatchObject({ failed: { code: 'timed_out', status: 0 } });
        await hanging.stop();
      });

      test('reads carry the position of the latest write', async () => {
        const written = (position: string): Way => answers(201, { id: 'rec_1' }, { 'X-Log-Position': position });
        await openAtFailing();
        failing.next(written('9007199254740995'), written('41'), answers(200, state));
        for (let write = 0; write < 2; write++) await call('recordConsent', record('user_id:1', 'GRANTED'));
        expect(await call('getConsentState', { ...read, subject: 'email:ä/b@example.org' })).toMatchObject({
          revision: 1,
        });
        expect(failing.asked.map(({ headers }) => headers['x-log-position'])).toEqual([
          undefined,
          undefined,
          '9007199254740995',
        ]);
        expect(failing.asked[2]!.path).toBe('/v1/subjects/email%3A%C3%A4%2Fb%40example.org/consent?purpose=analytics');
      });
    });

    describe('without a connection', () => {
      const [event] = eventCatalogue(COMPOSITION.webhooks).filter(({ type }) => type === 'consent.granted');

      test('webhooks are taken or refused by their signature', async () => {
        for (const [outcome, what, webhook] of webhookCases(JSON.stringify(event!.example))) {
          const verified = outcome === 'taken' || outcome === 'invalid_payload';
          expect([what, await call('verifyWebhook', webhook)]).toEqual([
            what,
            { verified, outcome, ...(outcome === 'taken' && { id: (event!.example as { id: string }).id }) },
          ]);
        }
      });

      test.each([[['']], [['whsec_']], [['secret', '']]])('no secret is no secret: %j', async (secrets) =>
        expect(await call('verifyWebhook', { header: 't=1,v1=00', rawBody: '{}', secrets })).toMatchObject({
          failed: { code: 'argument' },
        }),
      );

      test('receipts have the verdict that they have in every language', async () => {
        for (const [verdict, what, presented, set = keys] of [
          ...RECEIPT_CASES,
          ['VALID', 'odd texts and numbers', ODD_RECEIPT] as (typeof RECEIPT_CASES)[number],
        ]) {
          const receipt = typeof presented === 'string' ? presented : JSON.stringify(presented);
          expect([what, await call('verifyReceipt', { receipt, keys: set })]).toEqual([what, verdict]);
        }
      });

      test.each<[string, object]>([
        ['a public key', { secretKey: 'pk_test_abcdefghijkl' }],
        ['no kind', { subject: '42' }],
        ['the id of a subject', { subject: 'subject:sub_1' }],
        ['no site', { site: '' }],
        ['more than a day', { expiresInSeconds: 86_401 }],
        ['no time at all', { expiresInSeconds: 0 }],
      ])('no identity token is made of %s', async (_, more) =>
        expect(
          await call('signIdentityToken', {
            subject: 'user_id:1',
            secretKey: `sk_test_${'a'.repeat(30)}`,
            site: 'shop',
            ...more,
          }),
        ).toMatchObject({ failed: { code: 'argument' } }),
      );
    });
  });
}
