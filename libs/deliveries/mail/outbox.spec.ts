import { randomBytes } from 'node:crypto';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import { Database } from '../../engines/database/database.js';
import { migrate } from '../../engines/database/migrate.js';
import { ErrorFilter } from '../../http/errors/errors.js';
import { FastExpressAdapter } from '../../http/fast-express.adapter.js';
import { isPrivate } from '../../http/this-machine.js';
import { MasterKey, sealingOf } from '../../vault/master-key.js';
import { composeMail } from './compose.js';
import { listUnsubscribe, messageIdOf, type Mail, type MailAbout } from '../../engines/mail/mail.js';
import { CreateMailOutbox1763750000002 } from './outbox.migration.js';
import { OUTBOX_OPERATIONS, OUTBOX_SOURCE, OutboxController, type OutboxSource } from './outbox-pages.js';
import { forgetMails, forgetMailsTo, MailOutbox, pruneMails } from './outbox.js';

let admin: pg.Client;
let name: string;
let database: Database;
let outbox: MailOutbox;
const sealing = sealingOf(new MasterKey(randomBytes(32)));

beforeAll(async () => {
  admin = new pg.Client({ connectionString: process.env['ASSENT_TEST_POSTGRES']! });
  await admin.connect();
  name = `outbox_${process.pid}_${Date.now()}`;
  await admin.query(`create database ${name}`);
  const url = new URL(process.env['ASSENT_TEST_POSTGRES']!);
  url.pathname = `/${name}`;
  await migrate(url.href, [CreateMailOutbox1763750000002]);
  database = new Database(url.href, { max: 4 });
  outbox = new MailOutbox(database, sealing);
});
afterAll(async () => {
  await database.close();
  await admin.query(`drop database ${name} with (force)`);
  await admin.end();
});
afterEach(() => database.run('delete from mail.outbox'));

const TEST: MailAbout = { scope: { site: 'demo', env: 'test' }, subjectId: 'sub_ada' };
let made = 0;
const mail = (more: Partial<Mail> = {}): Mail => ({
  messageId: messageIdOf(`mail ${++made}`, 'shop.example'),
  from: { name: 'Shop', address: 'no-reply@shop.example' },
  to: 'ada@example.org',
  subject: `Mail <${made}>`,
  ...composeMail({
    language: 'en',
    dir: 'ltr',
    heading: 'Almost done',
    paragraphs: ['<b>Hello</b>'],
    button: { label: 'Confirm', url: 'https://shop.example/confirm?a=1&token=t' },
    footer: [],
  }),
  headers: listUnsubscribe('https://shop.example/u?token=u'),
  language: 'en',
  dir: 'ltr',
  ...more,
});
const put = async (more?: Partial<Mail>, about = TEST): Promise<bigint> => {
  expect(await outbox.send(mail(more), about)).toEqual({ kind: 'accepted', response: 'kept in the outbox' });
  return (await outbox.list(null, 1))[0]!.id;
};

describe('the outbox', () => {
  it('keeps mails sealed, newest first, and the same mail once', async () => {
    const [first, second] = [mail(), mail({ to: 'grace@example.org' })];
    for (const one of [first, second, first]) await outbox.send(one, TEST);
    expect((await outbox.list(null, 10)).map((kept) => [kept.site, kept.mail])).toEqual([
      ['demo', second],
      ['demo', first],
    ]);
    const rows = await database.run<{ all: string; plain: string }>(
      `select to_jsonb(o)::text as all, encode(sealed, 'escape') as plain from mail.outbox o`,
    );
    expect(JSON.stringify(rows)).not.toMatch(/ada@|grace@|Almost done|token=/);
  });

  it('takes no mail of a live environment, and says why', async () => {
    expect(await outbox.send(mail(), { ...TEST, scope: { site: 'demo', env: 'live' } })).toEqual({
      kind: 'permanent',
      code: 'smtp_not_configured',
      response: expect.stringContaining('SMTP_URL is not set'),
    });
    expect(await outbox.list(null, 10)).toEqual([]);
  });

  it('takes no mail that no server would get', async () => {
    expect(await outbox.send(mail({ subject: 'a\r\nBcc: eve@example.net' }), TEST)).toMatchObject({
      kind: 'permanent',
      code: 'mail_unusable',
    });
  });

  it('keeps 500 mails of seven days', async () => {
    await put();
    await database.run(
      `insert into mail.outbox (message_id, site, env, subject_id, sealed) select 'old ' || n, site, env, subject_id, sealed from mail.outbox, generate_series(1, 520) as n`,
    );
    const newest = await put();
    const count = async () => (await database.run<{ n: number }>('select count(*)::int as n from mail.outbox'))[0]!.n;
    expect(await count()).toBe(500);
    expect((await outbox.find(newest))?.id).toBe(newest);
    await database.run(`update mail.outbox set created_at = now() - interval '8 days' where id <> $1`, [newest]);
    expect(await outbox.list(null, 10)).toHaveLength(1);
    await pruneMails(database);
    expect(await count()).toBe(1);
  });

  it('forgets the mails of a subject that is erased', async () => {
    const ada = await put();
    const grace = await put({}, { ...TEST, subjectId: 'sub_grace' });
    await forgetMails(database, ['sub_ada']);
    expect([await outbox.find(ada), (await outbox.find(grace))?.id]).toEqual([null, grace]);
  });

  it('forgets the mails to an address at a site, also those without a subject', async () => {
    const noSubject = { ...TEST, subjectId: null };
    const elsewhere = { ...noSubject, scope: { ...TEST.scope, site: 'other' } };
    const ada = await put({}, noSubject);
    const grace = await put({ to: 'grace@example.org' }, noSubject);
    const other = await put({}, elsewhere);
    await forgetMailsTo(database, sealing, TEST.scope, []);
    expect((await outbox.find(ada))?.id).toBe(ada);
    await forgetMailsTo(database, sealing, TEST.scope, [mail().to]);
    expect(await Promise.all([ada, grace, other].map(async (id) => (await outbox.find(id))?.id))).toEqual([
      undefined,
      grace,
      other,
    ]);
  });
});

