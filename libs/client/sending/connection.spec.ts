import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  answers,
  breaksOff,
  hangs,
  refuses,
  resets,
  startFailingServer,
  type FailingServer,
  type Way,
} from '../../../test/support/failing-server.js';
import { until } from '../../../test/support/timing.js';
import { AssentClient, type AssentError, type ClientOptions } from '../index.js';

const SUBJECT = 'user_id:1';
const STATE = { subject: { id: 'sub_1' }, revision: 1, asOf: '', purposes: { analytics: { effective: 'ALLOWED' } } };
const state = answers(200, STATE, { ETag: 'W/"1"' });
const RECORD = { subject: SUBJECT, purpose: 'analytics', decision: 'GRANTED' } as const;
const recorded = answers(201, { id: 'rec_1' }, { 'X-Log-Position': '7' });

let server: FailingServer;
beforeAll(async () => {
  server = await startFailingServer();
});
afterAll(() => server.stop());

const client = (options: Partial<ClientOptions> = {}): AssentClient =>
  new AssentClient({ baseUrl: server.url, apiKey: 'sk_test_abcdefghijklmnop', ...options });
const failure = (call: Promise<unknown>): Promise<AssentError> =>
  call.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: AssentError) => error,
  );
const keys = (): unknown[] => server.asked.map(({ headers }) => headers['idempotency-key']);

describe('a call', () => {
  it.each<[string, Way]>([
    ['is reset', resets],
    ['breaks off', breaksOff],
    ['is answered 503', refuses(503, 'dependency_unavailable')],
    ['is answered 500', refuses(500, 'internal_error')],
    ['is answered by a proxy', (response) => response.writeHead(502).end('<html>Bad gateway</html>')],
    ['is answered 429', refuses(429, 'rate_limited')],
    ['finds its repetition under way', refuses(409, 'idempotency_in_progress')],
  ])('that %s is tried again, with the same key', async (_, way) => {
    server.next(way, recorded);
    await expect(client().recordConsent(RECORD)).resolves.toEqual({ id: 'rec_1' });
    expect(server.asked).toHaveLength(2);
    expect(new Set(keys()).size).toBe(1);
    expect(server.asked[1]!.body).toBe(server.asked[0]!.body);
  });

  it('that hangs leaves time for another try', async () => {
    server.next(hangs, state);
    await expect(client({ timeoutMs: 1000 }).getConsentState(SUBJECT)).resolves.toEqual(STATE);
  });

  it('is tried three times at most, and fails with what the last one said', async () => {
    server.next(refuses(503, 'dependency_unavailable'));
    expect(await failure(client().getConsentState(SUBJECT))).toMatchObject({
      code: 'dependency_unavailable',
      status: 503,
      hint: 'Do not.',
      requestId: 'req_1',
    });
    expect(server.asked).toHaveLength(3);
  });

  it('without an answer says so', async () => {
    server.next(resets);
    const error = await failure(client().getConsentState(SUBJECT));
    expect([error.code, error.status, error.constructor.name]).toEqual(['no_connection', 0, 'ConnectionError']);
    expect(error.cause).toBeDefined();
  });

  it.each([400, 401, 403, 404, 409, 410, 413, 422])('that is refused with %d is not repeated', async (status) => {
    server.next(refuses(status, 'some_code'));
    expect(await failure(client().recordConsent(RECORD))).toMatchObject({ status, code: 'some_code', issues: [] });
    expect(server.asked).toHaveLength(1);
  });

  it('waits as long as it is asked to', async () => {
    server.next(refuses(429, 'rate_limited', { 'Retry-After': '1' }), state);
    await client().getConsentState(SUBJECT);
    const [first, second] = server.asked;
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(990);
  });

  it('does not wait longer than it may take in all', async () => {
    server.next(refuses(503, 'dependency_unavailable', { 'Retry-After': '3600' }));
    expect(await failure(client().getConsentState(SUBJECT))).toMatchObject({ status: 503, retryAfterMs: 3_600_000 });
    server.next(hangs);
    expect(await failure(client({ timeoutMs: 200 }).getConsentState(SUBJECT))).toMatchObject({ code: 'timed_out' });
  });

  it('ends with its signal, before, during and between tries', async () => {
    const why = new Error('left');
    expect(await failure(client().getConsentState(SUBJECT, { signal: AbortSignal.abort(why) }))).toBe(why);
    for (const way of [hangs, refuses(503, 'dependency_unavailable', { 'Retry-After': '5' })]) {
      server.next(way);
      const leaving = new AbortController();
      const call = failure(client().recordConsent(RECORD, { signal: leaving.signal }));
      await until(() => server.asked.length > 0);
      leaving.abort(why);
      expect(await call).toBe(why);
    }
  });

  it('under a key of yours uses that one', async () => {
    server.next(recorded);
    await client().recordConsent(RECORD, { idempotencyKey: 'order-17' });
    expect(keys()).toEqual(['order-17']);
  });
});

