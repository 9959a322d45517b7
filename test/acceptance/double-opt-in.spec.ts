import pg from 'pg';
import { FOUR_ROLES, startWorld, type Answer, type Ask, type World } from '../support/world.js';
import { assent } from '../support/command-line.js';
import type { Envelope } from '../../libs/webhooks/envelope.js';
import { faultOf } from '../support/webhook-events.js';
import { everyCell, mailsTo, tokenIn, until } from '../support/double-opt-in.js';

const THANKS = 'https://demo.example/thanks';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const HOUR_MS = 3_600_000;

let world: World;
let database: pg.Client;
let people = 0;
beforeAll(async () => {
  world = await startWorld();
  database = new pg.Client({ connectionString: world.databaseUrl! });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await world?.stop();
});

type Body = Record<string, unknown>;
const somebody = (): string => `ada${++people}@opt-in.example`;
const asking = (address: string, body: Body = {}, ask: Ask = {}): Promise<Answer> =>
  world.request('POST', '/v1/preferences/confirmation-token', {
    body: {
      subject: `email:${address}`,
      channel: 'email',
      values: [{ field: 'news', value: true }],
      redirectUrl: THANKS,
      ...body,
    },
    ...ask,
  });
const asked = async (
  address: string,
  body: Body = {},
): Promise<{ token: string; confirmUrl: string; expiresAt: string }> => {
  const answer = await asking(address, body);
  if (answer.status !== 201) throw new Error(`not asked: ${answer.status} ${answer.text}`);
  return answer.body;
};
const confirm = (token: string, ask: Ask = {}): Promise<Answer> =>
  world.request('POST', '/v1/preferences/confirm', { key: null, body: { token }, ...ask });
const clicked = (token: string, ask: Ask = {}): Promise<Answer> =>
  world.request('POST', '/v1/preferences/confirm', {
    key: null,
    raw: new URLSearchParams({ token }).toString(),
    headers: FORM,
    ...ask,
  });
const preferences = async (
  subject: string,
): Promise<
  Body & { channels: Record<string, { verified: boolean; topics: Record<string, Record<string, unknown>> }> }
> => (await world.request('GET', `/v1/subjects/${encodeURIComponent(subject)}/preferences?fresh=true`)).body;
const news = async (address: string): Promise<Record<string, unknown>> =>
  (await preferences(`email:${address}`)).channels['email']!.topics['news']!;
const set = (address: string, value: boolean, body: Body = {}): Promise<Answer> =>
  world.request('POST', '/v1/preferences', {
    body: { subject: `email:${address}`, channel: 'email', values: [{ field: 'news', value }], ...body },
  });
const history = async (address: string): Promise<Body[]> =>
  (await world.request('GET', `/v1/subjects/${encodeURIComponent(`email:${address}`)}/preferences/history`)).body.data;
const mailTo = (address: string) => until(async () => (await mailsTo(world, address))[0]);