describe('the pages of the outbox', () => {
  const apps: NestExpressApplication[] = [];
  const serve = async (readers: OutboxSource['readers']): Promise<string> => {
    const source: OutboxSource = { outbox, readers, mayRead: async (presented) => presented === 'op_right' };
    @Module({ controllers: [OutboxController], providers: [{ provide: OUTBOX_SOURCE, useValue: source }] })
    class Root {}
    const app = await NestFactory.create<NestExpressApplication>(Root, new FastExpressAdapter(), {
      logger: false,
      bodyParser: false,
    });
    app.useGlobalFilters(
      new ErrorFilter({
        publicUrl: 'http://127.0.0.1:4100',
        routes: () => OUTBOX_OPERATIONS,
        log: { error: () => undefined },
      }),
    );
    await app.listen(0, '127.0.0.1');
    apps.push(app);
    return app.getUrl();
  };
  let base: string;
  beforeAll(async () => void (base = await serve('THIS_MACHINE')));
  afterAll(() => Promise.all(apps.map((app) => app.close())));
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(base + path, { headers });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };

  it('list mails newest first, a page at a time', async () => {
    for (let i = 0; i < 30; i++) await put();
    const first = await get('/outbox');
    const ids = (html: string): bigint[] => [...html.matchAll(/href="outbox\/(\d+)"/g)].map(([, id]) => BigInt(id!));
    expect(ids(first.text)).toHaveLength(25);
    const older = /href="(outbox\?before=\d+)" rel="next"/.exec(first.text)![1]!;
    const second = await get(`/${older}`);
    expect(ids(second.text)).toHaveLength(5);
    const all = [...ids(first.text), ...ids(second.text)];
    expect(all).toEqual([...all].sort((a, b) => (a > b ? -1 : 1)));
    expect(second.text).not.toContain('rel="next"');
    expect(first.text).toContain('to <bdi>ada@example.org</bdi>');
    expect((await get('/outbox?before=x')).status).toBe(422);
    expect((await get('/outbox?before=1&before=2')).status).toBe(422);
  });

  it('say so where there is nothing', async () => {
    expect((await get('/outbox')).text).toContain('There are no mails.');
    for (const id of ['1', '0', 'x', '99999999999999999999', '..%2f'])
      expect([(await get(`/outbox/${id}`)).status, (await get(`/outbox/${id}/html`)).status]).toEqual([404, 404]);
  });

  it('show a mail with its text, whose links can be followed, and its HTML in a frame', async () => {
    const id = await put({ subject: '</title><script>alert(1)</script>', language: 'he', dir: 'rtl' });
    const { status, text } = await get(`/outbox/${id}`);
    expect(status).toBe(200);
    expect(text).toContain('<h1 lang="he" dir="rtl">&#60;/title&#62;');
    expect(text).toContain(
      '<a href="https://shop.example/confirm?a=1&#38;token=t" rel="noopener noreferrer nofollow">',
    );
    expect(text).toContain(`<iframe src="${id}/html" sandbox="" title="HTML part of the mail">`);
    expect(text).toContain('<dt>List-Unsubscribe-Post</dt><dd><bdi>List-Unsubscribe=One-Click</bdi></dd>');
    expect(text).not.toMatch(/<script|\son\w+="|style="|<b>Hello/);
  });

  it('shut the HTML in, and themselves off', async () => {
    const id = await put({ html: '<script>alert(1)</script><img src="https://tracker.example/x.png">' });
    const part = await get(`/outbox/${id}/html`);
    expect(part.text).toContain('<script>alert(1)</script>');
    expect(part.headers.get('content-security-policy')).toBe(
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    );
    for (const path of ['/outbox', `/outbox/${id}`]) {
      expect((await get(path)).headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/]+=*'; frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'$/,
      );
    }
    for (const path of ['/outbox', `/outbox/${id}`, `/outbox/${id}/html`]) {
      const { headers } = await get(path);
      expect(
        Object.fromEntries(
          [
            'content-type',
            'cache-control',
            'referrer-policy',
            'x-content-type-options',
            'x-robots-tag',
            'cross-origin-resource-policy',
          ].map((header) => [header, headers.get(header)]),
        ),
      ).toEqual({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
        'cross-origin-resource-policy': 'same-origin',
      });
    }
  });

  it('are accessible: landmarks, one heading, a title, a skip link', async () => {
    const id = await put();
    for (const path of ['/outbox', `/outbox/${id}`]) {
      const { text } = await get(path);
      expect(text).toMatch(
        /<html lang="en" dir="ltr">[\s\S]*<title>[^<]+<\/title>[\s\S]*name="viewport"[\s\S]*<a class="skip" href="#main">[\s\S]*<main id="main"/,
      );
      expect(text.match(/<h1/g)).toHaveLength(1);
    }
  });

  it('need no token on this machine, but from all other callers the operator token', async () => {
    const id = await put();
    const through: Record<string, string>[] = [
      { 'x-forwarded-for': '203.0.113.7' },
      { forwarded: 'for=203.0.113.7' },
      { 'x-real-ip': '203.0.113.7' },
      { via: '1.1 proxy' },
    ];
    for (const path of ['/outbox', `/outbox/${id}`, `/outbox/${id}/html`]) {
      expect((await get(path)).status).toBe(200);
      for (const headers of through) {
        const refused = await get(path, headers);
        expect([refused.status, JSON.parse(refused.text).code, refused.headers.get('www-authenticate')]).toEqual([
          401,
          'api_key_missing',
          'Bearer realm="assent"',
        ]);
        expect(JSON.parse((await get(path, { ...headers, authorization: 'Bearer op_wrong' })).text).code).toBe(
          'api_key_invalid',
        );
        expect((await get(path, { ...headers, authorization: 'Bearer op_right' })).status).toBe(200);
      }
    }
  });

  it('are not shown to a page of another name that was made to point here', async () => {
    const { port } = new URL(base);
    const { request } = await import('node:http');
    const statusFor = (host: string): Promise<number> =>
      new Promise((resolve, reject) =>
        request(
          { host: '127.0.0.1', port, path: '/outbox', headers: { host } },
          (res) => (res.resume(), resolve(res.statusCode!)),
        )
          .on('error', reject)
          .end(),
      );
    expect(await Promise.all([`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`].map(statusFor))).toEqual([
      200, 200, 200,
    ]);
    expect(
      await Promise.all(
        [
          `attacker.example:${port}`,
          '127.0.0.1.attacker.example',
          '203.0.113.7',
          'localhost.attacker.example',
          'a b',
        ].map(statusFor),
      ),
    ).toEqual([401, 401, 401, 401, 401]);
  });

  it('always need the token where the service is there for other machines too', async () => {
    const shared = await serve('OPERATOR');
    expect((await fetch(`${shared}/outbox`)).status).toBe(401);
    expect((await fetch(`${shared}/outbox`, { headers: { authorization: 'Bearer op_right' } })).status).toBe(200);
  });
});

describe('a service is private to its machine', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:4100', true],
    ['localhost', 'http://localhost:4100', true],
    ['::1', 'http://[::1]:4100', true],
    ['0.0.0.0', 'http://localhost:4100', false],
    ['127.0.0.1', 'https://consent.example.com', false],
    ['192.168.1.5', 'http://192.168.1.5:4100', false],
    ['127.0.0.1.example.com', 'http://127.0.0.1', false],
  ])('listening at %s, known as %s: %s', (host, publicUrl, expected) => {
    expect(isPrivate({ host, publicUrl })).toBe(expected);
  });
});