describe('a read', () => {
  it('is asked about again by its tag, and answered from what is at hand', async () => {
    const reader = client();
    server.next(state, (response) => response.writeHead(304).end());
    const [first, second] = [await reader.getConsentState(SUBJECT), await reader.getConsentState(SUBJECT)];
    expect(second).toBe(first);
    expect(server.asked.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, 'W/"1"']);
  });

  it('within cacheTtlMs is not asked at all, unless it has to be fresh', async () => {
    const reader = client({ cacheTtlMs: 60_000 });
    server.next(state);
    await reader.getConsentState(SUBJECT);
    await reader.getConsentState(SUBJECT);
    expect(server.asked).toHaveLength(1);
    await reader.getConsentState(SUBJECT, { fresh: true });
    await reader.getConsentState(SUBJECT, { purpose: ['analytics', 'ads'], country: 'DE' });
    expect(server.asked.slice(1).map(({ path }) => path)).toEqual([
      '/v1/subjects/user_id%3A1/consent?fresh=true',
      '/v1/subjects/user_id%3A1/consent?purpose=analytics&purpose=ads&country=DE',
    ]);
  });

  it('by ten at the same time is one request, and each can leave without the others', async () => {
    const reader = client();
    server.next((response, asked) => setTimeout(() => state(response, asked), 50));
    const leaving = new AbortController();
    const leaver = failure(reader.getConsentState(SUBJECT, { signal: leaving.signal }));
    const others = Array.from({ length: 9 }, () => reader.getConsentState(SUBJECT));
    leaving.abort(new Error('left'));
    expect((await leaver).message).toBe('left');
    expect(new Set(await Promise.all(others)).size).toBe(1);
    expect(server.asked).toHaveLength(1);
  });

  it('is not shared with a person for whom another token vouches', async () => {
    let identityToken = 'a';
    const reader = client({ cacheTtlMs: 60_000, identityToken: () => identityToken });
    server.next(state);
    await reader.getConsentState(SUBJECT);
    identityToken = 'b';
    await reader.getConsentState(SUBJECT);
    expect(server.asked.map(({ headers }) => headers['consent-identity'])).toEqual(['a', 'b']);
  });

  it('answers a value that no caller can change for others', async () => {
    server.next(state);
    const { purposes } = await client().getConsentState(SUBJECT);
    expect(() => Object.assign(purposes['analytics']!, { effective: 'BLOCKED' })).toThrow(TypeError);
  });

  it('keeps a thousand answers and no more', async () => {
    const reader = client({ cacheTtlMs: 60_000 });
    server.next(state);
    for (let i = 0; i <= 1000; i++) await reader.getConsentState(`user_id:${i}`);
    await reader.getConsentState('user_id:1000');
    expect(server.asked).toHaveLength(1001);
    await reader.getConsentState('user_id:0');
    expect(server.asked).toHaveLength(1002);
  });
});

describe('after a write', () => {
  it('what is read reflects it: the position goes along, and nothing at hand is given unasked', async () => {
    const writer = client({ cacheTtlMs: 60_000, apiKey: 'sk_test_writesandreads' });
    server.next(state, recorded, state);
    await writer.getConsentState(SUBJECT);
    await writer.recordConsent(RECORD);
    await writer.getConsentState(SUBJECT);
    expect(server.asked.map(({ headers }) => headers['x-log-position'])).toEqual([undefined, undefined, '7']);
  });

  it('the position never goes back', async () => {
    const writer = client({ apiKey: 'sk_test_positiononly' });
    const at = (position: string): Way => answers(201, {}, { 'X-Log-Position': position });
    server.next(at('9'), at('10'), at('8'), state);
    for (let i = 0; i < 3; i++) await writer.recordConsent(RECORD);
    await writer.getConsentState(SUBJECT);
    expect(server.asked[3]!.headers['x-log-position']).toBe('10');
  });

  it('what was asked before it is neither kept nor shared', async () => {
    const writer = client({ cacheTtlMs: 60_000 });
    let late: (() => void) | undefined;
    server.next((response, asked) => (late = () => void state(response, asked)), recorded, state);
    const before = writer.getConsentState(SUBJECT);
    const answer = await until(() => late);
    await writer.recordConsent(RECORD);
    await writer.getConsentState(SUBJECT);
    answer();
    await before;
    await writer.getConsentState(SUBJECT);
    expect(server.asked).toHaveLength(4);
  });

  it('without an answer, everything is asked about again', async () => {
    const writer = client({ cacheTtlMs: 60_000 });
    server.next(state, resets, resets, resets, state);
    await writer.getConsentState(SUBJECT);
    await failure(writer.recordConsent(RECORD));
    await writer.getConsentState(SUBJECT);
    expect(server.asked).toHaveLength(5);
  });
});

describe('a public key', () => {
  it.each<[string, (one: AssentClient) => Promise<unknown>]>([
    ['createSubject', (one) => one.createSubject({ identifiers: [] })],
    ['addIdentifier', (one) => one.addIdentifier(SUBJECT, { kind: 'email', value: 'a@example.org' })],
    ['mergeSubjects', (one) => one.mergeSubjects({ sources: [SUBJECT], target: 'user_id:2' })],
    ['createDataRequest', (one) => one.createDataRequest({ subject: SUBJECT, type: 'ACCESS' })],
    ['createPortalToken', (one) => one.createPortalToken(SUBJECT)],
    ['getConsentHistory', (one) => one.getConsentHistory(SUBJECT)],
    ['getPreferenceHistory', (one) => one.getPreferenceHistory(SUBJECT)],
    [
      'createPreferenceConfirmationToken',
      (one) =>
        one.createPreferenceConfirmationToken({
          subject: SUBJECT,
          values: [],
          channel: 'email',
          redirectUrl: 'https://a.example',
        }),
    ],
  ])('learns that %s needs a secret one, and nothing is sent', async (_, call) => {
    server.next(state);
    const error = await failure(call(client({ apiKey: 'pk_test_abcdefghijkl' })));
    expect(error).toMatchObject({ code: 'secret_key_required', hint: expect.stringContaining('server') });
    expect(server.asked).toEqual([]);
  });
});