describe('asking for a confirmation', () => {
  it('makes the topics wait, for two days', async () => {
    const address = somebody();
    const { token, confirmUrl, expiresAt } = await asked(address);
    expect(token).toMatch(/^cft_[A-Za-z0-9_-]{43}$/);
    expect(confirmUrl).toBe(`${world.url}/v1/preferences/confirm?token=${token}`);
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 48 * HOUR_MS)).toBeLessThan(60_000);
    expect(await news(address)).toMatchObject({ state: 'PENDING', expiresAt, sendable: false, blockedBy: 'PENDING' });
  });

  it('never takes away what was granted', async () => {
    const address = somebody();
    expect((await set(address, true, { source: 'IMPORT' })).status).toBe(201);
    const { token } = await asked(address);
    expect(await news(address)).toMatchObject({ state: 'GRANTED', sendable: true });
    expect((await confirm(token)).status).toBe(200);
    expect(await news(address)).toMatchObject({ state: 'GRANTED', sendable: true });
  });

  it('is for servers only', async () => {
    expect((await asking(somebody(), {}, { key: 'pk' })).body.code).toBe('secret_key_required');
    expect((await asking(somebody(), {}, { headers: { Origin: 'https://shop.example' } })).body.code).toBe(
      'origin_not_allowed',
    );
  });

  it.each<[string, Body, string, string]>([
    [
      'a topic that is not wanted',
      { values: [{ field: 'news', value: false }] },
      'validation_failed',
      'values[0].value',
    ],
    [
      'a typed field',
      { channel: undefined, values: [{ field: 'language', value: true }] },
      'validation_failed',
      'values[0].field',
    ],
    [
      'topics of two channels',
      {
        channel: undefined,
        values: [
          { field: 'channels.email.topics.news', value: true },
          { field: 'channels.push.topics.news', value: true },
        ],
      },
      'validation_failed',
      'values[1].field',
    ],
    [
      'a topic twice',
      {
        values: [
          { field: 'news', value: true },
          { field: 'channels.email.topics.news', value: true },
        ],
      },
      'validation_failed',
      'values[1].field',
    ],
    ['nothing', { values: [] }, 'validation_failed', 'values'],
    ['a topic that is none', { values: [{ field: 'newz', value: true }] }, 'field_unknown', 'values[0].field'],
    ['another site', { redirectUrl: 'https://evil.example/' }, 'redirect_url_not_allowed', 'redirectUrl'],
    ['a script', { redirectUrl: 'javascript:alert(1)' }, 'redirect_url_not_allowed', 'redirectUrl'],
    ['somebody else’s address', { to: 'grace@opt-in.example' }, 'validation_failed', 'to'],
    ['what is no address', { to: 'ada@opt-in.example\r\nBcc: all@opt-in.example' }, 'validation_failed', 'to'],
    [
      'a number by mail',
      { channel: 'sms', values: [{ field: 'delivery', value: true }], to: 'ada@opt-in.example' },
      'validation_failed',
      'to',
    ],
  ])('refuses %s', async (_, body, code, path) => {
    const { body: answer } = await asking(somebody(), body);
    expect([answer.code, answer.issues[0].path]).toEqual([code, path]);
  });

  it('leads to this machine in test only', async () => {
    expect((await asking(somebody(), { redirectUrl: 'http://localhost:3000/done' })).status).toBe(201);
    const { body } = await world.request('POST', `/admin/v1/sites/${world.demo.site}/keys`, {
      key: 'operator',
      body: { type: 'sk', env: 'live', name: 'live' },
    });
    expect(
      (await asking(somebody(), { redirectUrl: 'http://localhost:3000/done' }, { key: body.key })).body.code,
    ).not.toBe(undefined);
  });

  it('asks once under one key, with the same token to the byte', async () => {
    const address = somebody();
    const once = { headers: { 'Idempotency-Key': `ask-${address}` } };
    const first = await asking(address, { to: address }, once);
    const again = await asking(address, { to: address }, once);
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([201, first.text, 'true']);
    expect((await asking(address, { to: address, locale: 'de' }, once)).body.code).toBe('idempotency_key_reused');
    expect((await history(address)).filter(({ object }) => object === 'preference_confirmation_request')).toHaveLength(
      1,
    );
  });

  it('writes to one address three times an hour at most', async () => {
    const address = somebody();
    for (let n = 0; n < 3; n++) await asked(address, { to: address });
    const fourth = await asking(address, { to: address });
    expect([fourth.status, fourth.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(fourth.headers['retry-after'])).toBeGreaterThan(3_500);
    expect(Number(fourth.headers['retry-after'])).toBeLessThanOrEqual(3_600);
    // Without a mail of ours nobody is bothered by us.
    expect((await asking(address)).status).toBe(201);
  });
});

