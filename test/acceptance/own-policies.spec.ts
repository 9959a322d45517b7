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

test('what may be done follows a site’s own rules, and so does how long a grant holds', async () => {
  const shop = `${site}-shop`;
  await operate('', { site: shop, name: 'Shop' });
  const key = (await operate(`/${shop}/keys`, { type: 'sk', env: 'test', name: 'server' })).body.key as string;
  const purpose = {
    key: 'sale',
    legalBasis: 'LEGITIMATE_INTERESTS',
    consentModel: 'OPT_OUT',
    category: 'SALE_SHARE',
    controller: { name: 'Shop', contact: 'privacy@shop.example' },
    defaultLocale: 'en',
    translations: { en: { name: 'Sale', description: 'We sell.' } },
  };
  await operate(`/${shop}/test/catalogue`, { purposes: [purpose] });
  const subject = world.visitor();
  const read = (query: string, headers: Record<string, string> = {}) =>
    world.request('GET', `/v1/subjects/${subject}/consent${query}`, { key, headers });
  const effective = ({ body }: Answer) => `${body.purposes.sale.effective} ${body.purposes.sale.effectiveReason}`;
  const before = await read('?region=US-CA');
  expect(effective(before)).toBe('ALLOWED POLICY_DEFAULT');

  const applied = await operate(`/${shop}/test/catalogue`, {
    purposes: [],
    policies: { policies: [GERMANY, CALIFORNIA] },
  });
  const seen = { 'X-Log-Position': String(applied.headers['x-log-position']) };
  const after = await read('?region=US-CA', { ...seen, 'If-None-Match': String(before.headers.etag) });
  expect([after.status, effective(after)]).toEqual([200, 'BLOCKED POLICY_DEFAULT']);
  expect(effective(await read('?region=US-CO'))).toBe('ALLOWED POLICY_DEFAULT');
  const { body: explained } = await read('/explain?purpose=sale&region=US-CA');
  expect(explained.effective).toBe('BLOCKED');
  expect(JSON.stringify(explained.because)).toContain('changed by Board: The same everywhere.');

  const granted = await world.recorded(
    { subject, purpose: 'sale', jurisdiction: { country: 'DE', source: 'DETECTED' } },
    { key },
  );
  expect(Date.parse(granted.body.expiresAt) - Date.parse(granted.body.givenAt)).toBe(90 * 86_400_000);
});

test('what cannot hold is refused, and the same again publishes nothing', async () => {
  expect(await publish({ ...GERMANY, country: 'UK' })).toMatchObject({
    status: 422,
    body: { issues: [{ path: 'policies.policies[0].country' }] },
  });
  expect((await publish(GERMANY, CALIFORNIA)).body).toMatchObject({ published: false });
});
