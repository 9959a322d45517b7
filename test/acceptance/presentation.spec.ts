import { createPublicKey, randomUUID, verify } from 'node:crypto';
import { hashOf } from '../../libs/kernel/index.js';
import { purposeFile } from '../support/purposes.js';
import { newSite, type OwnSite } from '../support/sites.js';
import { pathOf, startWorld, type Answer, type Ask, type World } from '../support/world.js';

/*
 * What was shown for what was chosen: the banner states it, signed; a choice brings the statement back; its record leads
 * to the very texts.
 */

let world: World;
let own: OwnSite;
let site: string;
let pages: string;
let servers: string;
beforeAll(async () => {
  world = await startWorld();
  own = await newSite(world);
  ({ site, publicKey: pages, secretKey: servers } = own);
  for (const env of ['test', 'live'] as const)
    await publish({ purposes: [ANALYTICS, ADS, SALE], banner: BANNER, template: TEMPLATE }, env);
});
afterAll(() => world?.stop());

const publish = async (files: object, env: 'test' | 'live' = 'test'): Promise<string> => {
  const { status, headers, text } = await own.apply(files, env);
  if (status !== 200) throw new Error(text);
  return String(headers['x-log-position']);
};
const get = (path: string, ask: Ask = {}): Promise<Answer> => world.request('GET', path, { key: servers, ...ask });
const banner = (query = '?country=DE', ask: Ask = {}): Promise<Answer> =>
  get(`/v1/banner${query}`, { key: pages, ...ask });
const tokenOf = async (...args: Parameters<typeof banner>): Promise<string> =>
  (await banner(...args)).body.presentationToken as string;
const choose = (token: string | undefined, more: Record<string, unknown> = {}, ask: Ask = {}): Promise<Answer> =>
  world.request('POST', '/v1/consent', { key: pages, body: choice(token, more), ...ask });
const choice = (token: string | undefined, { collection, ...more }: Record<string, unknown> = {}) => ({
  subject: world.visitor(),
  purpose: 'analytics',
  decision: 'GRANTED',
  collection: {
    method: 'ACCEPT_ALL',
    surface: 'BANNER',
    ...(token !== undefined && { presentationToken: token }),
    ...(collection as object),
  },
  ...more,
});
interface Hashed {
  contentHash: string;
}
const newest = async (subject: string): Promise<Answer['body']> =>
  (await get(pathOf(subject, '/history'))).body.data[0];

const purpose = (key: string, more: object = {}) =>
  purposeFile(key, {
    category: 'ANALYTICS',
    translations: {
      en: { name: key, description: `May we? (${key})` },
      de: { name: key, description: `Dürfen wir? (${key})` },
    },
    ...more,
  });
const ANALYTICS = purpose('analytics');
const ADS = purpose('ads', { category: 'MARKETING' });
const SALE = purpose('sale', { category: 'SALE_SHARE', consentModel: 'OPT_OUT' });
const both = (en: string, de: string) => ({ en, de });
const BANNER = {
  defaultLocale: 'en',
  presentations: { optIn: { title: both('Your privacy', 'Ihre Daten'), body: both('May we?', 'Dürfen wir?') } },
  labels: {
    acceptAll: both('Accept all', 'Alle annehmen'),
    rejectAll: both('Reject all', 'Alle ablehnen'),
    customize: both('Choose', 'Auswählen'),
    save: both('Save', 'Speichern'),
  },
  purposeKeys: ['analytics', 'ads'],
};
const TEMPLATE = {
  defaultLocale: 'en',
  channels: [{ key: 'email', label: both('E-mail', 'E-Mail'), verification: 'EMAIL' }],
  sections: [
    {
      key: 'mail',
      title: both('Mail', 'Post'),
      fields: ['ads', 'sale'].map((key) => ({
        key,
        kind: 'TOGGLE',
        label: both(key, key),
        channel: 'email',
        topic: key,
        purposeKey: key,
      })),
    },
  ],
};

