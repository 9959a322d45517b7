import { atTheEnd } from '../support/soon.js';
import { pathOf, startWorld, type Answer, type Ask, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

interface Issued {
  id: string;
  key: string;
}
const operate = (method: string, path: string, body?: unknown): Promise<Answer> =>
  world.request(method, `/admin/v1/sites${path}`, { key: 'operator', ...(body === undefined ? {} : { body }) });
const issue = async (more: Record<string, unknown> = {}, site = world.demo.site): Promise<Issued> => {
  const { status, body } = await operate('POST', `/${site}/keys`, { type: 'sk', env: 'test', name: 'probe', ...more });
  expect(status).toBe(201);
  return body as Issued;
};
const grant = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  subject: world.visitor(),
  purpose: 'analytics',
  decision: 'GRANTED',
  ...more,
});
const post = (body: unknown, ask: Ask = {}): Promise<Answer> => world.request('POST', '/v1/consent', { body, ...ask });
const brief = ({ status, body }: Answer): [number, string | undefined] => [status, body?.code];

describe('a request without a good key', () => {
  test.each<[string, Ask, string, RegExp]>([
    ['none', { key: null }, 'api_key_missing', /^Bearer realm="assent"$/],
    ['another scheme', { headers: { Authorization: 'Basic dXNlcjpwYXNz' } }, 'api_key_missing', /^Bearer/],
    ['nothing after the scheme', { headers: { Authorization: 'Bearer ' } }, 'api_key_missing', /^Bearer/],
    ['not a key', { key: 'hello' }, 'api_key_invalid', /error="invalid_token"/],
    ['an empty environment', { key: 'sk__abc' }, 'api_key_invalid', /error="invalid_token"/],
    ['ten thousand characters', { key: 'x'.repeat(10_000) }, 'api_key_invalid', /error="invalid_token"/],
  ])('is refused alike at every operation: %s', async (_, ask, code, challenge) => {
    for (const [method, path] of [
      ['POST', '/v1/consent'],
      ['POST', '/v1/consent/batch'],
      ['GET', pathOf(world.visitor())],
      ['GET', pathOf(world.visitor(), '/history')],
      ['GET', '/v1/purposes'],
      ['GET', '/admin/v1/sites'],
      ['POST', '/admin/v1/sites'],
    ] as const) {
      const answer = await world.request(method, path, method === 'POST' ? { ...ask, body: {} } : ask);
      expect([method, path, ...brief(answer)]).toEqual([method, path, 401, code]);
      expect(answer.headers['www-authenticate']).toMatch(challenge);
    }
  });

  test('is told nothing about which part of the key is wrong', async () => {
    const { secretKey } = world.demo;
    const changed = (at: number): string =>
      `${secretKey.slice(0, at)}${secretKey[at] === 'a' ? 'b' : 'a'}${secretKey.slice(at + 1)}`;
    const other = await issue();
    const swapped = `${other.key.slice(0, 20)}${secretKey.slice(20)}`;
    const answers = await Promise.all(
      [
        changed(10),
        changed(30),
        changed(secretKey.length - 1),
        swapped,
        secretKey.replace('sk_', 'pk_'),
        secretKey.replace('_test_', '_live_'),
      ].map((key) => world.request('GET', '/v1/purposes', { key })),
    );
    const told = answers.map(({ status, body }) => ({ status, ...body, requestId: null }));
    expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(told[0]).toMatchObject({ status: 401, code: 'api_key_invalid' });
  });

  test('comes before its body and its subject are looked at', async () => {
    expect(brief(await world.request('POST', '/v1/consent', { key: null, raw: '{' }))).toEqual([
      401,
      'api_key_missing',
    ]);
    expect(brief(await world.request('GET', pathOf('nonsense'), { key: null }))).toEqual([401, 'api_key_missing']);
  });

  test('reaches the probes, the document and the pages', async () => {
    for (const path of ['/livez', '/readyz', '/openapi.json', '/docs', '/docs/errors', '/docs/errors/purpose_unknown'])
      expect([path, (await world.request('GET', path, { key: null })).status]).toEqual([path, 200]);
  });
});

