import { readTcString } from '../support/bit-reader.js';
import { purposeFile } from '../support/purposes.js';
import { newSite, type OwnSite } from '../support/sites.js';
import { startWorld, type Answer, type World } from '../support/world.js';

let world: World;
let own: OwnSite;
beforeAll(async () => {
  world = await startWorld();
  own = await newSite(world);
});
afterAll(() => world?.stop());

const publish = (...policies: object[]): Promise<Answer> => own.apply({ purposes: [], policies: { policies } });
const policy = (query: string, headers: Record<string, string> = {}): Promise<Answer> =>
  world.request('GET', `/v1/policy${query}`, { key: own.publicKey, headers });

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

  const banner = await world.request('GET', '/v1/banner?country=US&region=US-CA', { key: own.publicKey });
  expect(banner.body.policy).toMatchObject({ model: 'OPT_IN', overriddenBy: [{ place: 'US-CA' }] });
});

test('what may be done follows a site’s own rules, and so does how long a grant holds', async () => {
  const { secretKey: key, apply } = await newSite(world);
  const optOut = { legalBasis: 'LEGITIMATE_INTERESTS', consentModel: 'OPT_OUT', category: 'SALE_SHARE' };
  await apply({ purposes: [purposeFile('sale', optOut)] });
  const subject = world.visitor();
  const read = (query: string, headers: Record<string, string> = {}) =>
    world.request('GET', `/v1/subjects/${subject}/consent${query}`, { key, headers });
  const effective = ({ body }: Answer) => `${body.purposes.sale.effective} ${body.purposes.sale.effectiveReason}`;
  const before = await read('?region=US-CA');
  expect(effective(before)).toBe('ALLOWED POLICY_DEFAULT');

  const applied = await apply({ purposes: [], policies: { policies: [GERMANY, CALIFORNIA] } });
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

test('strings say what was recorded by the rules of the site, with one tag and one text whichever process answers', async () => {
  const { secretKey: key, apply } = await newSite(world);
  const frameworks = (purposes: number[], google: string[], us: string[]) => ({
    frameworks: { tcf: { purposes, specialFeatures: [] }, google, us },
  });
  const sale = { legalBasis: 'LEGITIMATE_INTERESTS', consentModel: 'OPT_OUT', category: 'SALE_SHARE' };
  const catalogue = {
    purposes: [
      purposeFile('ads', frameworks([1], ['ad_storage'], [])),
      purposeFile('sale', { ...sale, ...frameworks([], ['analytics_storage'], ['SALE']) }),
    ],
    vendors: { vendors: [{ key: 'eight', name: 'Eight', purposeKeys: ['ads'], frameworks: { tcf: 8 } }] },
  };
  expect((await apply(catalogue)).status).toBe(200);
  const subject = world.visitor();
  const { headers } = await world.recorded({ subject, purpose: 'ads' }, { key });
  const seen = { 'X-Log-Position': String(headers['x-log-position']) };
  const ask = (name: string, more: Record<string, string> = {}): Promise<Answer> =>
    world.request('GET', `/v1/consent/${name}?subject=${encodeURIComponent(subject)}&country=US&region=US-CA`, {
      key,
      headers: { ...seen, ...more },
    });
  const first: Record<string, Answer> = {};
  for (const name of ['tcstring', 'gpp', 'google-consent-mode']) {
    const answers = await Promise.all(Array.from({ length: 4 }, () => ask(name)));
    first[name] = answers[0]!;
    for (const { status, text, headers: of } of answers)
      expect([status, text, of['etag']]).toEqual([200, first[name].text, first[name].headers['etag']]);
    const again = await Promise.all(
      Array.from({ length: 4 }, () => ask(name, { 'If-None-Match': String(first[name]!.headers['etag']) })),
    );
    expect(again.map(({ status }) => status)).toEqual([304, 304, 304, 304]);
  }
  expect(readTcString(first['tcstring']!.body.tcString as string)).toMatchObject({
    core: { purposeConsents: [1], vendorConsents: [8] },
    disclosed: [8],
  });
  expect(first['gpp']!.body).toMatchObject({
    sectionIds: [8],
    parsed: { usca: { SaleOptOutNotice: 2, SaleOptOut: 0 } },
  });
  const mode = first['google-consent-mode']!;
  expect(mode.body.update).toMatchObject({ ad_storage: 'granted', analytics_storage: 'granted' });

  // The site makes California opt in: what nobody granted is not allowed there, and strings say so at once.
  const applied = await apply({ ...catalogue, policies: { policies: [CALIFORNIA] } });
  seen['X-Log-Position'] = String(applied.headers['x-log-position']);
  const stale = { 'If-None-Match': String(mode.headers['etag']) };
  for (const { status, body } of await Promise.all(
    Array.from({ length: 4 }, () => ask('google-consent-mode', stale)),
  )) {
    expect(status).toBe(200);
    expect(body.update).toMatchObject({ ad_storage: 'granted', analytics_storage: 'denied' });
  }
});

test('what cannot hold is refused, and the same again publishes nothing', async () => {
  expect(await publish({ ...GERMANY, country: 'ZZ' })).toMatchObject({
    status: 422,
    body: { issues: [{ path: 'policies.policies[0].country' }] },
  });
  expect((await publish(GERMANY, CALIFORNIA)).body).toMatchObject({ published: false });
});
