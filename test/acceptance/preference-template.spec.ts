import { newSite, type OwnSite } from '../support/sites.js';
import { keysOfDemo, startWorld, type Answer, type Ask, type World } from '../support/world.js';

let world: World;
let site: OwnSite;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world?.stop());

type File = Record<string, unknown>;
const topic = (name: string, more: File = {}): File => ({
  key: `email_${name}`,
  kind: 'TOGGLE',
  label: { en: name },
  channel: 'email',
  topic: name,
  ...more,
});
const template = (fields: File[], more: File = {}): File => ({
  defaultLocale: 'en',
  channels: [{ key: 'email', label: { en: 'E-mail' }, verification: 'EMAIL' }],
  sections: [{ key: 'all', title: { en: 'All' }, fields }],
  ...more,
});
const apply = (content: File, more: File = {}): Promise<Answer> =>
  world.request('POST', `/admin/v1/sites/${site.site}/test/catalogue`, {
    key: 'operator',
    body: { purposes: [], template: content, ...more },
  });
const after = (applied: Answer): Ask => ({ headers: { 'X-Log-Position': applied.headers['x-log-position'] } });
const get = (query = '', ask: Ask = {}): Promise<Answer> =>
  world.request('GET', `/v1/preference-template${query}`, { key: world.demo.publicKey, ...ask });

describe('the template that the service brings along', () => {
  it('is there from the first start, for pages as for servers', async () => {
    const demo = keysOfDemo(world);
    const { status, body, headers } = await get('', { key: demo.publicKey });
    expect([status, headers['content-language'], headers['cache-control']]).toEqual([200, 'en', 'public, max-age=300']);
    expect(body).toMatchObject({
      object: 'preference_template',
      version: 1,
      locale: 'en',
      availableLocales: ['de', 'en'],
      change: { from: null, summary: 'First version.' },
    });
    expect(
      body.channels.map(({ key, verification }: { key: string; verification: string }) => [key, verification]),
    ).toEqual([
      ['email', 'EMAIL'],
      ['sms', 'PHONE'],
      ['push', 'NONE'],
    ]);
    const fields = body.sections.flatMap((section: { fields: File[] }) => section.fields);
    expect(new Set(fields.map(({ kind }: File) => kind))).toEqual(
      new Set(['TOGGLE', 'SELECT', 'MULTI_SELECT', 'NUMBER', 'DATE', 'TEXT', 'FREQUENCY']),
    );
    expect(fields[0]).toEqual({
      key: 'email_news',
      kind: 'TOGGLE',
      label: 'News',
      help: 'What is new in the shop.',
      channel: 'email',
      topic: 'news',
      purposeKey: null,
      options: [
        { value: 'WEEKLY', label: 'Once a week' },
        { value: 'MONTHLY', label: 'Once a month' },
      ],
      default: null,
      required: false,
      doubleOptIn: 'REQUIRED',
      validation: {},
    });
    expect((await get('', { key: demo.secretKey })).body).toEqual(body);
  });
});

describe('the language', () => {
  it.each<[string, string, string | undefined, string]>([
    ['the default', '', undefined, 'en'],
    ['the language of a region', '?locale=de-AT', undefined, 'de'],
    ['the header', '', 'de-CH, en;q=0.5', 'de'],
    ['the query before the header', '?locale=en', 'de', 'en'],
    ['the header where the query cannot be met', '?locale=fr', 'de', 'de'],
    ['the default for what there is not', '?locale=fr', 'it', 'en'],
  ])('served is %s', async (_, query, header, served) => {
    const { body, headers } = await get(query, { headers: { 'Accept-Language': header } });
    expect([body.locale, headers['content-language'], body.sections[0].title]).toEqual([
      served,
      served,
      served === 'de' ? 'Per E-Mail' : 'By e-mail',
    ]);
    expect(headers.vary).toMatch(/Accept-Language/);
  });

  it('has a tag and a content hash of its own', async () => {
    const [en, de] = [await get(), await get('?locale=de')];
    expect([de.headers.etag === en.headers.etag, de.body.contentHash === en.body.contentHash]).toEqual([false, false]);
    expect((await get('?locale=de', { headers: { 'If-None-Match': en.headers.etag } })).status).toBe(200);
  });

  it('that is no language tag is refused', async () => {
    const { status, body } = await get('?locale=de_DE');
    expect([status, body.code]).toEqual([422, 'validation_failed']);
  });
});

it('is revalidated by its tag', async () => {
  const { headers } = await get();
  for (const value of [headers.etag as string, `"x", ${headers.etag}`, '*']) {
    const again = await get('', { headers: { 'If-None-Match': value } });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
  }
});

it.each<[string, string | null, string, number]>([
  ['no key', null, 'api_key_missing', 401],
  ['the operator token', 'operator', 'api_key_invalid', 401],
])('is refused to %s', async (_, key, code, status) => {
  const answer = await get('', { key });
  expect([answer.status, answer.body.code]).toEqual([status, code]);
});