describe('a public key', () => {
  test('never reads history and never asserts a record', async () => {
    expect(brief(await world.request('GET', pathOf(world.visitor(), '/history'), { key: 'pk' }))).toEqual([
      403,
      'secret_key_required',
    ]);
    for (const source of ['IMPORT', 'MIGRATION']) {
      expect(brief(await post(grant({ source }), { key: 'pk' }))).toEqual([403, 'secret_key_required']);
      expect((await post(grant({ source }), { key: 'sk' })).status).toBe(201);
    }
  });

  test.each<[string, Record<string, unknown>]>([
    ['actor.type', { actor: { type: 'OPERATOR', id: 'mallory' } }],
    ['actor.type', { actor: { type: 'SYSTEM' } }],
    ['collection.method', { collection: { method: 'OPERATOR', surface: 'CALL' } }],
    ['collection.method', { collection: { method: 'CONFIRMATION_LINK', surface: 'FORM' } }],
    ['collection.method', { collection: { method: 'IMPORT', surface: 'API' } }],
  ])('does not claim that somebody else speaks: %s of %j', async (path, claim) => {
    const wanted = { subject: world.visitor(), channel: 'email', values: [{ field: 'news', value: false }], ...claim };
    const asking: [string, string, unknown][] = [
      ['/v1/consent', path, grant(claim)],
      ['/v1/consent/batch', `records[1].${path}`, { records: [grant(), grant(claim)] }],
      ['/v1/preferences', path, wanted],
    ];
    for (const [operation, at, body] of asking) {
      const answer = await world.request('POST', operation, { key: 'pk', body });
      expect([operation, ...brief(answer)]).toEqual([operation, 403, 'secret_key_required']);
      expect((answer.body.issues as { path: string }[]).map((issue) => issue.path)).toEqual([at]);
      expect((await world.request('POST', operation, { key: 'sk', body })).status).toBeLessThan(300);
    }
  });

  test.each(['GUARDIAN', 'AGENT'])('says that a %s decided', async (type) => {
    expect((await post(grant({ actor: { type } }), { key: 'pk' })).status).toBe(201);
  });

  test.each(['visitor_id', 'device_id'])('reaches anonymous subjects: %s', async (kind) => {
    for (const value of [
      '6f1c5f0e6b0a5d3c9a5e7c1b2d4e8f90',
      '6f1c5f0e-6b0a-5d3c-9a5e-7c1b2d4e8f91',
      'q7Zk2mX9vB4nL1pR8sT3wY',
      '01KAK3V0ZC8W9J2M4N6P8Q0R2S.01KAK3V0ZC8W9J2M4N6P8Q0R2T',
    ])
      expect((await post(grant({ subject: `${kind}:${value}` }), { key: 'pk' })).status).toBe(201);
  });

  test.each([
    'email:ada@example.com',
    'user_id:17',
    'external_id:17',
    'phone:+4915112345678',
    'custom.loyalty:17',
    'subject:sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
    'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
    'idfa:6f1c5f0e-6b0a-5d3c-9a5e-7c1b2d4e8f90',
    'visitor_id:1',
    'visitor_id:00000000000000000000000000000000',
    'visitor_id:customer-number-17-of-shop',
    'visitor_id:01KAK3V0ZC8W9J2M4N6P8Q0R2S',
  ])('does not reach %s without an identity token', async (subject) => {
    for (const answer of [
      await post(grant({ subject }), { key: 'pk' }),
      await world.request('GET', pathOf(subject), { key: 'pk' }),
      await world.request('GET', pathOf(subject, '/explain?purpose=analytics'), { key: 'pk' }),
    ]) {
      expect(brief(answer)).toEqual([403, 'identity_token_required']);
    }
  });

  test('is answered the same whether or not a subject exists', async () => {
    await world.recorded({ subject: 'email:known@example.com' }, { key: 'sk' });
    const [known, unknown] = [
      await world.request('GET', pathOf('email:known@example.com'), { key: 'pk' }),
      await world.request('GET', pathOf('email:unknown@example.com'), { key: 'pk' }),
    ];
    expect({ ...known.body, requestId: null }).toEqual({ ...unknown.body, requestId: null });
    expect(known.status).toBe(unknown.status);
    expect(Object.keys(known.headers).sort()).toEqual(Object.keys(unknown.headers).sort());
  });
});

