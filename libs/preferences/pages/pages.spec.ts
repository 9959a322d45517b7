import { createHash } from 'node:crypto';
import { png } from '../../../test/support/pictures.js';
import { NO_BRAND, shownBrand, type SiteSettings } from '../../access/index.js';
import { readLogo, type Logo } from '../../access/sites/logo.js';
import { DEFAULT_SETTINGS } from '../../access/state.js';
import { LANGUAGES } from '../../pages/languages.js';
import { CONFIRMATION_WORDS } from '../texts/words.js';
import { confirmationText, unsubscribeText } from '../texts/confirmation.js';
import { errorPage } from './errors.js';
import type { ShownPage } from '../../pages/frame.js';
import type { ConfirmPageModel } from './model.js';
import { confirmPage, noticePage, unsubscribePage } from './pages.js';
import { pageHeaders } from '../../pages/send.js';

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
  brand: null,
  undo: null,
  standing: null,
  ...more,
});
const seen = ({ html }: ShownPage): string =>
  html
    .replace(/<head>[\s\S]*<\/head>/, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
const formAction = ({ csp }: ShownPage): string => /form-action ([^;]*)/.exec(csp)![1]!;

const LOGO = readLogo(png({ width: 96, height: 48 })) as Logo;
const SETTINGS: SiteSettings = {
  ...DEFAULT_SETTINGS,
  name: 'Shop',
  logo: LOGO,
  brand: {
    ...NO_BRAND,
    displayName: { en: 'Shop & Söhne', ar: 'المتجر' },
    accentColor: '#0b3d91',
    accentColorDark: '#8ec0ff',
    imprintUrl: { en: 'https://shop.example/imprint', de: 'https://shop.example/impressum?a=1&b="' },
    privacyUrl: { en: 'https://shop.example/privacy' },
  },
};
const UNDO = { token: 'rft_token', expiresAt: '2026-11-23T16:18:00.000Z' };

const pages: [string, ShownPage][] = LANGUAGES.flatMap((language): [string, ShownPage][] => [
  [`asking, ${language}`, confirmPage(open({}, language), [])],
  [
    `unsubscribing, ${language}`,
    unsubscribePage(
      { state: 'open', text: unsubscribeText(asked(language)), token: 'uft_token', brand: null, undo: null },
      [],
    ),
  ],
  [`asking for a brand, ${language}`, confirmPage(open({ brand: shownBrand(SETTINGS, [language]) }, language), [])],
  [
    `to be undone, ${language}`,
    noticePage('confirmed', [language], {
      brand: shownBrand(SETTINGS, [language]),
      redirectUrl: 'https://shop.example/',
      undo: UNDO,
    }),
  ],
  ...(
    [
      'confirmed',
      'already',
      'expired',
      'invalid',
      'failed',
      'unsubscribed',
      'undone',
      'resubscribed',
      'changedSince',
      'undoOver',
      'noLonger',
      'ended',
    ] as const
  ).map((name): [string, ShownPage] => [`${name}, ${language}`, noticePage(name, [language])]),
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
    // The one picture is part of the page.
    expect(
      html.replace(/<img src="data:image\/png;base64,[A-Za-z0-9+/=]+" width="96" height="48" alt="">/, ''),
    ).not.toMatch(/<(script|img|link|iframe|object|video|base)|url\(|@import|\son\w+=|\bsrc=|http-equiv/i);
    expect(html).not.toMatch(/(margin|padding|border)-(left|right)|text-align:\s*(left|right)/);
  });

  it.each(pages)('%s: allows the one style sheet that it has, and no more', (_, { html, csp }) => {
    const style = /<style>([\s\S]*)<\/style>/.exec(html)![1]!;
    expect(csp).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(csp).toMatch(
      /^default-src 'none'; style-src '[^']+';( img-src data:;)? form-action [^;]+; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(csp.includes('img-src')).toBe(html.includes('<img'));
  });
});