describe('the mail', () => {
  it('asks in the subject’s language, leads to the page, and can be unsubscribed by one click', async () => {
    const address = somebody();
    await world.request('POST', '/v1/subjects', {
      body: { identifiers: [{ kind: 'email', value: address }], locale: 'de-AT' },
    });
    const { confirmUrl } = await asked(address, { to: ` ${address.toUpperCase()} ` });
    const mail = await mailTo(address);
    expect(mail.text).toContain(confirmUrl);
    expect(mail.text).toContain('Neuigkeiten');
    expect(mail.html).toMatch(/<html lang="de"/);
    expect(mail.page).toContain('List-Unsubscribe=One-Click');
    expect(tokenIn(mail.page, 'uft')).not.toBeNull();
  });

  it('is in the language that was asked for, above all', async () => {
    const address = somebody();
    await asked(address, { to: address, locale: 'fr-CA' });
    expect((await mailTo(address)).html).toMatch(/<html lang="fr"/);
  });

  it('goes to every address of a merged subject, and to no other', async () => {
    const [target, source] = [somebody(), somebody()];
    for (const address of [target, source]) await world.recorded({ subject: `email:${address}` }, { key: 'sk' });
    expect((await asking(target, { to: source })).status).toBe(422);
    await world.request('POST', '/v1/subjects/merge', {
      body: { sources: [`email:${source}`], target: `email:${target}` },
    });
    expect((await asking(target, { to: source })).status).toBe(201);
    expect((await mailTo(source)).subject).not.toBe('');
  });
});