describe('the banner', () => {
  it('states what it shows, signed by the key of its environment, for a day', async () => {
    const { body } = await banner();
    const [header, payload, signature] = (body.presentationToken as string).split('.') as [string, string, string];
    const { kid, typ } = JSON.parse(Buffer.from(header, 'base64url').toString()) as Record<string, string>;
    const { keys } = (await get('/.well-known/jwks.json', { key: null })).body as {
      keys: { kid: string; x: string }[];
    };
    const { x } = keys.find((key) => key.kid === kid)!;
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    expect(verify(null, Buffer.from(`${header}.${payload}`), publicKey, Buffer.from(signature, 'base64url'))).toBe(
      true,
    );
    expect(typ).toBe('consent-presentation+jws');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
      site: string;
      env: string;
      policy: object;
      purposes: [string][];
      shownAt: string;
      expiresAt: string;
    };
    expect(claims).toMatchObject({ site, env: 'test', policy: { id: body.policy.id, country: 'DE' } });
    expect(claims.purposes.map(([key]) => key)).toEqual(['analytics', 'ads']);
    expect(Date.parse(claims.expiresAt) - Date.parse(claims.shownAt)).toBe(24 * 3_600_000);
    // Published a moment ago: nothing is stated of the time before.
    expect(claims.shownAt >= body.publishedAt).toBe(true);
  });

  it('states the same to everybody who sees the same, so that one answer serves them all', async () => {
    const twice = async (): Promise<Answer[]> => [await banner(), await banner()];
    let [one, other] = await twice();
    // A quarter of an hour may have ended in between.
    if (one!.text !== other!.text) [one, other] = await twice();
    expect([other!.text, other!.headers.etag]).toEqual([one!.text, one!.headers.etag]);
    expect(await tokenOf('?country=FR')).not.toBe(one!.body.presentationToken);
    expect(await tokenOf('?country=DE&locale=de')).not.toBe(one!.body.presentationToken);
  });

  it('states nothing where there is nothing to show', async () => {
    const { publicKey } = await newSite(world);
    expect((await banner('', { key: publicKey })).body).toMatchObject({ version: 0, presentationToken: null });
  });
});