describe('scopes', () => {
  test('limit a key to what it was issued for', async () => {
    const reader = await issue({ scopes: ['consent:read'] });
    expect((await world.request('GET', pathOf(world.visitor()), { key: reader.key })).status).toBe(200);
    for (const answer of [
      await post(grant(), { key: reader.key }),
      await world.request('GET', pathOf(world.visitor(), '/history'), { key: reader.key }),
      await world.request('GET', '/v1/purposes', { key: reader.key }),
    ])
      expect(brief(answer)).toEqual([403, 'scope_missing']);
  });

  test('cannot give a public key what only secret ones may', async () => {
    expect(
      brief(
        await operate('POST', `/${world.demo.site}/keys`, {
          type: 'pk',
          env: 'test',
          name: 'x',
          scopes: ['history:read'],
        }),
      ),
    ).toEqual([422, 'validation_failed']);
  });
});

describe('the operator', () => {
  test('is nobody with an API key, and no API key', async () => {
    for (const key of ['sk', 'pk'])
      expect(brief(await world.request('GET', '/admin/v1/sites', { key }))).toEqual([401, 'api_key_invalid']);
    expect(brief(await world.request('GET', '/v1/purposes', { key: 'operator' }))).toEqual([401, 'api_key_invalid']);
  });

  test('sees keys only by their last characters', async () => {
    const { id, key } = await issue({ name: 'shown once' });
    const { body, text } = await operate('GET', `/${world.demo.site}/keys`);
    expect(body.data.find((one: Issued) => one.id === id)).toMatchObject({
      name: 'shown once',
      type: 'sk',
      env: 'test',
      last4: key.slice(-4),
      revokedAt: null,
    });
    expect(text).not.toContain(key.slice(10, 40));
  });

  test.each([['/nowhere/keys'], ['/Not A Site/keys']])('finds no keys at %s', async (path) => {
    expect(brief(await operate('GET', encodeURI(path)))).toEqual([404, 'route_not_found']);
    expect(brief(await operate('POST', encodeURI(path), { type: 'sk', env: 'test', name: 'x' }))).toEqual([
      404,
      'route_not_found',
    ]);
  });
});

describe('revocation', () => {
  test('holds from the next request on, and is recorded once', async () => {
    const { id, key } = await issue();
    expect((await world.request('GET', '/v1/purposes', { key })).status).toBe(200);
    const { status, body } = await operate('POST', `/${world.demo.site}/keys/${id}/revoke`, { reason: 'leaked' });
    expect([status, body.revokedAt === null]).toEqual([200, false]);
    expect(brief(await world.request('GET', '/v1/purposes', { key }))).toEqual([401, 'api_key_invalid']);
    const again = await operate('POST', `/${world.demo.site}/keys/${id}/revoke`, {});
    expect([again.status, again.body.revokedAt]).toEqual([200, body.revokedAt]);
  });

  test('holds after a restart', async () => {
    const { id, key } = await issue();
    await operate('POST', `/${world.demo.site}/keys/${id}/revoke`, {});
    await world.restart();
    expect(brief(await world.request('GET', '/v1/purposes', { key }))).toEqual([401, 'api_key_invalid']);
    expect((await world.request('GET', '/v1/purposes')).status).toBe(200);
  });

  test('comes by itself with the end of a key', async () => {
    const { prepared } = await atTheEnd(async (expiresAt) => {
      const { key } = await issue({ expiresAt });
      expect((await world.request('GET', '/v1/purposes', { key })).status).toBe(200);
      return key as string;
    });
    expect(brief(await world.request('GET', '/v1/purposes', { key: prepared }))).toEqual([401, 'api_key_expired']);
  });
});