describe('a site of one’s own', () => {
  let key: string;
  const own = (query = '', ask: Ask = {}): Promise<Answer> => get(query, { key, ...ask });
  beforeAll(async () => {
    site = await newSite(world, { languages: ['en'], defaultLocale: 'en' });
    key = site.secretKey;
  });

  it('without a template has an empty one', async () => {
    const { status, body, headers } = await own();
    expect([status, headers['content-language']]).toEqual([200, 'und']);
    expect(body).toMatchObject({
      version: 0,
      locale: 'und',
      availableLocales: [],
      channels: [],
      sections: [],
      change: null,
      effectiveFrom: null,
      publishedAt: null,
    });
  });

  it('publishes one, then only what differs, and nothing where nothing does', async () => {
    const line = { object: 'preference_template', key: 'preference_template' };
    const empty = await own();
    const dry = await apply(template([topic('news')]), { dryRun: true });
    expect([dry.body, dry.headers['x-log-position']]).toEqual([
      { published: false, changes: [{ ...line, action: 'PUBLISH', version: 1, changed: [] }] },
      undefined,
    ]);
    const first = await apply(template([topic('news')]));
    expect(first.body).toEqual({ published: true, changes: [{ ...line, action: 'PUBLISH', version: 1, changed: [] }] });
    expect(
      (await own('', { headers: { ...after(first).headers, 'If-None-Match': empty.headers.etag } })).body,
    ).toMatchObject({ version: 1, sections: [{ fields: [{ key: 'email_news', default: null, options: [] }] }] });
    const same = await apply(template([topic('news', { required: false, doubleOptIn: 'NONE', options: [] })]));
    expect([same.body, same.headers['x-log-position']]).toEqual([
      { published: false, changes: [{ ...line, action: 'NONE', version: 1, changed: [] }] },
      undefined,
    ]);
    const second = await apply(
      template([topic('news', { doubleOptIn: 'REQUIRED' }), topic('offers')], { change: { summary: 'Offers.' } }),
    );
    expect(second.body.changes).toEqual([
      { ...line, action: 'PUBLISH', version: 2, changed: ['fields.email_news', 'fields.email_offers'] },
    ]);
    expect((await own('', after(second))).body).toMatchObject({ version: 2, change: { from: 1, summary: 'Offers.' } });
  });

  it('publishes each version once, whoever applies at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => apply(template([topic('rival')]))));
    expect(answers.filter(({ body }) => body.published === true)).toHaveLength(1);
    expect((await own('', after(answers.find(({ body }) => body.published === true)!))).body.version).toBe(3);
  });

  it('may announce one for later', async () => {
    const applied = await apply(
      template([topic('later')], { effectiveFrom: new Date(Date.now() + 86_400_000).toISOString() }),
    );
    expect(applied.body.changes[0]).toMatchObject({ action: 'PUBLISH', version: 4 });
    expect((await own('', after(applied))).body.version).toBe(3);
  });

  it.each<[string, File, string]>([
    ['no section', template([], { sections: [] }), 'template.sections'],
    ['a section without a field', template([]), 'template.sections[0].fields'],
    [
      'a field that is none',
      template([topic('news', { doubleOptin: 'NONE' })]),
      'template.sections[0].fields[0].doubleOptin',
    ],
    ['a kind that there is not', template([topic('news', { kind: 'SWITCH' })]), 'template.sections[0].fields[0].kind'],
    [
      'a channel that there is not',
      template([topic('news')], { channels: [{ key: 'pigeon', label: { en: 'Pigeon' } }] }),
      'template.channels[0].key',
    ],
    ['a path for a key', template([topic('news', { key: 'channels.email' })]), 'template.sections[0].fields[0].key'],
    [
      'a pattern of one’s own',
      template([{ key: 'a', kind: 'TEXT', label: { en: 'A' }, validation: { pattern: '(a+)+$' } }]),
      'template.sections[0].fields[0].validation.pattern',
    ],
    ['a text that is none', template([topic('news', { label: 'News' })]), 'template.sections[0].fields[0].label'],
    [
      'a language that every object has',
      template([topic('news', { label: JSON.parse('{"en":"a","__proto__":"b"}') as File })]),
      'template.sections[0].fields[0].label.__proto__',
    ],
    [
      'a purpose of another site',
      template([topic('news', { purposeKey: 'marketing' })]),
      'template.sections[0].fields[0].purposeKey',
    ],
    [
      'a topic twice',
      template([topic('news'), topic('news', { key: 'again' })]),
      'template.sections[0].fields[1].topic',
    ],
    [
      'more than one hundred options',
      template([
        {
          key: 'a',
          kind: 'SELECT',
          label: { en: 'A' },
          options: Array.from({ length: 101 }, (_, index) => ({ value: `v${index}`, label: { en: 'V' } })),
        },
      ]),
      'template.sections[0].fields[0].options',
    ],
    [
      'more than fifty sections',
      template([], {
        sections: Array.from({ length: 51 }, (_, index) => ({
          key: `s${index}`,
          title: { en: 'S' },
          fields: [{ key: `f${index}`, kind: 'TOGGLE', label: { en: 'F' } }],
        })),
      }),
      'template.sections',
    ],
  ])('refuses %s, and publishes nothing of it', async (_, content, path) => {
    const { status, body } = await apply(content);
    expect([status, body.code, body.issues[0].path]).toEqual([422, 'validation_failed', path]);
    expect((await own()).body.version).toBe(3);
  });
});