describe('confirming', () => {
  it('grants, once, and answers the same again', async () => {
    const address = somebody();
    const { token } = await asked(address, {
      values: [
        { field: 'news', value: true },
        { field: 'offers', value: true },
      ],
    });
    const first = await confirm(token);
    expect(first).toMatchObject({
      status: 200,
      body: {
        status: 'CONFIRMED',
        redirectUrl: THANKS,
        values: [
          { field: 'channels.email.topics.news', channel: 'email', state: 'GRANTED' },
          { field: 'channels.email.topics.offers', channel: 'email', state: 'GRANTED' },
        ],
      },
    });
    expect((await confirm(token)).text).toBe(first.text);
    expect(await news(address)).toMatchObject({
      state: 'GRANTED',
      confirmedAt: first.body.confirmedAt,
      sendable: true,
    });
  });

  it('verifies the address that the mail went to, and no other', async () => {
    const [mailed, told] = [somebody(), somebody()];
    await confirm((await asked(mailed, { to: mailed })).token);
    await confirm((await asked(told)).token);
    const { body } = await world.request('GET', `/v1/subjects/${encodeURIComponent(`email:${mailed}`)}`);
    expect(body.identifiers[0]).toMatchObject({ verified: true, verificationMethod: 'DOUBLE_OPT_IN' });
    expect((await preferences(`email:${mailed}`)).channels['email']!.verified).toBe(true);
    expect((await preferences(`email:${told}`)).channels['email']!.verified).toBe(false);
  });

  it('happens once, however many click at the same time', async () => {
    const address = somebody();
    const { token } = await asked(address, { to: address });
    const answers = await Promise.all(Array.from({ length: 100 }, () => confirm(token)));
    expect([...new Set(answers.map(({ status, text }) => `${status} ${text}`))]).toHaveLength(1);
    expect(answers[0]!.status).toBe(200);
    expect((await history(address)).filter(({ object }) => object === 'preference_confirmation')).toHaveLength(1);
  });

  it('by the button of the page leads on to the site', async () => {
    const { token } = await asked(somebody(), { redirectUrl: 'https://demo.example/thanks?order=7' });
    for (let n = 0; n < 2; n++) {
      const { status, headers, text } = await clicked(token);
      expect([status, headers.location, text]).toEqual([
        303,
        'https://demo.example/thanks?order=7&status=confirmed',
        '',
      ]);
    }
  });

  it('leads nowhere that is the site’s no longer', async () => {
    const { token } = await asked(somebody());
    const register = (domains: string[]) =>
      world.request('POST', '/admin/v1/sites', {
        key: 'operator',
        body: { site: world.demo.site, name: 'Demo Shop', domains },
      });
    await register(['other.example']);
    const [page, json] = await Promise.all([clicked(token), confirm(token)]).finally(() => register(['demo.example']));
    expect([page.status, page.headers.location, page.headers['content-type']]).toEqual([
      200,
      undefined,
      'text/html; charset=utf-8',
    ]);
    expect(json.body.redirectUrl).toBeNull();
  });

  it('does not know a token that was made up, mistyped, or replaced by a newer one', async () => {
    const address = somebody();
    const older = (await asked(address)).token;
    const newer = (await asked(address)).token;
    for (const token of [
      'x',
      `cft_${'A'.repeat(43)}`,
      `${older}A`,
      older.toUpperCase(),
      older,
      newer.replace('cft_', 'uft_'),
    ]) {
      expect([token, (await confirm(token)).body.code]).toEqual([token, 'token_invalid']);
      expect((await clicked(token)).headers['content-type']).toContain('text/html');
    }
    expect((await confirm(newer)).status).toBe(200);
  });

  it('is taken back by saying no, and by an opt-out of everything', async () => {
    const [one, all] = [somebody(), somebody()];
    const tokens = [(await asked(one)).token, (await asked(all)).token];
    await set(one, false);
    await world.request('POST', '/v1/preferences', { body: { subject: `email:${all}`, globalOptOut: true } });
    for (const token of tokens) expect((await confirm(token)).body.code).toBe('token_invalid');
    expect((await news(one))['state']).toBe('DENIED');
  });

  it('works after a merge, wherever the subject went', async () => {
    const [target, source] = [somebody(), somebody()];
    await world.recorded({ subject: `email:${target}` }, { key: 'sk' });
    const { token } = await asked(source, { to: source });
    await world.request('POST', '/v1/subjects/merge', {
      body: { sources: [`email:${source}`], target: `email:${target}` },
    });
    expect((await confirm(token)).body).toMatchObject({ status: 'CONFIRMED', redirectUrl: THANKS });
    expect((await confirm(token)).status).toBe(200);
    expect((await news(target))['state']).toBe('GRANTED');
  });

  it('comes to nothing once the subject is erased, and so does the mail', async () => {
    const address = somebody();
    const { token } = await asked(address, { to: address });
    await mailTo(address);
    const unsubscribe = (
      await world.request('POST', '/v1/preferences/unsubscribe-link', {
        body: { subject: `email:${address}`, channel: 'email' },
      })
    ).body.token as string;
    await world.request('POST', `/v1/subjects/${encodeURIComponent(`email:${address}`)}/erase`, { body: {} });
    expect((await confirm(token)).body.code).toBe('token_invalid');
    expect(
      (await world.request('POST', `/v1/preferences/unsubscribe?token=${unsubscribe}`, { key: null, body: {} })).body
        .code,
    ).toBe('token_invalid');
    expect(await mailsTo(world, address)).toEqual([]);
    expect((await asking(address, { to: address })).status).toBe(201);
  });
});

