import { createHash } from 'node:crypto';
import { confirmationText, LANGUAGES, unsubscribeText, WORDS } from '../texts/index.js';
import { errorPage } from './errors.js';
import type { Page } from './frame.js';
import type { ConfirmPageModel } from './model.js';
import { confirmPage, noticePage, unsubscribePage } from './pages.js';
import { pageHeaders } from './send.js';

const EVIL = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
const asked = (locale: string, label = 'News') => ({
  locales: [locale],
  siteName: 'Shop Example',
  channel: 'E-mail',
  topics: [{ label, help: 'Weekly' }, { label: 'Offers' }],
  expiresAt: '2026-11-23T16:18:00.000Z',
  sends: 'mail' as const,
});
const open = (more: Partial<ConfirmPageModel> = {}, locale = 'en', label?: string): ConfirmPageModel => ({
  state: 'open',
  text: confirmationText(asked(locale, label)),
  token: 'cft_token',
  redirectUrl: 'https://shop.example/done?a=1',
  ...more,
});
const seen = ({ html }: Page): string =>
  html
    .replace(/<head>[\s\S]*<\/head>/, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
const formAction = ({ csp }: Page): string => /form-action ([^;]*)/.exec(csp)![1]!;

const pages: [string, Page][] = LANGUAGES.flatMap((language): [string, Page][] => [
  [`asking, ${language}`, confirmPage(open({}, language), [])],
  [
    `unsubscribing, ${language}`,
    unsubscribePage({ state: 'open', text: unsubscribeText(asked(language)), token: 'uft_token' }, []),
  ],
  ...(['confirmed', 'already', 'expired', 'invalid', 'failed', 'unsubscribed'] as const).map((name): [string, Page] => [
    `${name}, ${language}`,
    noticePage(name, [language]),
  ]),
]);

describe('every page', () => {
  it.each(pages)(
    '%s: names its language and direction, has a title, one heading and one main part',
    (name, { html, language }) => {
      expect(name.endsWith(language)).toBe(true);
      expect(html).toContain(`<html lang="${language}" dir="${['ar', 'he'].includes(language) ? 'rtl' : 'ltr'}">`);
      expect(html.match(/<title>[^<]+<\/title>/g)).toHaveLength(1);
      expect(html.match(/<h1>/g)).toHaveLength(1);
      expect(html.match(/<main>/g)).toHaveLength(1);
      expect(html).not.toMatch(/[{}]site|undefined|null</);
    },
  );

  it.each(pages)('%s: loads nothing and runs nothing', (_, { html }) => {
    expect(html).not.toMatch(/<(script|img|link|iframe|object|video|base)|url\(|@import|\son\w+=|\bsrc=|http-equiv/i);
    expect(html).not.toMatch(/(margin|padding|border)-(left|right)|text-align:\s*(left|right)/);
  });

  it.each(pages)('%s: allows the one style sheet that it has, and no more', (_, { html, csp }) => {
    const style = /<style>([\s\S]*)<\/style>/.exec(html)![1]!;
    expect(csp).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(csp).toMatch(/^default-src 'none';.* base-uri 'none'; frame-ancestors 'none'$/);
  });
});

describe('the page behind a link', () => {
  it('shows what was stored, and one form with one button', () => {
    const page = confirmPage(open(), ['de']);
    const { paragraphs, button, footer, title } = open().text!;
    for (const said of [title, button, footer, ...paragraphs.map((paragraph) => paragraph.replace(/^• /, ''))])
      expect(seen(page)).toContain(said);
    expect(page.html.match(/<li>/g)).toHaveLength(2);
    expect(page.html.match(/<(form|button)\b/g)).toEqual(['<form', '<button']);
    expect(page.html).toContain(
      '<form method="post" action="confirm">\n<input type="hidden" name="token" value="cft_token">',
    );
    expect(page.html.match(/cft_token/g)).toHaveLength(1);
  });

  it('takes every text and token for what it is', () => {
    const { html } = confirmPage(open({ token: EVIL }, 'en', EVIL), []);
    expect(html).not.toContain('<script');
    expect(html).not.toContain('<img');
    expect(seen(confirmPage(open({}, 'en', EVIL), []))).toContain(EVIL);
  });

  it.each([
    ['https://shop.example/done?a=1', "'self' https:"],
    ['http://localhost:3000/x', "'self' http:"],
  ])('lets the answer to the form lead to %s, and on from there', (redirectUrl, targets) => {
    expect(formAction(confirmPage(open({ redirectUrl }), []))).toBe(targets);
  });

  it('posts to ourselves only where there is nowhere to go on to', () => {
    expect(formAction(confirmPage(open({ redirectUrl: null }), []))).toBe("'self'");
  });

  it('has no form once nothing is left to press, and speaks the language of the link, else of the reader', () => {
    const { text } = open({}, 'fr');
    const said = (model: Partial<ConfirmPageModel>): string =>
      seen(confirmPage({ state: 'invalid', text: null, token: '', redirectUrl: null, ...model }, ['uk']));
    expect(said({ state: 'confirmed', text })).toContain(WORDS.fr.already.title);
    expect(said({ state: 'expired', text })).toContain(WORDS.fr.expired.title);
    expect(said({ state: 'invalid' })).toContain(WORDS.uk.invalid.title);
    expect(said({ state: 'open' })).toContain(WORDS.uk.invalid.title);
    const { html } = confirmPage(
      { state: 'confirmed', text, token: 'cft_token', redirectUrl: 'https://shop.example/?a=1&b="' },
      [],
    );
    expect(html).toContain(
      '<a class="onward" href="https://shop.example/?a=1&#38;b=&#34;" rel="noreferrer">Continuer</a>',
    );
    expect(html).not.toMatch(/<form|cft_token/);
  });

  it('unsubscribes by the same kind of form, or says that it is done', () => {
    const text = unsubscribeText(asked('nl'));
    const { html } = unsubscribePage({ state: 'open', text, token: 'uft_token' }, []);
    expect(html).toContain(
      '<form method="post" action="unsubscribe">\n<input type="hidden" name="token" value="uft_token">',
    );
    expect(seen(unsubscribePage({ state: 'done', text, token: 'uft_token' }, []))).toContain(
      WORDS.nl.unsubscribed.title,
    );
    expect(seen(unsubscribePage({ state: 'invalid', text: null, token: '' }, ['ja']))).toContain(
      WORDS.ja.invalid.title,
    );
  });

  it('is kept by no cache, listed nowhere, and tells the next site nothing', () => {
    expect(pageHeaders(confirmPage(open(), []))).toMatchObject({
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
      'X-Content-Type-Options': 'nosniff',
      'Content-Language': 'en',
    });
  });
});

describe('an error', () => {
  const request = (method: string, url: string, type?: string) =>
    ({
      method,
      originalUrl: url,
      headers: { 'accept-language': 'de-AT, en;q=0.5', 'content-type': type },
    }) as unknown as Parameters<typeof errorPage>[0];
  const FORM = 'application/x-www-form-urlencoded';

  it.each([
    ['a page that is opened', 'GET', '/v1/preferences/confirm?token=x', undefined],
    ['a page that is looked for', 'HEAD', '/v1/preferences/unsubscribe', undefined],
    ['a form that is posted', 'POST', '/v1/preferences/confirm', FORM],
  ])('of %s is a page, in a language of the reader', (_, method, url, type) => {
    expect(seen({ ...errorPage(request(method, url, type), 'token_expired')!, csp: '', language: '' })).toContain(
      WORDS.de.expired.title,
    );
    expect(errorPage(request(method, url, type), 'rate_limited')!.html).toContain(WORDS.de.failed.title);
    expect(errorPage(request(method, url, type), 'token_invalid')!.headers['Content-Type']).toBe(
      'text/html; charset=utf-8',
    );
  });

  it.each([
    ['a program that confirms', 'POST', '/v1/preferences/confirm', 'application/json'],
    ['every other operation', 'GET', '/v1/preferences/confirmation-token', undefined],
    ['a path that only looks alike', 'GET', '/v1/subjects/x?of=/v1/preferences/confirm', undefined],
  ])('of %s is JSON', (_, method, url, type) => {
    expect(errorPage(request(method, url, type), 'token_expired')).toBeNull();
  });
});
