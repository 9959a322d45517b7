import { keysOfDemo, startWorld, type Answer, type Ask, type World } from '../support/world.js';

let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world?.stop());

const get = (query = '', ask: Ask = {}): Promise<Answer> =>
  world.request('GET', `/v1/cookies${query}`, { key: world.demo.publicKey, ...ask });

describe('the cookies of a site', () => {
  it('are listed for pages and servers, each with its vendor', async () => {
    const { status, body, headers } = await get();
    expect([status, headers['content-language'], headers['cache-control']]).toEqual([200, 'en', 'public, max-age=300']);
    expect(body).toMatchObject({ object: 'cookie_list', version: 1, availableLocales: ['de', 'en'], hasMore: false });
    expect(body.data).toMatchObject([
      { name: 'session', category: 'NECESSARY', duration: 'SESSION', maxAgeSeconds: null, vendor: null },
      { name: '_stat', vendor: { key: 'demo_statistics', frameworks: { tcf: 755, google: null } } },
      { name: '_ads*', match: 'GLOB', domain: 'ads.example', vendor: { frameworks: { tcf: 793, google: 89 } } },
    ]);
    expect((await get('', { key: world.demo.secretKey })).status).toBe(200);
    // So they are from the first start on.
    expect((await get('', { key: keysOfDemo(world).publicKey })).body.data).toEqual(body.data);
  });

  it('can be had by purpose and language', async () => {
    const { body, headers } = await get('?purpose=marketing&locale=de-AT');
    expect(headers['content-language']).toBe('de');
    expect(body.data.map(({ name, description }: Record<string, string>) => [name, description])).toEqual([
      ['_ads*', 'Merkt sich, was Sie angesehen haben.'],
    ]);
  });

  it('of a purpose that there is not are refused, with the one that was meant', async () => {
    expect(await get('?purpose=marketting')).toMatchObject({
      status: 404,
      body: {
        code: 'purpose_not_found',
        issues: [{ path: 'purpose', message: 'names no published purpose; did you mean "marketing"?' }],
      },
    });
  });

  it('come page by page', async () => {
    const first = await get('?limit=2');
    expect(first.body).toMatchObject({ hasMore: true, data: [{ name: 'session' }, { name: '_stat' }] });
    expect(first.headers.link).toContain('rel="next"');
    const second = await get(`?limit=2&cursor=${first.body.nextCursor}`);
    expect(second.body).toMatchObject({ hasMore: false, nextCursor: null, data: [{ name: '_ads*' }] });
  });

  it('are not sent again to who has them', async () => {
    const { headers } = await get();
    const again = await get('', { headers: { 'If-None-Match': String(headers.etag) } });
    expect([again.status, again.body]).toEqual([304, undefined]);
    const inGerman = await get('?locale=de', { headers: { 'If-None-Match': String(headers.etag) } });
    expect(inGerman.status).toBe(200);
  });

  it('are answered anew as soon as another list is published, whatever was answered before', async () => {
    const before = [await get(), await get()];
    expect(before[1]!.body).toEqual(before[0]!.body);
    const catalogue = `/admin/v1/sites/${world.demo.site}/test/catalogue`;
    const { cookies: published } = (await world.request('GET', catalogue, { key: 'operator' })).body;
    const [session, ...others] = published.cookies;
    const applied = await world.request('POST', catalogue, {
      key: 'operator',
      body: { purposes: [], cookies: { ...published, cookies: [{ ...session, name: 'sid' }, ...others] } },
    });
    expect([applied.status, applied.body]).toMatchObject([200, { published: true }]);
    const after = await get('', { headers: { 'X-Log-Position': String(applied.headers['x-log-position']) } });
    expect(after.body).toMatchObject({ version: 2, data: [{ name: 'sid' }, { name: '_stat' }, { name: '_ads*' }] });
    expect(after.headers.etag).not.toBe(before[0]!.headers.etag);
  });
});
