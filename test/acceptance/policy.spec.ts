import { startWorld, type Answer, type Ask, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

const get = (query: string, ask: Ask = {}): Promise<Answer> =>
  world.request('GET', `/v1/policy${query}`, { key: 'pk', ...ask });

describe('the policy of a place', () => {
  test('is answered with every field, for pages as for servers', async () => {
    const { status, body, headers } = await get('?country=DE');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(
      expect.arrayContaining(
        'id country region regulation regulations model bannerRequired rejectRequired categories signals consentValidityDays refusalCooldownDays ageOfDigitalConsent doubleOptIn dataRequests frameworks gppSections matchedBy effectiveFrom effectiveTo fingerprint asOf notLegalAdvice'.split(
          ' ',
        ),
      ),
    );
    expect(body).toMatchObject({
      id: 'DE.2018-05-25',
      country: 'DE',
      region: null,
      regulation: 'GDPR',
      model: 'OPT_IN',
      rejectRequired: true,
      dataRequests: { dueDays: 1, unit: 'MONTHS', extensionDays: 2 },
      matchedBy: 'COUNTRY',
      effectiveFrom: '2018-05-24T22:00:00.000Z',
      review: true,
      notLegalAdvice: true,
    });
    expect(headers['cache-control']).toBe('public, max-age=300');
    expect((await get('?country=DE', { key: 'sk' })).body).toEqual(body);
  });

  test('is that of the region, of its country where the region has none, and else the strictest', async () => {
    expect((await get('?country=US&region=US-CA')).body).toMatchObject({ region: 'US-CA', matchedBy: 'REGION' });
    expect((await get('?region=CA-QC')).body).toMatchObject({ country: 'CA', region: 'CA-QC', model: 'OPT_IN' });
    expect((await get('?country=CA&region=CA-ON')).body).toMatchObject({ region: null, matchedBy: 'COUNTRY' });
    const nowhere = { regulation: null, model: 'OPT_IN', signals: { gpc: 'BINDING' }, matchedBy: 'FALLBACK' };
    expect((await get('')).body).toMatchObject({ country: null, ...nowhere });
    expect((await get('?country=ZW')).body).toMatchObject({ country: 'ZW', ...nowhere });
  });

  test('changes with the day on which a law begins', async () => {
    const at = async (time: string) => (await get(`?country=CL&at=${time}`)).body;
    expect(await at('2026-12-01T02:59:59.999Z')).toMatchObject({
      matchedBy: 'FALLBACK',
      effectiveTo: '2026-12-01T03:00:00.000Z',
    });
    expect(await at('2026-12-01T00:00:00-03:00')).toMatchObject({ regulation: 'LAW_21_719', matchedBy: 'COUNTRY' });
  });

  test('is not sent again to whoever has it', async () => {
    const first = await get('?country=FR');
    const again = await get('?country=FR', { headers: { 'If-None-Match': `"other", ${first.headers['etag']}` } });
    expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', first.headers['etag']]);
    expect((await get('?country=IT', { headers: { 'If-None-Match': first.headers['etag']! } })).status).toBe(200);
  });

  test('is that of the country which the proxy names, where the query names none', async () => {
    const edge = { 'X-Edge-Country': 'US', 'X-Edge-Region': 'VA' };
    const detected = await get('', { headers: edge });
    expect(detected.body).toMatchObject({ region: 'US-VA', matchedBy: 'REGION' });
    // One address with an answer for each visitor: no cache between may keep it.
    expect(detected.headers['cache-control']).toMatch(/^private, /);
    expect(detected.headers['vary']).toContain('x-edge-country, x-edge-region');
    expect((await get('?country=DE', { headers: edge })).body).toMatchObject({ country: 'DE', region: null });
    expect((await get('', { headers: { 'X-Edge-Country': 'XX' } })).body).toMatchObject({ matchedBy: 'FALLBACK' });
    // Nobody said that a proxy sets this one.
    expect((await get('', { headers: { 'CF-IPCountry': 'US' } })).body).toMatchObject({ matchedBy: 'FALLBACK' });
  });

  test.each([
    ['?country=ZZ', 'is no assigned code of ISO 3166-1', 'country'],
    ['?country=EU', 'is the European Union, which is no country: send the member state', 'country'],
    ['?country=CA&region=US-CA', 'Send a region of CA', 'region'],
  ])('is refused for what is no place: %s', async (query, words, path) => {
    const { status, body } = await get(query);
    expect([status, body.code, body.issues[0].path]).toEqual([422, 'validation_failed', path]);
    expect(`${body.issues[0].message} ${body.hint}`).toContain(words);
  });

  test('is one, whichever of its codes is named', async () => {
    for (const [code, country] of [
      ['UK', 'GB'],
      ['EL', 'GR'],
    ])
      expect((await get(`?country=${code}`)).body).toEqual((await get(`?country=${country}`)).body);
  });

  test.each([
    ['?country=germany', 'country', 'did you mean "DE"?'],
    ['?country=de', 'country', 'did you mean "DE"?'],
    ['?country=US&region=CA', 'region', 'such as US-CA'],
    ['?at=tomorrow', 'at', 'RFC 3339'],
    ['?contry=DE', 'contry', ''],
  ])('is refused for what cannot be read: %s', async (query, path, message) => {
    const { status, body } = await get(query);
    expect([status, body.issues[0].path]).toEqual([422, path]);
    expect(body.issues[0].message).toContain(message);
  });
});

test('every rule stands on a page that needs no key', async () => {
  const page = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    world.request('GET', path, { key: null, headers });
  const { status, headers, text } = await page('/docs/policy');
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(text).toContain('<b>Vermont</b>');
  for (const [, path] of text.matchAll(/href="(\/[^"#]*)/g))
    expect([path, (await page(path!)).status]).toEqual([path, 200]);
  expect((await page('/docs/policy', { 'If-None-Match': headers.etag! })).status).toBe(304);
});