describe('a choice that brings back what was shown', () => {
  it('is recorded with it, and leads to the very texts', async () => {
    const subject = world.visitor();
    const { body: shown } = await banner('?country=DE&locale=de');
    expect((await choose(shown.presentationToken, { subject })).status).toBe(201);
    const { presentation, notice, collection } = await newest(subject);
    expect(collection).toEqual({ method: 'ACCEPT_ALL', surface: 'BANNER' });
    expect(presentation).toEqual({
      shownAt: expect.stringMatching(/^\d{4}-/),
      banner: { version: 1, locale: 'de', presentation: 'OPT_IN', contentHash: shown.contentHash },
      buttons: shown.buttons,
      policy: expect.objectContaining({ id: shown.policy.id, country: 'DE', fingerprint: shown.policy.fingerprint }),
      purposes: shown.purposes.map((each: Record<string, unknown>) => ({
        key: each['key'],
        version: 1,
        locale: 'de',
        contentHash: each['contentHash'],
        default: 'DENIED',
      })),
    });
    // The language was not said: it is that of what was shown.
    expect(notice).toEqual({ locale: 'de', contentHash: presentation.purposes[0].contentHash });

    const hashes: string[] = [
      presentation.banner.contentHash,
      ...presentation.purposes.map(({ contentHash }: Hashed) => contentHash),
    ];
    const [text, ...purposes] = await Promise.all(hashes.map((hash) => get(`/v1/notices/${hash}`, { key: pages })));
    expect(text!.body).toMatchObject({ kind: 'BANNER', key: null, content: { texts: { title: 'Ihre Daten' } } });
    expect(purposes.map(({ body }) => [body.kind, body.key, body.content.text.description])).toEqual([
      ['PURPOSE', 'analytics', 'Dürfen wir? (analytics)'],
      ['PURPOSE', 'ads', 'Dürfen wir? (ads)'],
    ]);
    expect([text!, ...purposes].map(({ body }) => hashOf(body.content))).toEqual(hashes);
  });

  it('is one batch of several, each checked on its own', async () => {
    const subject = world.visitor();
    const token = await tokenOf();
    const records = [
      choice(token, { subject }),
      choice(token, { subject, purpose: 'sale', decision: 'DENIED' }),
      choice(undefined, { subject, purpose: 'sale', decision: 'DENIED' }),
      choice(`${token}A`, { subject, purpose: 'ads', decision: 'DENIED' }),
    ];
    const send = (more: object): Promise<Answer> =>
      world.request('POST', '/v1/consent/batch', { key: pages, body: { records, ...more } });
    const partial = await send({});
    expect(
      partial.body.results.map(
        ({ status, error }: { status: string; error?: { code: string; issues: { path: string }[] } }) => [
          status,
          error?.code,
          error?.issues[0]!.path,
        ],
      ),
    ).toEqual([
      ['RECORDED', undefined, undefined],
      ['REJECTED', 'presentation_mismatch', 'records[1].purpose'],
      ['RECORDED', undefined, undefined],
      ['REJECTED', 'presentation_token_invalid', 'records[3].collection.presentationToken'],
    ]);
    const kept = (await get(pathOf(subject, '/history'))).body.data as {
      purpose: string;
      presentation?: { banner: { version: number } };
    }[];
    expect(kept.map(({ purpose: key, presentation }) => [key, presentation?.banner.version])).toEqual([
      ['sale', undefined],
      ['analytics', 1],
    ]);
    const atomic = await send({ mode: 'ATOMIC' });
    expect(atomic.body.summary).toMatchObject({ recorded: 0, rejected: 2 });
    expect((await send({ dryRun: true })).body.summary).toMatchObject({ rejected: 2 });
  });

  it('may be a preference: a field that stands for a purpose needs it to have been shown', async () => {
    const subject = world.visitor();
    const token = await tokenOf();
    const set = (presentationToken: string, field: string, more: object = {}): Promise<Answer> =>
      world.request('POST', '/v1/preferences', {
        key: pages,
        body: {
          subject,
          values: [{ field, value: true }],
          collection: { method: 'TOGGLE', surface: 'BANNER', presentationToken, ...more },
        },
      });
    expect((await set(token, 'ads')).status).toBe(201);
    expect(await set(token, 'sale')).toMatchObject({
      status: 422,
      body: { code: 'presentation_mismatch', issues: [{ path: 'values[0].field' }] },
    });
    expect((await set(token, 'ads', { bannerVersion: 7 })).body).toMatchObject({ code: 'presentation_mismatch' });
    expect((await set(`${token}A`, 'ads')).body).toMatchObject({ code: 'presentation_token_invalid' });
    const { data } = (await get(`/v1/subjects/${encodeURIComponent(subject)}/preferences/history`)).body;
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      collection: { method: 'TOGGLE', surface: 'BANNER' },
      presentation: { banner: { version: 1 }, purposes: [{ key: 'analytics' }, { key: 'ads' }] },
    });
    expect(data[0].collection).not.toHaveProperty('presentationToken');
    const template = await get(`/v1/notices/${data[0].template.contentHash as string}`);
    expect(template.body).toMatchObject({ kind: 'PREFERENCE_TEMPLATE', content: { sections: [{ title: 'Mail' }] } });
  });

  it('is answered again under its key, and is another request without its token', async () => {
    const subject = world.visitor();
    const ask: Ask = { headers: { 'Idempotency-Key': randomUUID() } };
    const input = { subject, givenAt: new Date(Date.now() - 60_000).toISOString() };
    const token = await tokenOf();
    const first = await choose(token, input, ask);
    const again = await choose(token, input, ask);
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    const other = await choose(undefined, input, ask);
    expect(other.body.code).toBe('idempotency_key_reused');
  });

  it.each<[string, (token: string) => Promise<Answer>, string, string]>([
    [
      'a changed token',
      (token) => choose(token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))),
      'presentation_token_invalid',
      'collection.presentationToken',
    ],
    [
      'no token at all',
      () => choose('eyJhbGciOiJFZERTQSJ9.e30.c2ln'),
      'presentation_token_invalid',
      'collection.presentationToken',
    ],
    [
      'one of another site',
      async () => choose(await tokenOf('', { key: 'pk' })),
      'presentation_token_foreign',
      'collection.presentationToken',
    ],
    ['a purpose that was not shown', (token) => choose(token, { purpose: 'sale' }), 'presentation_mismatch', 'purpose'],
    [
      'another version',
      (token) => choose(token, { purposeVersion: 1, collection: { bannerVersion: 2 } }),
      'presentation_mismatch',
      'collection.bannerVersion',
    ],
    [
      'a choice from before it was shown',
      (token) => choose(token, { givenAt: new Date(Date.now() - 12 * 3_600_000).toISOString() }),
      'presentation_mismatch',
      'givenAt',
    ],
    ['a purpose that does not exist', (token) => choose(token, { purpose: 'nothing' }), 'purpose_unknown', 'purpose'],
  ])('is refused with %s', async (_, send, code, path) => {
    const { status, body } = await send(await tokenOf());
    expect([status, body.code, body.issues[0].path]).toEqual([422, code, path]);
  });

  it('of live counts in live only', async () => {
    const live = await own.key('pk', 'live');
    const token = await tokenOf('?country=DE', { key: live });
    expect((await choose(token)).body).toMatchObject({ code: 'presentation_token_foreign' });
    expect((await choose(token, {}, { key: live })).status).toBe(201);
  });
});

