import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { pathOf, startWorld, type Ask, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

const SUBJECT = 'visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90';
const sound = { subject: SUBJECT, purpose: 'analytics', decision: 'GRANTED' };
const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const withMetadata = (json: string): string =>
  `{"subject":"${SUBJECT}","purpose":"analytics","decision":"GRANTED","metadata":${json}}`;

/** Every refusal has the one shape, repeats nothing of a server's inside and leaves nothing behind. */
async function refusedAs(
  status: number,
  code: string,
  path: string | null,
  ask: Ask,
  method = 'POST',
  target = '/v1/consent',
): Promise<void> {
  const before = await headOf();
  const answer = await world.request(method, target, ask);
  expect([answer.status, answer.body?.code]).toEqual([status, code]);
  expect(Object.keys(answer.body as object).sort()).toEqual([
    'code',
    'docUrl',
    'hint',
    'issues',
    'message',
    'requestId',
  ]);
  expect(answer.body.hint.length).toBeGreaterThan(5);
  expect(answer.body.requestId).toBe(answer.headers['x-request-id']);
  expect(answer.text).not.toMatch(/ {4}at |node_modules|select |insert |ECONN|127\.0\.0\.1:(?!\d+\/docs)/i);
  if (path !== null) expect((answer.body.issues as { path: string }[]).map((issue) => issue.path)).toContain(path);
  expect(await headOf()).toBe(before);
}
const headOf = async (): Promise<string> =>
  (await world.request('GET', '/readyz', { key: null })).body.logPosition as string;

describe('a body that is not what it should be', () => {
  it.each<[string, number, string, string | null, Ask]>([
    ['broken JSON', 400, 'malformed_json', null, { raw: '{"subject":' }],
    ['two values', 400, 'malformed_json', null, { raw: '{}{}' }],
    ['nothing', 400, 'malformed_json', null, { raw: '' }],
    [
      'bytes that are not UTF-8',
      400,
      'malformed_json',
      null,
      { raw: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]) },
    ],
    [
      'the same key twice',
      400,
      'malformed_json',
      null,
      { raw: `{"subject":"${SUBJECT}","subject":"${SUBJECT}","purpose":"analytics","decision":"GRANTED"}` },
    ],
    ['100,000 levels', 413, 'body_too_large', null, { raw: nested(100_000) }],
    ['10,000 levels', 400, 'malformed_json', null, { raw: nested(10_000) }],
    ['11 levels', 400, 'malformed_json', null, { raw: withMetadata(nested(10)) }],
    ['a number that no number holds', 400, 'malformed_json', null, { raw: withMetadata('{"n":1e400}') }],
    ['a list', 422, 'validation_failed', '', { body: [] }],
    ['null', 422, 'validation_failed', '', { body: null }],
    ['a field with a typo', 422, 'validation_failed', 'decison', { body: { ...sound, decison: 'GRANTED' } }],
    [
      'a field of ours',
      422,
      'validation_failed',
      'recordedAt',
      { body: { ...sound, recordedAt: '2026-01-01T00:00:00Z' } },
    ],
    ['a missing field', 422, 'validation_failed', 'decision', { body: { subject: SUBJECT, purpose: 'analytics' } }],
    ['a number for a text', 422, 'validation_failed', 'purpose', { body: { ...sound, purpose: 7 } }],
    [
      'a decision that does not exist',
      422,
      'validation_failed',
      'decision',
      { body: { ...sound, decision: 'granted' } },
    ],
    [
      'a lone surrogate',
      422,
      'validation_failed',
      'actor.id',
      {
        raw: `{"subject":"${SUBJECT}","purpose":"analytics","decision":"GRANTED","actor":{"type":"AGENT","id":"\\ud800"}}`,
      },
    ],
    [
      'NUL',
      422,
      'validation_failed',
      'actor.id',
      {
        raw: `{"subject":"${SUBJECT}","purpose":"analytics","decision":"GRANTED","actor":{"type":"AGENT","id":"a\\u0000b"}}`,
      },
    ],
    [
      '__proto__ as a field',
      422,
      'validation_failed',
      '__proto__',
      { raw: `{"subject":"${SUBJECT}","purpose":"analytics","decision":"GRANTED","__proto__":{"admin":true}}` },
    ],
    [
      '__proto__ in metadata',
      422,
      'validation_failed',
      'metadata.__proto__',
      { raw: withMetadata('{"__proto__":{"admin":true}}') },
    ],
    [
      'constructor in metadata',
      422,
      'validation_failed',
      'metadata.constructor',
      { raw: withMetadata('{"constructor":{"prototype":{}}}') },
    ],
    [
      '21 keys of metadata',
      422,
      'validation_failed',
      'metadata',
      { body: { ...sound, metadata: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, 1])) } },
    ],
    [
      '5 kB of metadata',
      422,
      'validation_failed',
      'metadata',
      { body: { ...sound, metadata: { text: 'x'.repeat(5_000) } } },
    ],
    ['a text of 64 kB', 413, 'body_too_large', null, { body: { ...sound, subject: `user_id:${'x'.repeat(65_536)}` } }],
    [
      'a text of 60 kB',
      422,
      'validation_failed',
      'subject',
      { body: { ...sound, subject: `user_id:${'x'.repeat(60_000)}` } },
    ],
    [
      'a timestamp without a zone',
      422,
      'validation_failed',
      'givenAt',
      { body: { ...sound, givenAt: '2026-11-21T12:00:00' } },
    ],
    [
      'a day that does not exist',
      422,
      'validation_failed',
      'givenAt',
      { body: { ...sound, givenAt: '2026-02-30T12:00:00Z' } },
    ],
    [
      'another media type',
      415,
      'unsupported_media_type',
      null,
      { raw: 'subject=x', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
    ],
    [
      'text/plain, which needs no preflight',
      415,
      'unsupported_media_type',
      null,
      { raw: JSON.stringify(sound), headers: { 'Content-Type': 'text/plain' } },
    ],
    [
      'another charset',
      415,
      'unsupported_media_type',
      null,
      { raw: JSON.stringify(sound), headers: { 'Content-Type': 'application/json; charset=latin1' } },
    ],
    [
      'gzip',
      415,
      'unsupported_media_type',
      null,
      { raw: gzipSync(JSON.stringify(sound)), headers: { 'Content-Encoding': 'gzip' } },
    ],
    [
      'a key with spaces',
      400,
      'idempotency_key_invalid',
      'Idempotency-Key',
      { body: sound, headers: { 'Idempotency-Key': 'a b' } },
    ],
    [
      'a key of 256 characters',
      400,
      'idempotency_key_invalid',
      'Idempotency-Key',
      { body: sound, headers: { 'Idempotency-Key': 'k'.repeat(256) } },
    ],
    [
      'an answer type that we do not speak',
      406,
      'not_acceptable',
      null,
      { body: sound, headers: { Accept: 'text/html' } },
    ],
  ])('%s gets %i %s', (_, status, code, path, ask) => refusedAs(status, code, path, ask));

  it('of more than 500 records, or of more than 2 MB, is too large a batch', async () => {
    await refusedAs(
      413,
      'batch_too_large',
      null,
      { body: { records: Array.from({ length: 501 }, () => sound) } },
      'POST',
      '/v1/consent/batch',
    );
    await refusedAs(
      413,
      'batch_too_large',
      null,
      { raw: ' '.repeat(2 * 1024 * 1024 + 1) },
      'POST',
      '/v1/consent/batch',
    );
  });

  it('never pollutes what others are answered', async () => {
    await world.request('POST', '/v1/consent', { raw: withMetadata('{"a":{"__proto__":{"polluted":1}}}') });
    expect((await world.request('GET', '/livez', { key: null })).text).toBe('{"status":"live"}');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('an address that is not what it should be', () => {
  it.each([
    ['PUT', '/v1/consent', 405, 'method_not_allowed', 'POST'],
    ['DELETE', pathOf(SUBJECT), 405, 'method_not_allowed', 'GET, HEAD'],
    ['GET', '/v1/consents', 404, 'route_not_found', undefined],
    ['GET', '/v2/purposes', 404, 'route_not_found', undefined],
    ['GET', '/v1/subjects//consent', 404, 'route_not_found', undefined],
    ['GET', '/..%2f..%2fetc/passwd', 404, 'route_not_found', undefined],
  ])('%s %s gets %i %s', async (method, target, status, code, allow) => {
    const answer = await world.request(method, target);
    expect([answer.status, answer.body.code, answer.headers.allow]).toEqual([status, code, allow]);
  });

  it.each([
    ['a percent sign that begins nothing', 'visitor_id%3A%', 'subject_ref_invalid'],
    ['bytes that are not UTF-8', 'visitor_id%3A%ff%fe', 'subject_ref_invalid'],
    ['an encoded NUL', 'user_id%3Aa%00b', 'subject_ref_invalid'],
    ['no kind', 'just-a-value', 'subject_ref_invalid'],
    ['an encoded slash in no kind', '..%2F..%2Fetc', 'subject_ref_invalid'],
    ['a kind that does not exist', 'twitter%3Aada', 'identifier_kind_unknown'],
  ])('a reference with %s is refused', async (_, ref, code) => {
    const answer = await world.request('GET', `/v1/subjects/${ref}/consent`);
    expect([answer.body.code, answer.status]).toEqual([code, code === 'identifier_kind_unknown' ? 422 : 400]);
  });

  it('is read whatever legal encoding it comes in', async () => {
    const subject = world.visitor();
    await world.recorded({ subject });
    const hex = [...Buffer.from(subject)].map((byte) => `%${byte.toString(16)}`).join('');
    for (const ref of [encodeURIComponent(subject), subject, hex])
      expect((await world.request('GET', `/v1/subjects/${ref}/consent?fresh=true`)).body.purposes.analytics.state).toBe(
        'GRANTED',
      );
    for (const value of ['a/b', 'ümlaut', 'a:b:c', '日本', 'x'.repeat(700)])
      expect((await world.request('GET', pathOf(`user_id:${value}`))).status).toBe(200);
  });

  it.each([
    'limit=0',
    'limit=201',
    'limit=ten',
    'cursor=!!',
    'cursor=eyJ9',
    'from=yesterday',
    'unknown=1',
    'purpose=a&purpose=b',
  ])('a history query of %s is refused with its name', async (query) => {
    const answer = await world.request('GET', pathOf(SUBJECT, `/history?${query}`));
    expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed']);
    expect(answer.body.issues[0].path).toBe(query.split('=')[0]);
  });

  it('a position that is none is refused', async () => {
    const answer = await world.request('GET', pathOf(SUBJECT), { headers: { 'X-Log-Position': 'latest' } });
    expect([answer.status, answer.body.issues[0].path]).toEqual([422, 'X-Log-Position']);
  });
});

it('the process has survived all of it, and serves', async () => {
  expect((await world.recorded()).status).toBe(201);
  expect(world.output()).not.toMatch(/internal_error|unexpected error/);
});