describe.each(LANGUAGES)('the page behind a link that was used, in %s', (language) => {
  const standing = { gets: ['News', EVIL], getsNot: ['Offers'] };
  const words = CONFIRMATION_WORDS[language];
  const before = (text: string): string => text.slice(0, text.indexOf('{'));

  it('says what is sent now and what is not, and how to get that', () => {
    const said = seen(confirmPage(open({ state: 'changed', standing }, language), []));
    for (const part of [words.noLonger.title, words.noLonger.text, before(words.gets), before(words.getsNot)])
      expect(said).toContain(part);
    expect(said).toContain('Offers');
    expect(said).toContain(EVIL);
    expect(said).toContain(words.again);
    expect(said).not.toContain(words.already.text);
  });

  it('says so too where it has expired, and nothing of what is not there', () => {
    const said = seen(confirmPage(open({ state: 'expired', standing: { gets: ['News'], getsNot: [] } }, language), []));
    expect(said).toContain(words.expired.text);
    expect(said).toContain(before(words.gets));
    expect(said).not.toContain(before(words.getsNot));
  });

  it('says of one whose request was taken back how to get a new one', () =>
    expect(seen(confirmPage(open({ state: 'ended', text: null }), [language]))).toContain(words.ended.text));
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
      seen(
        confirmPage(
          {
            state: 'invalid',
            text: null,
            token: '',
            redirectUrl: null,
            brand: null,
            undo: null,
            standing: null,
            ...model,
          },
          ['uk'],
        ),
      );
    expect(said({ state: 'confirmed', text })).toContain(CONFIRMATION_WORDS.fr.already.title);
    expect(said({ state: 'expired', text })).toContain(CONFIRMATION_WORDS.fr.expired.title);
    expect(said({ state: 'invalid' })).toContain(CONFIRMATION_WORDS.uk.invalid.title);
    expect(said({ state: 'open' })).toContain(CONFIRMATION_WORDS.uk.invalid.title);
    const { html } = confirmPage(
      { ...open(), state: 'confirmed', text, redirectUrl: 'https://shop.example/?a=1&b="' },
      [],
    );
    expect(html).toContain(
      '<a class="onward" href="https://shop.example/?a=1&#38;b=&#34;" rel="noreferrer">Continuer</a>',
    );
    expect(html).not.toMatch(/<form|cft_token/);
  });

  it('unsubscribes by the same kind of form, or says that it is done', () => {
    const text = unsubscribeText(asked('nl'));
    const model = { state: 'open', text, token: 'uft_token', brand: null, undo: null } as const;
    const { html } = unsubscribePage(model, []);
    expect(html).toContain(
      '<form method="post" action="unsubscribe">\n<input type="hidden" name="token" value="uft_token">',
    );
    expect(seen(unsubscribePage({ ...model, state: 'done' }, []))).toContain(CONFIRMATION_WORDS.nl.unsubscribed.title);
    expect(seen(unsubscribePage({ ...model, state: 'invalid', text: null }, ['ja']))).toContain(
      CONFIRMATION_WORDS.ja.invalid.title,
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

describe('the brand of a site', () => {
  const branded = (language: string, more: Partial<SiteSettings> = {}): ShownPage =>
    confirmPage(open({ brand: shownBrand({ ...SETTINGS, ...more }, [language]) }, language), []);

  it('stands above the page, its name in letters and its picture as decoration', () => {
    const { html, csp } = branded('en');
    expect(html).toContain(
      `<img src="data:image/png;base64,${LOGO.content}" width="96" height="48" alt="">\n<p><bdi>Shop &#38; Söhne</bdi></p>`,
    );
    expect(html).toMatch(/<title>Do you want these messages\? – Shop &#38; Söhne<\/title>/);
    expect(csp).toContain('; img-src data:; ');
    expect(branded('en', { logo: null }).csp).not.toContain('img-src');
  });

  it('has its colours in both schemes, with what is read on them', () => {
    const { html } = branded('en');
    expect(html).toContain(':root{--accent:#0b3d91;--on-accent:#ffffff}');
    expect(html).toContain('@media (prefers-color-scheme:dark){:root{--accent:#8ec0ff;--on-accent:#000000}}');
    expect(branded('en', { brand: { ...SETTINGS.brand!, accentColor: null, accentColorDark: null } }).html).not.toMatch(
      /0b3d91|8ec0ff;--on/,
    );
  });

  it('speaks the language of the page, else that of the site, else whichever it has', () => {
    const links = (page: ShownPage): string[] =>
      [...page.html.matchAll(/<a href="([^"]+)" rel="noreferrer">/g)].map(([, url]) => url!);
    expect(links(branded('de'))).toEqual([
      'https://shop.example/impressum?a=1&#38;b=&#34;',
      'https://shop.example/privacy',
    ]);
    expect(seen(branded('de'))).toContain('Impressum');
    expect(links(branded('ja'))[0]).toBe('https://shop.example/imprint');
    expect(seen(branded('ar'))).toContain('المتجر');
    expect(shownBrand({ ...SETTINGS, defaultLocale: 'de' }, ['ja']).imprintUrl).toContain('impressum');
    expect(shownBrand({ ...SETTINGS, defaultLocale: 'fr' }, ['ja']).name).toBe('Shop & Söhne');
    expect(shownBrand({ ...SETTINGS, brand: NO_BRAND }, ['ja'])).toEqual({
      name: 'Shop',
      logo: LOGO,
      accent: null,
      imprintUrl: null,
      privacyUrl: null,
    });
  });

  it('is nowhere on the page of a link that names no site', () => {
    expect(confirmPage(open({ state: 'invalid', text: null }), []).html).not.toMatch(/<header|<footer|<img/);
  });
});

describe('an undo', () => {
  it('is a form of its own below everything, with the token in no address, and says until when', () => {
    const { html, csp } = noticePage('unsubscribed', ['de'], { undo: UNDO });
    expect(html).toContain(
      '<form class="undo" method="post" action="undo">\n<input type="hidden" name="token" value="rft_token">\n<p>War das ein Versehen? Sie können es bis 23. November 2026',
    );
    expect(html.match(/rft_token/g)).toHaveLength(1);
    expect(csp).toContain("form-action 'self';");
  });

  it('is offered where the link was used, and is not where it was taken back', () => {
    const { text } = open({}, 'fr');
    const shows = (state: ConfirmPageModel['state']): string => confirmPage(open({ state, text, undo: UNDO }), []).html;
    expect(shows('confirmed')).toContain('action="undo"');
    for (const state of ['undone', 'expired', 'invalid'] as const) expect(shows(state)).not.toContain('action="undo"');
    expect(shows('undone')).toContain(CONFIRMATION_WORDS.fr.undone.title);
    const done = { state: 'done', text, token: 'uft_token', brand: null, undo: UNDO } as const;
    expect(unsubscribePage(done, []).html).toContain('action="undo"');
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
    ['an undo that is pressed', 'POST', '/v1/preferences/undo', FORM],
    ['an undo that is opened', 'GET', '/v1/preferences/undo', undefined],
  ])('of %s is a page, in a language of the reader', (_, method, url, type) => {
    expect(seen({ ...errorPage(request(method, url, type), 'token_expired')!, csp: '', language: '' })).toContain(
      CONFIRMATION_WORDS.de.expired.title,
    );
    expect(errorPage(request(method, url, type), 'rate_limited')!.html).toContain(CONFIRMATION_WORDS.de.failed.title);
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