describe('pages of other origins', () => {
  const ORIGIN = 'http://localhost:3000';
  const read = (key: string, origin: string): Promise<Answer> =>
    world.request('GET', pathOf(world.visitor()), { key, headers: { Origin: origin } });

  test("of the site's list read the answer of a public key, without credentials", async () => {
    const { status, headers } = await read('pk', ORIGIN);
    expect(status).toBe(200);
    expect(headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    expect(headers.vary).toMatch(/\bOrigin\b/);
    for (const name of [
      'ETag',
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
      'Link',
      'Idempotent-Replayed',
      'X-Request-Id',
      'X-Log-Position',
      'Deprecation',
      'Sunset',
    ])
      expect(headers['access-control-expose-headers']).toContain(name);
  });

  test('read why they were refused', async () => {
    const answer = await post(grant({ purpose: 'nonsense' }), { key: 'pk', headers: { Origin: ORIGIN } });
    expect([...brief(answer), answer.headers['access-control-allow-origin']]).toEqual([422, 'purpose_unknown', ORIGIN]);
    const missing = await world.request('GET', '/v1/purposes', { key: null, headers: { Origin: ORIGIN } });
    expect([...brief(missing), missing.headers['access-control-allow-origin']]).toEqual([
      401,
      'api_key_missing',
      ORIGIN,
    ]);
  });

  test.each([
    'https://evil.example',
    'http://localhost:3001',
    'https://localhost:3000',
    'http://LOCALHOST:3000',
    'http://sub.localhost:3000',
    'null',
    'http://localhost:3000.evil.example',
    'http://localhost:3000/',
  ])('%s is none of them', async (origin) => {
    const answer = await read('pk', origin);
    expect(brief(answer)).toEqual([403, 'origin_not_allowed']);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('never read the answer of a secret key, which is refused there', async () => {
    const answer = await read('sk', ORIGIN);
    expect(brief(answer)).toEqual([403, 'origin_not_allowed']);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect(answer.body.hint).toMatch(/revoke/i);
  });

  test("are the key's own where it has a list", async () => {
    const own = await issue({ type: 'pk', allowedOrigins: ['https://app.example'] });
    expect((await read(own.key, 'https://app.example')).status).toBe(200);
    expect(brief(await read(own.key, ORIGIN))).toEqual([403, 'origin_not_allowed']);
    expect(brief(await read('pk', 'https://app.example'))).toEqual([403, 'origin_not_allowed']);
  });

  test('ask first, and are told what they may send', async () => {
    const ask = (path: string, origin: string): Promise<Answer> =>
      world.request('OPTIONS', path, {
        key: null,
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'authorization, content-type, idempotency-key',
        },
      });
    const { status, headers, text } = await ask('/v1/consent', ORIGIN);
    expect([status, text]).toEqual([204, '']);
    expect(headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(headers['access-control-allow-methods']).toContain('POST');
    for (const name of ['authorization', 'content-type', 'idempotency-key', 'if-none-match', 'x-log-position'])
      expect(String(headers['access-control-allow-headers']).toLowerCase()).toContain(name);
    expect((await ask('/v1/consent', 'https://evil.example')).headers['access-control-allow-origin']).toBeUndefined();
    expect(
      (await ask(pathOf(world.visitor(), '/history'), ORIGIN)).headers['access-control-allow-origin'],
    ).toBeUndefined();
    expect((await ask('/admin/v1/sites', ORIGIN)).headers['access-control-allow-origin']).toBeUndefined();
  });

  test('may send what scripts that watch them add to each request', async () => {
    const ask = (path: string, origin: string, wanted: string): Promise<Answer> =>
      world.request('OPTIONS', path, {
        key: null,
        headers: { Origin: origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': wanted },
      });
    for (const name of [
      'baggage',
      'sentry-trace',
      'traceparent',
      'tracestate',
      'x-datadog-trace-id',
      'newrelic',
      'b3',
    ]) {
      const { headers } = await ask('/v1/consent', ORIGIN, `authorization,content-type,${name}`);
      expect(String(headers['access-control-allow-headers']).split(', ')).toContain(name);
      expect(headers.vary).toMatch(/Access-Control-Request-Headers/);
      expect(
        (await ask('/v1/consent', 'https://evil.example', name)).headers['access-control-allow-headers'],
      ).toBeUndefined();
    }
    // What every page may read is asked for with such headers too.
    const keySet = await ask('/.well-known/jwks.json', 'https://evil.example', 'traceparent');
    expect([keySet.status, keySet.headers['access-control-allow-origin']]).toEqual([204, '*']);
    expect(keySet.headers['access-control-allow-headers']).toContain('traceparent');
    const receipt = await ask('/v1/receipts/rct_x?token=rpt_x', 'https://evil.example', 'traceparent');
    expect(receipt.headers['access-control-allow-origin']).toBe('*');
    const withoutToken = await ask('/v1/receipts/rct_x', 'https://evil.example', 'traceparent');
    expect(withoutToken.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('whatever they send as origin, nothing of it comes back', async () => {
    const answer = await read('pk', 'https://a.example"><script>');
    expect(brief(answer)).toEqual([403, 'origin_not_allowed']);
    expect(answer.text).not.toContain('script');
  });
});

describe('rate limits', () => {
  let pk: Issued;
  let sk: Issued;
  beforeAll(async () => {
    await operate('POST', '', {
      site: 'limited',
      name: 'Limited',
      rateLimits: { pk: { perSecond: 0.2, burst: 3 }, sk: { perSecond: 0.2, burst: 4 } },
    });
    [pk, sk] = [await issue({ type: 'pk' }, 'limited'), await issue({}, 'limited')];
  });
  const calls = async (key: string, times: number, from: string): Promise<Answer[]> => {
    const answers: Answer[] = [];
    for (let i = 0; i < times; i++) answers.push(await world.request('GET', '/v1/purposes', { key, from }));
    return answers;
  };

  test('are told with every answer and end in 429 with the time to wait', async () => {
    const answers = await calls(pk.key, 4, '192.0.2.1');
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers.map(({ headers }) => headers['ratelimit'])).toEqual([
      expect.stringMatching(/^"default";r=2;t=\d+$/),
      expect.stringMatching(/;r=1;/),
      expect.stringMatching(/;r=0;/),
      expect.stringMatching(/;r=0;/),
    ]);
    expect(answers[0]!.headers['ratelimit-policy']).toBe('"default";q=3;w=15');
    const last = answers[3]!;
    expect(last.body.code).toBe('rate_limited');
    expect(Number(last.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(last.headers['retry-after'])).toBeLessThanOrEqual(5);
  });

  test('of a public key count each address by itself, of IPv6 each /64', async () => {
    expect((await calls(pk.key, 1, '192.0.2.2'))[0]!.status).toBe(200);
    expect((await calls(pk.key, 3, '2001:db8:1:2::1')).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await calls(pk.key, 1, '2001:db8:1:2:ffff::9'))[0]!.status).toBe(429);
    expect((await calls(pk.key, 1, '2001:db8:1:3::1'))[0]!.status).toBe(200);
  });

  test('of a secret key count all addresses together', async () => {
    const answers = [...(await calls(sk.key, 2, '192.0.2.3')), ...(await calls(sk.key, 3, '192.0.2.4'))];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
  });

  test('stop who guesses keys', async () => {
    // At once: one after the other, a machine under load could be slower than the limit.
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        world.request('GET', '/v1/purposes', { key: `guess-${i}`, from: '192.0.2.5' }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
    expect((await world.request('GET', '/v1/purposes', { from: '192.0.2.5' })).status).toBe(200);
  });

  test('never reach the probes', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => world.request('GET', '/livez', { key: null, from: '192.0.2.6' })),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  });

  test('hold back no write that was let in: what is refused has no effect', async () => {
    const subject = world.visitor();
    const { key } = await issue({ type: 'pk' }, 'limited');
    const answers: Answer[] = [];
    for (let i = 0; i < 5; i++) answers.push(await post(grant({ subject }), { key, from: '192.0.2.7' }));
    // The site has no purposes: let in means refused by the catalogue.
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 429, 429]);
  });
});

describe('environments and sites', () => {
  test("never see each other's subjects, purposes or ids", async () => {
    const subject = 'email:shared@example.com';
    const { body: record } = await world.recorded({ subject }, { key: 'sk' });
    await operate('POST', '', { site: 'other', name: 'Other' });
    for (const { key } of [await issue({ env: 'live' }), await issue({}, 'other')]) {
      expect((await world.request('GET', '/v1/purposes', { key })).body.data).toEqual([]);
      for (const reference of [subject, `subject:${record.subject.id}`, record.subject.id]) {
        expect((await world.request('GET', pathOf(reference), { key })).body).toMatchObject({
          subject: { id: null },
          revision: -1,
          purposes: {},
        });
        expect((await world.request('GET', pathOf(reference, '/history'), { key })).body.data).toEqual([]);
      }
      expect(brief(await post(grant(), { key }))).toEqual([422, 'purpose_unknown']);
    }
  });
});
