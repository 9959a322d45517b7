import { startWorld, type Answer, type Ask, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

type File = Record<string, unknown>;
const file = (key: string, more: File = {}): File => ({
  key,
  legalBasis: 'CONSENT',
  consentModel: 'OPT_IN',
  category: 'OTHER',
  controller: { name: 'Shop', contact: 'x@shop.example' },
  defaultLocale: 'en',
  translations: { en: { name: key, description: 'First.' } },
  ...more,
});
const apply = (
  purposes: File[],
  more: File = {},
  path = `/admin/v1/sites/${world.demo.site}/test/catalogue`,
): Promise<Answer> => world.request('POST', path, { key: 'operator', body: { purposes, ...more } });
/** Reads only once what was applied is known. */
const after = (applied: Answer): Ask => ({ headers: { 'X-Log-Position': applied.headers['x-log-position'] } });
const get = (path: string, ask: Ask = {}): Promise<Answer> =>
  world.request('GET', `/v1/purposes${path}`, { key: 'pk', ...ask });

describe('the list of purposes', () => {
  test('holds every purpose in force by key, for pages as for servers', async () => {
    const { status, body } = await get('');
    expect(status).toBe(200);
    expect(body.data.map(({ key }: { key: string }) => key)).toEqual([
      'analytics',
      'fraud_prevention',
      'marketing',
      'necessary',
      'sale_of_data',
    ]);
    expect(body.data[0]).toMatchObject({
      object: 'purpose',
      version: 1,
      status: 'PUBLISHED',
      consentModel: 'OPT_IN',
      validityDays: 365,
      locale: 'en',
      availableLocales: ['de', 'en'],
      change: { from: null, kind: 'MATERIAL' },
    });
    expect((await get('', { key: 'sk' })).body).toEqual(body);
    for (const { key, contentHash } of body.data)
      expect((await get(`/${key}/current`)).body.contentHash).toBe(contentHash);
  });

  test('names every consent model', async () => {
    const { body } = await get('');
    expect(new Set(body.data.map((one: { consentModel: string }) => one.consentModel))).toEqual(
      new Set(['OPT_IN', 'OPT_OUT', 'NOTICE_ONLY', 'ALWAYS_ON']),
    );
  });
});

describe('the language', () => {
  test.each<[string, string | undefined, string | undefined, string]>([
    ['the default', undefined, undefined, 'en'],
    ['the wish', 'de', undefined, 'de'],
    ['a wish in another case', 'DE', undefined, 'de'],
    ['the language of a region', 'de-AT', undefined, 'de'],
    ['the language of a variant, cut from the end', 'de-CH-1901', undefined, 'de'],
    ['the language before a private part', 'de-x-formal', undefined, 'de'],
    ['the default for what there is not', 'fr', undefined, 'en'],
    ['the header', undefined, 'de-AT, en;q=0.5', 'de'],
    ['the weightier of the header', undefined, 'en;q=0.3, de;q=0.7', 'de'],
    ['what the header does not exclude', undefined, 'de;q=0, en', 'en'],
    ['the first that there is', undefined, 'fr, it;q=0.9, de;q=0.1', 'de'],
    ['any', undefined, '*', 'en'],
    ['the query before the header', 'en', 'de', 'en'],
    ['the header where the query cannot be met', 'fr', 'de', 'de'],
    ['the default where the header is nonsense', undefined, ';;;q=x,,', 'en'],
  ])('served is %s', async (_, locale, header, served) => {
    for (const path of ['', '/analytics/current', '/analytics/versions', '/analytics/versions/1']) {
      const { body, headers } = await get(`${path}${locale ? `?locale=${locale}` : ''}`, {
        headers: { 'Accept-Language': header },
      });
      const one = body.data?.[0] ?? body;
      expect([one.locale, headers['content-language'], one.name]).toEqual([
        served,
        served,
        served === 'de' ? 'Statistik' : 'Statistics',
      ]);
      expect(headers.vary).toMatch(/Accept-Language/);
    }
  });

  test.each(['d', 'de_DE', 'deutschland', 'de;q=1', ''])('refused is "%s"', async (locale) => {
    const { status, body } = await get(`?locale=${encodeURIComponent(locale)}`);
    expect([status, body.code]).toEqual([422, 'validation_failed']);
  });

  test('has a tag and a content hash of its own', async () => {
    const [en, de] = [await get('/analytics/current'), await get('/analytics/current?locale=de')];
    expect(de.headers.etag).not.toBe(en.headers.etag);
    expect(de.body.contentHash).not.toBe(en.body.contentHash);
    expect((await get('/analytics/current?locale=de', { headers: { 'If-None-Match': en.headers.etag } })).status).toBe(
      200,
    );
  });
});

test.each(['', '/analytics/current', '/analytics/versions', '/analytics/versions/1'])(
  '%s is revalidated by its tag and may be kept for five minutes',
  async (path) => {
    const { headers } = await get(path);
    expect(headers['cache-control']).toBe('public, max-age=300');
    for (const value of [headers.etag as string, `"x", ${headers.etag}`, '*']) {
      const again = await get(path, { headers: { 'If-None-Match': value } });
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
    }
  },
);

test.each([
  '/nonsense/current',
  '/nonsense/versions',
  '/constructor/current',
  '/__proto__/versions',
  '/analytics/versions/2',
  '/analytics/versions/0',
  '/analytics/versions/one',
  '/analytics/versions/1.0',
])('%s is not there', async (path) => {
  const { status, body } = await get(path);
  expect([status, body.code]).toEqual([404, 'purpose_not_found']);
});

describe('applying the catalogue', () => {
  test('publishes what is new, then only what differs, and nothing where nothing does', async () => {
    const first = await apply([file('a_one'), file('a_two')]);
    expect([first.status, first.body]).toEqual([
      200,
      {
        published: true,
        changes: [
          { object: 'purpose', key: 'a_one', action: 'PUBLISH', version: 1, changed: [] },
          { object: 'purpose', key: 'a_two', action: 'PUBLISH', version: 1, changed: [] },
        ],
      },
    ]);
    const same = await apply([file('a_two'), file('a_one')]);
    expect(same.body).toEqual({
      published: false,
      changes: [
        { object: 'purpose', key: 'a_two', action: 'NONE', version: 1, changed: [] },
        { object: 'purpose', key: 'a_one', action: 'NONE', version: 1, changed: [] },
      ],
    });
    expect(same.headers['x-log-position']).toBeUndefined();
    const second = await apply([
      file('a_one', { retention: 'P1Y', category: 'MARKETING', change: { kind: 'EDITORIAL', summary: 'Shorter.' } }),
      file('a_two'),
    ]);
    expect(second.body.changes).toEqual([
      {
        object: 'purpose',
        key: 'a_one',
        action: 'PUBLISH',
        version: 2,
        changed: expect.arrayContaining(['retention', 'category']),
      },
      { object: 'purpose', key: 'a_two', action: 'NONE', version: 1, changed: [] },
    ]);
    const { body } = await get('/a_one/versions', after(second));
    expect(body.data.map((one: { version: number; change: unknown }) => [one.version, one.change])).toEqual([
      [1, { from: null, kind: 'MATERIAL', summary: 'First version.' }],
      [2, { from: 1, kind: 'EDITORIAL', summary: 'Shorter.' }],
    ]);
    expect((await get('/a_one/current')).body.version).toBe(2);
    expect((await get('/a_one/versions/1')).body).toMatchObject({ version: 1, category: 'OTHER', retention: null });
  });

  test('a dry run says the same and publishes nothing', async () => {
    const { body, headers } = await apply([file('dry')], { dryRun: true });
    expect([body, headers['x-log-position']]).toEqual([
      { published: false, changes: [{ object: 'purpose', key: 'dry', action: 'PUBLISH', version: 1, changed: [] }] },
      undefined,
    ]);
    expect((await get('/dry/current')).status).toBe(404);
  });

  test('at the same time publishes each version once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => apply([file('rival', { category: 'SOCIAL' })])));
    const published = answers.filter(({ body }) => body.published === true);
    expect(published).toHaveLength(1);
    expect((await get('/rival/versions', after(published[0]!))).body.data).toHaveLength(1);
  });

  test.each<[string, File[], string]>([
    [
      'consent that silence gives',
      [file('bad', { consentModel: 'OPT_IN', legalBasis: 'CONTRACT' })],
      'purposes[0].legalBasis',
    ],
    ['consent that cannot be refused', [file('bad', { consentModel: 'ALWAYS_ON' })], 'purposes[0].legalBasis'],
    ['a default language without a text', [file('bad', { defaultLocale: 'fr' })], 'purposes[0].translations'],
    ['a key twice', [file('good'), file('good')], 'purposes[1].key'],
    ['a key that is none', [file('Bad Key')], 'purposes[0].key'],
    ['a key that is a member of every object', [file('constructor')], 'purposes[0].key'],
    ['a field that is none', [file('bad', { validity: 3 })], 'purposes[0].validity'],
    ['a retention that is no duration', [file('bad', { retention: 'one year' })], 'purposes[0].retention'],
  ])('refuses %s, and publishes nothing of it', async (_, files, path) => {
    const { status, body } = await apply([...files, file('innocent')]);
    expect([status, body.code]).toEqual([422, 'validation_failed']);
    expect(body.issues[0].path).toBe(path);
    expect((await get('/innocent/current')).status).toBe(404);
  });

  test.each([
    ['of an unknown site', () => '/admin/v1/sites/nowhere/test/catalogue'],
    ['of an unknown environment', () => `/admin/v1/sites/${world.demo.site}/prod/catalogue`],
  ])('a catalogue %s is not there', async (_, path) => {
    const { status, body } = await apply([file('lost')], {}, path());
    expect([status, body.code]).toEqual([404, 'route_not_found']);
  });

  test('a version of the future is listed, and in force from its day', async () => {
    await apply([file('later')]);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const applied = await apply([file('later', { category: 'SOCIAL', effectiveFrom: tomorrow })]);
    expect(
      (await get('/later/versions', after(applied))).body.data.map((one: { version: number; status: string }) => [
        one.version,
        one.status,
      ]),
    ).toEqual([
      [1, 'PUBLISHED'],
      [2, 'DRAFT'],
    ]);
    expect((await get('/later/current')).body.version).toBe(1);
    expect((await world.recorded({ purpose: 'later' })).body.purposeVersion).toBe(1);
    const early = await world.request('POST', '/v1/consent', {
      body: { subject: world.visitor(), purpose: 'later', decision: 'GRANTED', purposeVersion: 2 },
    });
    expect([early.status, early.body.code]).toEqual([422, 'purpose_version_unknown']);
  });
});