describe('programs that look at links', () => {
  it.each<[string, string, Ask]>([
    ['open', 'GET', {}],
    ['ask about', 'HEAD', {}],
    ['ask what may be done with', 'OPTIONS', {}],
    ['prefetch', 'GET', { headers: { Purpose: 'prefetch', 'Sec-Purpose': 'prefetch;prerender' } }],
    ['scan', 'GET', { headers: { 'User-Agent': 'Mozilla/5.0 (compatible; SafeLinks)', Accept: '*/*' } }],
  ])('%s it ten times and change nothing', async (_, method, ask) => {
    const address = somebody();
    const { token, confirmUrl } = await asked(address);
    for (let n = 0; n < 10; n++)
      expect(
        (await world.request(method, confirmUrl.slice(world.url.length), { key: null, ...ask })).status,
      ).toBeLessThan(500);
    expect((await news(address))['state']).toBe('PENDING');
    expect((await confirm(token)).status).toBe(200);
  });

  it('cannot confirm by another method, or without the form', async () => {
    const address = somebody();
    const { token, confirmUrl } = await asked(address);
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect(
        (await world.request(method, confirmUrl.slice(world.url.length), { key: null, body: { token } })).status,
      ).toBe(405);
    expect(
      (await world.request('POST', `/v1/preferences/confirm?token=${token}`, { key: null, body: {} })).body.code,
    ).toBe('validation_failed');
    expect(
      (
        await world.request('POST', '/v1/preferences/confirm', {
          key: null,
          raw: `token=${token}`,
          headers: { 'Content-Type': 'text/plain' },
        })
      ).body.code,
    ).toBe('unsupported_media_type');
    expect((await world.request('POST', '/v1/preferences', { raw: `token=${token}`, headers: FORM })).body.code).toBe(
      'unsupported_media_type',
    );
    expect((await news(address))['state']).toBe('PENDING');
  });
});

