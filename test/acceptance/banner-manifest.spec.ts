import type { Banner, BannerManifest } from '../../libs/client/types.js';
import { bannerAt } from '../../libs/elements/server/banner-at.js';
import { newSite } from '../support/sites.js';
import { keysOfDemo, startWorld, type Answer, type Ask, type DemoKeys, type World } from '../support/world.js';

let world: World;
let demo: DemoKeys;
beforeAll(async () => {
  world = await startWorld();
  demo = keysOfDemo(world);
});
afterAll(() => world?.stop());

const get = (path: string, ask: Ask = {}): Promise<Answer> =>
  world.request('GET', path, { key: demo.publicKey, ...ask });
const manifestOf = async (ask: Ask = {}): Promise<BannerManifest> =>
  (await get('/v1/banner/manifest', ask)).body as unknown as BannerManifest;
const query = (asked: object): string =>
  new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== null) as [string, string][]).toString();

describe('GET /v1/banner/manifest', () => {
  it('is for pages and their servers, and caches keep it', async () => {
    const { status, headers, text } = await get('/v1/banner/manifest');
    expect([status, headers['cache-control'], headers['vary']]).toEqual([
      200,
      'public, max-age=300, stale-while-revalidate=86400',
      'Origin, Authorization, Accept-Encoding',
    ]);
    expect(text).not.toContain('presentationToken');
    const again = await get('/v1/banner/manifest', { headers: { 'If-None-Match': String(headers['etag']) } });
    expect(again.status).toBe(304);
    expect(await get('/v1/banner/manifest', { key: demo.secretKey })).toMatchObject({
      status: 403,
      body: { code: 'public_key_required' },
    });
  });

  it.each([
    { country: 'DE', region: null, locale: 'de' },
    { country: 'GB', region: null, locale: 'en' },
    { country: 'US', region: 'US-CA', locale: 'en' },
    { country: 'AU', region: null, locale: 'de' },
    { country: null, region: null, locale: 'en' },
  ])('gives what GET /v1/banner answers, whose token the hash of it brings: %j', async (where) => {
    const found = bannerAt(await manifestOf(), where)!;
    const { presentationToken, ...served } = (await get(`/v1/banner?${query(where)}`)).body as unknown as Banner;
    expect(found.banner).toEqual(served);
    const { status, body } = await get(`/v1/banner?${query({ ...where, contentHash: found.contentHash })}`);
    expect([status, body.presentationToken]).toEqual([200, presentationToken]);
  });

  it('a page that shows something else by now gets no token, and hears what to do', async () => {
    const { contentHash } = bannerAt(await manifestOf(), { country: 'DE', locale: 'en' })!;
    for (const elsewhere of ['country=DE&locale=de', 'country=US&region=US-CA&locale=en'])
      expect(await get(`/v1/banner?${elsewhere}&${query({ contentHash })}`)).toMatchObject({
        status: 409,
        body: { code: 'presentation_changed', issues: [{ path: 'contentHash' }] },
      });
    expect(await get('/v1/banner?contentHash=sha256:12')).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', issues: [{ path: 'contentHash' }] },
    });
  });

  it('of a site without a banner shows nothing', async () => {
    const { publicKey } = await newSite(world);
    const manifest = await manifestOf({ key: publicKey });
    expect([manifest.defaultLocale, bannerAt(manifest, { country: 'DE' })!.banner.presentation]).toEqual([
      null,
      'NONE',
    ]);
  });
});

describe('the style sheet of the banner', () => {
  it('is there for ever, with the colours that its address names', async () => {
    const { style } = await manifestOf();
    const { pathname } = new URL(style);
    const themed = await get(`${pathname}?light-primary=0b6b5e&theme-font=%27Inter%27%2C+serif&theme-radius=8px`, {
      key: null,
    });
    expect([themed.status, themed.headers['content-type'], themed.headers['cache-control']]).toEqual([
      200,
      'text/css; charset=utf-8',
      'public, max-age=31536000, immutable',
    ]);
    expect(themed.text).toContain(":host{--light-primary:#0b6b5e;--theme-radius:8px;--theme-font:'Inter', serif\n}");
    expect((await get(pathname, { key: null })).text).not.toContain('0b6b5e');
  });

  it.each(['light-primary=red', 'theme-font=a}b', 'other=1', 'theme-radius=8em'])(
    'names no other thing: %s',
    async (theme) => {
      const { style } = await manifestOf();
      expect(await get(`${new URL(style).pathname}?${theme}`, { key: null })).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', issues: [{ path: theme.split('=')[0] }] },
      });
    },
  );
});