describe('a retired purpose', () => {
  const decide = (subject: string, decision: string): Promise<Answer> =>
    world.request('POST', '/v1/consent', { key: 'pk', body: { subject, purpose: 'retiring', decision } });
  let subject: string;
  let retired: Answer;
  beforeAll(async () => {
    await apply([file('retiring')]);
    subject = world.visitor();
    await world.recorded({ subject, purpose: 'retiring' });
    retired = await apply([file('retiring', { status: 'RETIRED' })]);
    await get('', after(retired));
  });

  test('is said to be so, once', async () => {
    expect(retired.body.changes).toEqual([
      { object: 'purpose', key: 'retiring', action: 'RETIRE', version: 1, changed: ['status'] },
    ]);
    expect((await apply([file('retiring', { status: 'RETIRED' })])).body.published).toBe(false);
    expect((await get('/retiring/current')).body.status).toBe('RETIRED');
  });

  test('takes no grant', async () => {
    const { status, body } = await decide(world.visitor(), 'GRANTED');
    expect([status, body.code, body.issues[0].path]).toEqual([422, 'purpose_retired', 'purpose']);
  });

  test.each(['WITHDRAWN', 'DENIED'])('takes %s', async (decision) => {
    const { status, body } = await decide(subject, decision);
    expect(status).toBe(201);
    expect(['WITHDRAWN', 'DENIED']).toContain(body.state);
  });

  test('can be published again, as a new version', async () => {
    const again = await apply([file('retiring')]);
    expect(again.body.changes[0]).toMatchObject({ action: 'PUBLISH', version: 2 });
    await get('', after(again));
    expect((await decide(world.visitor(), 'GRANTED')).status).toBe(201);
  });
});
