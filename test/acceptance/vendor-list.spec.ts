import { startWorld, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

const PATH = '/v1/tcf/vendor-list';

describe('the vendor list', () => {
  test.each(['pk', 'sk'])('without a list of IAB Europe is a synthetic one that says so: %s', async (key) => {
    const { status, body, headers } = await world.request('GET', PATH, { key });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      'content-language': 'en',
    });
    expect(body).toMatchObject({
      synthetic: true,
      gvlSpecificationVersion: 3,
      vendorListVersion: 1,
      vendors: { 755: { id: 755, name: 'Demo Statistics Ltd (synthetic)' }, 793: { id: 793 } },
    });
  });

  test('is had by its number, and costs no body while the one at hand is current', async () => {
    const current = await world.request('GET', PATH);
    const byNumber = await world.request('GET', `${PATH}?version=1`);
    expect([byNumber.text, byNumber.headers.etag]).toEqual([current.text, current.headers.etag]);
    const again = await world.request('GET', PATH, { headers: { 'If-None-Match': current.headers.etag! } });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', current.headers.etag]);
  });

  test('is read in the language of the reader', async () => {
    const english = await world.request('GET', PATH);
    const german = await world.request('GET', PATH, { headers: { 'Accept-Language': 'fr, de-AT;q=0.9, en;q=0.1' } });
    expect(german.headers).toMatchObject({
      'content-language': 'de',
      vary: expect.stringContaining('Accept-Language'),
    });
    expect(german.headers.etag).not.toBe(english.headers.etag);
    expect(german.body.purposes[7].name).toBe('Werbung messen');
    expect(german.body.vendors).toEqual(english.body.vendors);
    expect((await world.request('GET', `${PATH}?locale=de`)).text).toBe(german.text);
  });

  test('that was never in use here is not had', async () => {
    const { status, body } = await world.request('GET', `${PATH}?version=178`);
    expect([status, body.code, body.issues[0].path]).toEqual([404, 'vendor_list_not_found', 'version']);
    for (const version of ['0', '4096', 'x', '1.5'])
      expect((await world.request('GET', `${PATH}?version=${version}`)).body.code).toBe('validation_failed');
  });
});