describe('unsubscribing', () => {
  const linkOf = async (
    address: string,
    body: Body = {},
  ): Promise<{ token: string; unsubscribeUrl: string; headers: Record<string, string> }> =>
    (
      await world.request('POST', '/v1/preferences/unsubscribe-link', {
        body: { subject: `email:${address}`, channel: 'email', topics: ['news'], ...body },
      })
    ).body;
  const post = (url: string, ask: Ask): Promise<Answer> =>
    world.request('POST', url.slice(world.url.length), { key: null, ...ask });
  const granted = async (): Promise<string> => {
    const address = somebody();
    await set(address, true, { source: 'IMPORT' });
    return address;
  };

  it('has one link for one purpose, with the headers for the mail', async () => {
    const address = await granted();
    const link = await linkOf(address);
    expect(await linkOf(address)).toEqual(link);
    expect(link.headers).toEqual({
      'List-Unsubscribe': `<${link.unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
    expect(link.unsubscribeUrl).toBe(`${world.url}/v1/preferences/unsubscribe?token=${link.token}`);
    expect(link.token).not.toContain(address);
  });

  it.each<[string, (token: string) => Ask & { path?: string }]>([
    ['by one click', () => ({ raw: 'List-Unsubscribe=One-Click', headers: FORM })],
    [
      'by one click, as mail programs prefer to post',
      () => ({
        raw: '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
        headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
      }),
    ],
    ['by the button of the page', (token) => ({ raw: new URLSearchParams({ token }).toString(), headers: FORM })],
    ['by a program', () => ({ body: {} })],
    ['by a program that has the token only', (token) => ({ body: { token } })],
    ['without a body or a type', () => ({})],
    ['by one click without a type', () => ({ raw: 'List-Unsubscribe=One-Click', headers: { 'Content-Type': '' } })],
    ['as text', () => ({ raw: 'List-Unsubscribe=One-Click\r\n', headers: { 'Content-Type': 'text/plain' } })],
    ['as bytes', () => ({ raw: 'x', headers: { 'Content-Type': 'application/octet-stream' } })],
    ['in other letter case', () => ({ raw: 'list-unsubscribe=one-click\n', headers: FORM })],
    ['with further fields, some of them twice', () => ({ raw: 'List-Unsubscribe=One-Click&a=1&a=2', headers: FORM })],
    ['as a form that is none', () => ({ raw: 'x', headers: { 'Content-Type': 'multipart/form-data' } })],
    ['as JSON that is none', () => ({ raw: '{"List-Unsubscribe":' })],
    ['as JSON of something else', () => ({ raw: '["One-Click"]' })],
    ['by a mail server that says what it can read', () => ({ raw: '', headers: { Accept: 'text/html' } })],
    ['with a parameter that a tracker added', () => ({ raw: '', path: '&utm_source=news' })],
  ])('%s ends the topic, once, without being sent anywhere', async (_, how) => {
    const address = await granted();
    const { token, unsubscribeUrl } = await linkOf(address);
    for (let n = 0; n < 3; n++) {
      const { path = '', ...ask } = how(token);
      const { status, headers } = await post(unsubscribeUrl + path, ask);
      expect([status, headers.location]).toEqual([200, undefined]);
    }
    expect(await news(address)).toMatchObject({ state: 'DENIED', sendable: false });
    const [last, ...before] = await history(address);
    expect(last).toMatchObject({ object: 'preference_record', collection: { method: 'CONFIRMATION_LINK' } });
    expect(before).toHaveLength(1);
  });

  it('ends what waits for a confirmation', async () => {
    const address = somebody();
    const { token } = await asked(address, { to: address });
    const mail = await mailTo(address);
    const { status } = await world.request('POST', `/v1/preferences/unsubscribe?token=${tokenIn(mail.page, 'uft')}`, {
      key: null,
      raw: 'List-Unsubscribe=One-Click',
      headers: FORM,
    });
    expect([status, (await confirm(token)).body.code, (await news(address))['state']]).toEqual([
      200,
      'token_invalid',
      'DENIED',
    ]);
  });

  it('refuses a body that is too large for any of this, and changes nothing', async () => {
    const address = await granted();
    const { unsubscribeUrl } = await linkOf(address);
    expect((await post(unsubscribeUrl, { raw: 'x'.repeat(5000), headers: FORM })).status).toBe(413);
    expect((await news(address))['state']).toBe('GRANTED');
  });

  it('changes nothing by being opened', async () => {
    const address = await granted();
    const { unsubscribeUrl } = await linkOf(address);
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      await world.request(method, unsubscribeUrl.slice(world.url.length), { key: null });
    expect((await news(address))['state']).toBe('GRANTED');
  });

  it('follows a merge, and refuses what was changed or made up', async () => {
    const [target, source] = [await granted(), await granted()];
    const { token, unsubscribeUrl } = await linkOf(source);
    await world.request('POST', '/v1/subjects/merge', {
      body: { sources: [`email:${source}`], target: `email:${target}` },
    });
    const forged = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const each of [forged, 'uft_x', 'x', token.replace('uft_', 'cft_')])
      expect(
        (await world.request('POST', `/v1/preferences/unsubscribe?token=${each}`, { key: null, body: {} })).body.code,
      ).toBe('token_invalid');
    expect((await world.request('POST', '/v1/preferences/unsubscribe', { key: null, body: {} })).body.code).toBe(
      'token_invalid',
    );
    expect((await post(unsubscribeUrl, { body: {} })).status).toBe(200);
    expect((await news(target))['state']).toBe('DENIED');
  });

  it('has no link to what is not there', async () => {
    expect(
      (
        await world.request('POST', '/v1/preferences/unsubscribe-link', {
          body: { subject: `email:${somebody()}`, channel: 'email' },
        })
      ).body.code,
    ).toBe('subject_not_found');
    const address = await granted();
    expect(
      (
        await world.request('POST', '/v1/preferences/unsubscribe-link', {
          body: { subject: `email:${address}`, channel: 'emial' },
        })
      ).body,
    ).toMatchObject({ code: 'field_unknown', issues: [{ path: 'channel' }] });
    expect(
      (
        await world.request('POST', '/v1/preferences/unsubscribe-link', {
          body: { subject: `email:${address}`, channel: 'email', topics: ['nws'] },
        })
      ).body,
    ).toMatchObject({ code: 'field_unknown', issues: [{ path: 'topics[0]' }] });
    expect(
      (
        await world.request('POST', '/v1/preferences/unsubscribe-link', {
          key: 'pk',
          body: { subject: `email:${address}`, channel: 'email' },
        })
      ).body.code,
    ).toBe('secret_key_required');
  });
});

describe('the evidence', () => {
  it('is in the log: who asked, with what text in which language, what became of the mail, and when the click came', async () => {
    const address = somebody();
    const { token } = await asked(address, { to: address, locale: 'de' });
    await mailTo(address);
    await until(async () => (await history(address)).find(({ object }) => object === 'preference_confirmation_mail'));
    await clicked(token, {
      from: '203.0.113.77',
      headers: { ...FORM, 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
    });
    const events = await exported(`email:${address}`);
    const of = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data);
    expect(of('PreferenceConfirmationRequested')).toMatchObject([
      {
        redirectUrl: THANKS,
        text: { language: 'de', dir: 'ltr' },
        template: { locale: expect.any(String), contentHash: expect.any(String) },
        mail: { messageId: expect.stringMatching(/^<.+@.+>$/), identifierId: expect.stringMatching(/^idn_/) },
        provenance: { keyId: expect.stringMatching(/^key_/) },
      },
    ]);
    const { requestId, mail } = of('PreferenceConfirmationRequested')[0] as {
      requestId: string;
      mail: { messageId: string };
    };
    expect(of('PreferenceConfirmationMailed')).toMatchObject([
      { requestId, messageId: mail.messageId, outcome: 'ACCEPTED', response: 'kept in the outbox', attempts: 1 },
    ]);
    expect(of('PreferenceConfirmed')).toMatchObject([
      { requestId, via: 'PAGE', provenance: { keyId: 'link', ip: '203.0.113.0', userAgent: 'Firefox 140' } },
    ]);
    expect(of('IdentifierVerified')).toMatchObject([{ method: 'DOUBLE_OPT_IN' }]);
  });

  it('holds no token: not in a table, not in a log line, not in what the process says', async () => {
    const address = somebody();
    const { token } = await asked(address, { to: address });
    const mail = await mailTo(address);
    const unsubscribe = tokenIn(mail.page, 'uft')!;
    await world.request('GET', `/v1/preferences/confirm?token=${token}`, { key: null });
    await clicked(token);
    await clicked(`${token}x`);
    await world.request('POST', `/v1/preferences/unsubscribe?token=${unsubscribe}`, { key: null, body: {} });
    const everything = `${await everyCell(database)}\n${world.output()}`;
    for (const text of [
      token,
      token.slice(4),
      Buffer.from(token).toString('hex'),
      unsubscribe,
      unsubscribe.slice(4),
      address,
      Buffer.from(address).toString('hex'),
    ])
      expect(everything.includes(text)).toBe(false);
  });
});

// The log of the four roles is another one, in which no time can be turned back.
if (!FOUR_ROLES) {
  describe('a link whose time is over', () => {
    // Of its own: whoever verifies the ledger of a shared world would find that its log was edited.
    let shared: [World, pg.Client];
    beforeAll(async () => {
      shared = [world, database];
      world = await startWorld({ breakable: true });
      database = new pg.Client({ connectionString: world.databaseUrl! });
      await database.connect();
    });
    afterAll(async () => {
      await database.end();
      await world.stop();
      [world, database] = shared;
    });

    it('is said to have run out in the log, and answers so for ever', async () => {
      const address = somebody();
      const { token, confirmUrl, expiresAt } = await asked(address);
      await world.caughtUp();
      const past = new Date(Date.now() - 1_000).toISOString();
      await database.query('alter table log.events disable trigger user');
      const { rowCount } = await database.query(
        `update log.events set data = replace(data, $1, $2) where type = 'PreferenceConfirmationRequested' and data like '%' || $1 || '%'`,
        [expiresAt, past],
      );
      await database.query('alter table log.events enable trigger user');
      expect(rowCount).toBe(1);
      await world.restart();
      expect((await news(address))['state']).toBe('EXPIRED');
      expect((await confirm(token)).body.code).toBe('token_expired');
      await database.query(`update read.preference_state set next_turn = now() where next_turn = $1`, [expiresAt]);
      await until(async () =>
        (await history(address)).find(({ object }) => object === 'preference_confirmation_expiry'),
      );
      const told = await until(async () => {
        const { body } = await world.request('GET', '/v1/events?types=preference.confirmation_expired');
        return (body.data as Envelope[])[0];
      });
      expect(faultOf(told)).toBeNull();
      expect((await confirm(token)).status).toBe(410);
      expect((await world.request('GET', confirmUrl.slice(world.url.length), { key: null })).status).toBe(410);
      expect((await news(address))['state']).toBe('EXPIRED');
      expect((await confirm((await asked(address)).token)).status).toBe(200);
    });
  });
}

it('lasts as long as the site says', async () => {
  const register = (confirmationHours: unknown) =>
    world.request('POST', '/admin/v1/sites', {
      key: 'operator',
      body: { site: world.demo.site, name: 'Demo Shop', confirmationHours },
    });
  for (const hours of [0, 169, 1.5, '48']) expect((await register(hours)).status).toBe(422);
  expect((await register(1)).body.confirmationHours).toBe(1);
  const { expiresAt } = await asked(somebody());
  await register(48);
  expect(Math.abs(Date.parse(expiresAt) - Date.now() - HOUR_MS)).toBeLessThan(60_000);
});

it('goes on working when the catalogue has changed meanwhile', async () => {
  const address = somebody();
  const { token } = await asked(address, { values: [{ field: 'offers', value: true }] });
  const { body: template } = await world.request('GET', '/v1/preference-template', { key: 'pk' });
  expect(template.version).toBe(1);
  const news = {
    key: 'email_news',
    kind: 'TOGGLE',
    channel: 'email',
    topic: 'news',
    doubleOptIn: 'REQUIRED',
    label: { en: 'News' },
  };
  const push = { key: 'push_news', kind: 'TOGGLE', channel: 'push', topic: 'news', label: { en: 'News' } };
  const published = await world.request('POST', `/admin/v1/sites/${world.demo.site}/test/catalogue`, {
    key: 'operator',
    body: {
      purposes: [],
      template: {
        defaultLocale: 'en',
        channels: [
          { key: 'email', label: { en: 'E-mail' }, verification: 'EMAIL' },
          { key: 'push', label: { en: 'Push' } },
        ],
        sections: [{ key: 'all', title: { en: 'All' }, fields: [news, push] }],
        change: { summary: 'Fewer topics.' },
      },
    },
  });
  expect([published.status, published.text]).toEqual([200, published.text]);
  expect((await confirm(token)).body.values).toEqual([
    { field: 'channels.email.topics.offers', channel: 'email', state: 'GRANTED' },
  ]);
  const link = (
    await world.request('POST', '/v1/preferences/unsubscribe-link', {
      body: { subject: `email:${address}`, channel: 'email' },
    })
  ).body.token as string;
  expect(
    (await world.request('POST', '/v1/preferences/unsubscribe', { key: null, body: { token: link } })).body.fields,
  ).toEqual(['channels.email.topics.news', 'channels.email.topics.offers']);
  expect((await preferences(`email:${address}`)).channels['email']!.topics['offers']!['state']).toBe('DENIED');
});

/** What the operator's command tells of a subject. */
async function exported(subject: string): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const engines = world.roles?.env ?? { DATABASE_URL: world.databaseUrl! };
  const { code, out, err } = await assent(
    ['audit', 'export', '--subject', subject, '--site', world.demo.site, '--env', 'test'],
    { ASSENT_DATA: world.dataFolder, ...engines },
  );
  if (code !== 0) throw new Error(err);
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as never);
}
