import { startWorld, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

const PATH = '/.well-known/jwks.json';

describe('the key set', () => {
  test('is there for everybody, without a key, from any page, for an hour', async () => {
    const { status, headers, body } = await world.request('GET', PATH, {
      key: null,
      headers: { Origin: 'https://somebody.example' },
    });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/jwk-set+json; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
    });
    // One for each environment, and those that others have announced.
    expect(body.keys.length).toBeGreaterThanOrEqual(2);
    for (const { revokedAt: _, signsFrom: __, ...key } of body.keys)
      expect(key).toEqual({
        kty: 'OKP',
        crv: 'Ed25519',
        use: 'sig',
        kid: expect.stringMatching(/^[\w-]{43}$/),
        x: expect.stringMatching(/^[\w-]{43}$/),
      });
    expect(body.keys[0].kid).not.toBe(body.keys[1].kid);
  });

  test('is answered whatever the caller accepts or presents', async () => {
    for (const headers of [
      { Accept: 'application/jwk-set+json' },
      { Accept: 'text/html' },
      { Authorization: 'Bearer nonsense' },
    ])
      expect((await world.request('GET', PATH, { key: null, headers })).status).toBe(200);
    const { status, text, headers } = await world.request('HEAD', PATH, { key: null });
    expect([status, text, headers['access-control-allow-origin']]).toEqual([200, '', '*']);
  });

  test('costs no body while the one at hand is current', async () => {
    const { etag } = (await world.request('GET', PATH, { key: null })).headers;
    for (const known of [etag!, `"other", ${etag}`, '*']) {
      const { status, text, headers } = await world.request('GET', PATH, {
        key: null,
        headers: { 'If-None-Match': known },
      });
      expect([status, text]).toEqual([304, '']);
      expect(headers).toMatchObject({
        etag,
        'cache-control': 'public, max-age=3600',
        'access-control-allow-origin': '*',
      });
    }
    expect((await world.request('GET', PATH, { key: null, headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
  });

  test('can be read only', async () => {
    const { status, headers } = await world.request('POST', PATH, { key: 'operator', body: { keys: [] } });
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  test('is the same on every instance, whichever was asked first, and after a restart', async () => {
    const keys = (await world.request('GET', PATH, { key: null })).body;
    for (const { role, url } of world.roles?.instances() ?? [])
      if (role.endsWith('api')) expect(await (await fetch(`${url}${PATH}`)).json()).toEqual(keys);
    await world.restart();
    expect((await world.request('GET', PATH, { key: null })).body).toEqual(keys);
  });
});