describe('a text that was shown', () => {
  it('is decided on and served although a newer one was published meanwhile, and after its purpose was retired', async () => {
    const [subject, later] = [world.visitor(), world.visitor()];
    const { body: shown } = await banner();
    const seen = await publish({
      purposes: [purpose('analytics', { retention: 'P1Y', change: { kind: 'MATERIAL', summary: 'Kept for a year.' } })],
      banner: { ...BANNER, layout: 'BAR' },
    });
    const headers = { 'X-Log-Position': seen };
    const { body: now } = await banner('?country=DE', { headers });
    expect([now.version, now.purposes[0].version]).toEqual([2, 2]);
    expect(now.presentationToken).not.toBe(shown.presentationToken);

    expect((await choose(shown.presentationToken, { subject })).body).toMatchObject({ purposeVersion: 1 });
    expect((await choose(now.presentationToken, { subject: later })).body).toMatchObject({ purposeVersion: 2 });
    expect((await choose(shown.presentationToken, { purposeVersion: 2 })).body).toMatchObject({
      code: 'presentation_mismatch',
      issues: [{ path: 'purposeVersion' }],
    });
    const { presentation, notice } = await newest(subject);
    expect(notice.contentHash).toBe(shown.purposes[0].contentHash);

    const retired = await publish({ purposes: [{ ...ADS, status: 'RETIRED' }] });
    for (const hash of [
      presentation.banner.contentHash,
      ...presentation.purposes.map(({ contentHash }: Hashed) => contentHash),
    ]) {
      const { status, body } = await get(`/v1/notices/${hash as string}`, { headers: { 'X-Log-Position': retired } });
      expect([status, body.version, hashOf(body.content)]).toEqual([200, 1, hash]);
    }
  });

  it('is kept by whoever has it, for it never changes', async () => {
    const { contentHash } = (await banner()).body;
    const first = await get(`/v1/notices/${contentHash as string}`);
    expect(first.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-language': 'en',
    });
    const again = await get(`/v1/notices/${encodeURIComponent(contentHash)}`, {
      headers: { 'If-None-Match': String(first.headers.etag) },
    });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it.each([`sha256:${'0'.repeat(64)}`, 'sha256', 'constructor', '%00'])('is none of %s', async (hash) =>
    expect(await get(`/v1/notices/${hash}`)).toMatchObject({ status: 404, body: { code: 'notice_not_found' } }),
  );

  it('is none of another site', async () => {
    const { contentHash } = (await banner()).body;
    const { status } = await world.request('GET', `/v1/notices/${contentHash as string}`, { key: 'sk' });
    expect(status).toBe(404);
  });
});
