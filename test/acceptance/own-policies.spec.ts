import { startWorld, type Answer, type World } from '../support/world.js';

let world: World;
let site: string;
let pages: string;
beforeAll(async () => {
  world = await startWorld();
  site = `own-law-${Date.now()}`;
  await operate('', { site, name: 'Own law' });
  pages = (await operate(`/${site}/keys`, { type: 'pk', env: 'test', name: 'pages' })).body.key as string;
});
afterAll(() => world?.stop());

const operate = (path: string, body: object): Promise<Answer> =>
  world.request('POST', `/admin/v1/sites${path}`, { key: 'operator', body });
const publish = (...policies: object[]): Promise<Answer> =>
  operate(`/${site}/test/catalogue`, { purposes: [], policies: { policies } });
const policy = (query: string, headers: Record<string, string> = {}): Promise<Answer> =>
  world.request('GET', `/v1/policy${query}`, { key: pages, headers });

const GERMANY = {
  country: 'DE',
  changes: { consentValidityDays: 90, refusalCooldownDays: 120 },
  who: 'Data protection officer',
  why: 'Stricter than we must be.',
};
const CALIFORNIA = {
  country: 'US',
  region: 'US-CA',
  changes: { model: 'OPT_IN' },
  who: 'Board',
  why: 'The same everywhere.',
};

test('a site’s own rules are answered to its pages from then on, with who decided them, and to nobody else', async () => {
  const before = await policy('?country=DE');
  expect(before.body).toMatchObject({ overriddenBy: [] });
  const applied = await publish(GERMANY, CALIFORNIA);
  expect(applied).toMatchObject({
    status: 200,
    body: { published: true, changes: [{ object: 'policies', version: 1 }] },
  });
  const seen = { 'X-Log-Position': String(applied.headers['x-log-position']) };

  const { body, headers } = await policy('?country=DE', seen);
  expect(body).toMatchObject({
    model: 'OPT_IN',
    consentValidityDays: 90,
    refusalCooldownDays: 120,
    overriddenBy: [
      {
        place: 'DE',
        fields: ['consentValidityDays', 'refusalCooldownDays'],
        who: 'Data protection officer',
        why: 'Stricter than we must be.',
        effectiveFrom: null,
      },
    ],
  });
  expect(body.fingerprint).not.toBe(before.body.fingerprint);
  expect(headers.etag).not.toBe(before.headers.etag);
  expect((await policy('?country=DE', { 'If-None-Match': String(headers.etag) })).status).toBe(304);
  expect((await policy('?country=US&region=US-CA')).body).toMatchObject({ model: 'OPT_IN', rejectRequired: true });
  expect((await policy('?country=US&region=US-CO')).body).toMatchObject({ model: 'OPT_OUT', overriddenBy: [] });
  expect((await world.request('GET', '/v1/policy?country=DE', { key: 'pk' })).body).toMatchObject({
    overriddenBy: [],
    fingerprint: before.body.fingerprint,
  });

  const banner = await world.request('GET', '/v1/banner?country=US&region=US-CA', { key: pages });
  expect(banner.body.policy).toMatchObject({ model: 'OPT_IN', overriddenBy: [{ place: 'US-CA' }] });
});

test('what cannot hold is refused, and the same again publishes nothing', async () => {
  expect(await publish({ ...GERMANY, country: 'UK' })).toMatchObject({
    status: 422,
    body: { issues: [{ path: 'policies.policies[0].country' }] },
  });
  expect((await publish(GERMANY, CALIFORNIA)).body).toMatchObject({ published: false });
});
