import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions, Page, Request } from 'playwright-core';
import { ALL_OF_PAGES, faultsOf, focusOf, overflowOf, startBrowser, type Browsing } from '../support/browser.js';
import { png } from '../support/pictures.js';
import { startWorld, type World } from '../support/world.js';
import { until } from '../support/timing.js';

let world: World;
let browser: Browsing;
/** Where people come from, and go on to: it sends them on once more, as many do. */
let shop: http.Server;
let shopUrl: string;
let arrived: string[] = [];
let people = 0;

beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld(), startBrowser()]);
  shop = http.createServer((request, response) => {
    if (request.url!.startsWith('/done')) {
      arrived.push(request.url!);
      return void response
        .writeHead(302, { Location: `http://127.0.0.1:${(shop.address() as AddressInfo).port}/welcome` })
        .end();
    }
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Shop</title><h1>Welcome</h1>');
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  shopUrl = `http://localhost:${(shop.address() as AddressInfo).port}`;
  await branded({
    displayName: { en: 'Shop Example', he: 'חנות לדוגמה' },
    logo: {
      data: png({
        width: 240,
        height: 96,
        draws: (x, y) => (x - 48) ** 2 + (y - 48) ** 2 < 40 ** 2 || (x > 100 && Math.abs(y - 48) < 14),
      }).toString('base64'),
    },
    accentColor: ACCENT.light,
    accentColorDark: ACCENT.dark,
    imprintUrl: { en: 'https://shop.example/imprint' },
    privacyUrl: { en: 'https://shop.example/privacy' },
  });
}, 420_000);
beforeEach(() => void (arrived = []));
afterAll(async () => {
  shop?.close();
  await browser?.stop();
  await world?.stop();
});

const ACCENT = { light: '#8a1538', dark: '#ff9db5' };
async function branded(brand: object): Promise<void> {
  const { status, text } = await world.request('POST', `/admin/v1/sites/${world.demo.site}/brand`, {
    key: 'operator',
    body: brand,
  });
  if (status !== 200) throw new Error(`not branded: ${status} ${text}`);
}

interface Link {
  subject: string;
  url: string;
}

/** A link that confirms News by e-mail, of a person whom nobody has seen; `mailed`: to them, beside. */
async function link(
  locale = 'en',
  { subject = `email:reader${++people}@mail.example`, mailed = false } = {},
): Promise<Link> {
  const asked = {
    subject,
    channel: 'email',
    values: [{ field: 'news', value: true }],
    redirectUrl: `${shopUrl}/done?from=mail`,
    locale,
  };
  const { status, body, text } = await world.request('POST', '/v1/preferences/confirmation-token', {
    body: { ...asked, ...(mailed && { to: subject.slice('email:'.length) }) },
  });
  if (status !== 201) throw new Error(`no link: ${status} ${text}`);
  return { subject, url: body.confirmUrl as string };
}

async function confirmedNews(): Promise<Link> {
  const asked = await link();
  await opened(asked.url, (page) =>
    page
      .getByRole('button')
      .click()
      .then(() => page.waitForURL('**/welcome')),
  );
  return asked;
}

async function unsubscribeLink(locale = 'en', of?: string): Promise<Link> {
  const subject = of ?? (await link(locale)).subject;
  const { status, body, text } = await world.request('POST', '/v1/preferences/unsubscribe-link', {
    body: { subject, channel: 'email', locale },
  });
  if (status !== 200) throw new Error(`no link: ${status} ${text}`);
  return { subject, url: body.unsubscribeUrl as string };
}

const news = async (subject: string): Promise<string> =>
  (await world.request('GET', `/v1/subjects/${encodeURIComponent(subject)}/preferences?fresh=true`)).body.channels.email
    .topics.news.state as string;
const clicks = async (subject: string): Promise<number> =>
  (
    (await world.request('GET', `/v1/subjects/${encodeURIComponent(subject)}/preferences/history`)).body.data as {
      object: string;
    }[]
  ).filter(({ object }) => object === 'preference_confirmation').length;

/** Windows that nobody looks at now, by their options. They are used again: a new one costs a second of processor. */
const windows = new Map<string, Page[]>();

/** Opens the addresses one after another in one window that nobody else uses meanwhile, and answers what came of each. */
async function visited<Result>(
  urls: readonly string[],
  use: (page: Page, requests: readonly Request[]) => Promise<Result>,
  options: BrowserContextOptions = {},
): Promise<Result[]> {
  const key = JSON.stringify(options);
  const page = windows.get(key)?.pop() ?? (await browser.open(options));
  const requests: Request[] = [];
  const note = (request: Request): unknown => requests.push(request);
  page.on('request', note);
  const results: Result[] = [];
  for (const url of urls) {
    requests.length = 0;
    await page.goto(url);
    results.push(await use(page, requests));
  }
  page.off('request', note);
  await page.context().clearCookies();
  windows.set(key, [...(windows.get(key) ?? []), page]);
  return results;
}

const opened = async <Result>(
  url: string,
  use: (page: Page, requests: readonly Request[]) => Promise<Result>,
  options?: BrowserContextOptions,
): Promise<Result> => (await visited([url], use, options))[0]!;

describe('the page of a confirmation', () => {
  it('changes nothing, however often it is opened, scrolled and waited at', async () => {
    const { subject, url } = await link();
    const prefetching = { extraHTTPHeaders: { 'Sec-Purpose': 'prefetch;prerender', Purpose: 'prefetch' } };
    for (const options of [{}, prefetching])
      await visited(
        Array.from({ length: 5 }, () => url),
        async (page, requests) => {
          await page.mouse.wheel(0, 2_000);
          await page.mouse.move(50, 50);
          await page.waitForLoadState('networkidle');
          expect(requests.map((request) => [request.method(), request.url()])).toEqual([['GET', url]]);
        },
        options,
      );
    expect(await news(subject)).toBe('PENDING');
  });

  it('confirms by one click and leads on to the shop, through what the shop redirects to', async () => {
    const { subject, url } = await link();
    await opened(url, async (page, requests) => {
      await page.getByRole('button').click();
      await page.waitForURL('**/welcome');
      expect(await page.textContent('h1')).toBe('Welcome');
      expect(new Set(requests.map((request) => new URL(request.url()).origin))).toEqual(
        new Set([world.url, shopUrl, shopUrl.replace('localhost', '127.0.0.1')]),
      );
    });
    expect(arrived).toEqual(['/done?from=mail&status=confirmed']);
    expect(await news(subject)).toBe('GRANTED');
  });

  it.each([
    ['by the keyboard alone', {}],
    ['without JavaScript', { javaScriptEnabled: false }],
  ])('can be used %s', async (_, options) => {
    const { subject, url } = await link();
    await opened(
      url,
      async (page) => {
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await page.waitForURL('**/welcome');
      },
      options,
    );
    expect(await news(subject)).toBe('GRANTED');
  });

  it('counts one click where there were two, or where somebody went back and clicked again', async () => {
    const { subject, url } = await link();
    await opened(url, async (page) => {
      await page.getByRole('button').dblclick();
      // The second click can break off the way that the first one went, which whoever waits for an address takes as a failure.
      await page.getByRole('heading', { name: 'Welcome' }).waitFor();
      await page.goBack();
      await page.waitForURL(url);
      expect(await page.textContent('h1')).toBe('Already confirmed');
      expect(await page.getByRole('button').allTextContents()).toEqual(['Undo']);
      await page.getByRole('link', { name: 'Continue' }).click();
      await page.waitForURL('**/welcome');
    });
    expect(await clicks(subject)).toBe(1);
  });

  it('says that a link that a newer one replaced does not work, in the language of the browser', async () => {
    const older = await link('de');
    await link('de', { subject: older.subject });
    await opened(
      older.url,
      async (page) =>
        expect([await page.textContent('h1'), await page.getAttribute('html', 'lang')]).toEqual([
          'Це посилання не працює',
          'uk',
        ]),
      { locale: 'uk-UA' },
    );
    const { status, headers } = await world.request('GET', older.url.slice(world.url.length), { key: null });
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });
});

describe('the page that unsubscribes', () => {
  it('unsubscribes by one click, and changes nothing before', async () => {
    const { subject, url } = await unsubscribeLink();
    await opened(url, async (page) => {
      expect(await news(subject)).toBe('PENDING');
      await page.getByRole('button').click();
      await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
      expect(page.url()).not.toContain('uft_');
    });
    expect(await news(subject)).toBe('DENIED');
    await opened(url, async (page) => expect(await page.textContent('h1')).toBe('You are unsubscribed'));
  });
});

describe('an undo', () => {
  it.each([
    ['a confirmation, without JavaScript', { javaScriptEnabled: false }],
    ['a confirmation, by the keyboard alone', {}],
  ])('takes back %s, on the page that says so', async (how, options) => {
    await branded({ afterConfirming: 'PAGE' });
    const { subject, url } = await link();
    await opened(
      url,
      async (page, requests) => {
        await page.getByRole('button').click();
        await page.getByRole('heading', { name: 'Confirmed' }).waitFor();
        expect(await news(subject)).toBe('GRANTED');
        const undo = page.getByRole('button', { name: 'Undo' });
        if (how.includes('keyboard')) {
          // Past the link onward.
          await page.keyboard.press('Tab');
          await page.keyboard.press('Tab');
          await page.keyboard.press('Enter');
        } else await undo.click();
        await page.getByRole('heading', { name: 'Undone' }).waitFor();
        expect(await page.getByRole('button').count()).toBe(0);
        expect(page.url()).not.toMatch(/rft_|cft_/);
        expect(new Set(requests.map((request) => new URL(request.url()).origin))).toEqual(new Set([world.url]));
      },
      options,
    );
    await branded({ afterConfirming: null });
    expect(await news(subject)).toBe('DENIED');
  });

  it('gives back what unsubscribing took, and nothing happens by opening its address', async () => {
    const { subject } = await confirmedNews();
    const { body } = await world.request('POST', '/v1/preferences/unsubscribe-link', {
      body: { subject, channel: 'email' },
    });
    await opened(body.unsubscribeUrl as string, async (page) => {
      await page.getByRole('button').click();
      await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
      const token = await page.locator('form.undo input').getAttribute('value');
      await opened(`${world.url}/v1/preferences/undo?token=${token}`, async (other) => {
        expect(await other.textContent('h1')).toBe('That did not work');
      });
      expect(await news(subject)).toBe('DENIED');
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('heading', { name: 'You are subscribed again' }).waitFor();
    });
    expect(await news(subject)).toBe('GRANTED');
  });
});

/** The page of the outbox that shows a mail in Hebrew. */
async function mailPage(): Promise<string> {
  const { subject } = await link('he', { mailed: true });
  return opened(`${world.url}/outbox`, async (page) => {
    const mail = page
      .getByRole('listitem')
      .filter({ hasText: subject.slice('email:'.length) })
      .getByRole('link');
    await until(async () => (await mail.count()) > 0 || (await page.reload(), false));
    return new URL((await mail.getAttribute('href'))!, page.url()).href;
  });
}

type Look = [name: string, options: BrowserContextOptions];
const LIGHT: Look = ['in the light', { colorScheme: 'light' }];
const NARROW: Look = [
  'in the dark on a screen of 320 pixels',
  { colorScheme: 'dark', viewport: { width: 320, height: 640 } },
];
const LOOKS: Look[] = [LIGHT, NARROW];
if (ALL_OF_PAGES) LOOKS.push(['with forced colours', { forcedColors: 'active' }]);

describe('every page', () => {
  let urls: Record<string, string>;
  beforeAll(async () => {
    const confirmed = await link('fr');
    await opened(confirmed.url, async (page) => {
      await page.getByRole('button').click();
      await page.waitForURL('**/welcome');
    });
    const left = await unsubscribeLink('he', (await confirmedNews()).subject);
    await opened(left.url, async (page) => {
      await page.getByRole('button').click();
      await page.locator('form.undo').waitFor();
    });
    urls = {
      'to undo, from the right': left.url,
      'to confirm': (await link('de')).url,
      'to confirm, from the right': (await link('he')).url,
      'of what is confirmed': confirmed.url,
      'of no link': `${world.url}/v1/preferences/confirm?token=cft_none`,
      'to unsubscribe, from the right': (await unsubscribeLink('ar')).url,
      'of the start': `${world.url}/`,
      'of a wrong address': `${world.url}/nowhere`,
      'of errors': `${world.url}/docs/errors`,
      'of all guides': `${world.url}/docs/guides`,
      'of a guide with wide tables': `${world.url}/docs/guides/settings`,
      'of a guide with a picture': `${world.url}/docs/guides/concepts`,
      'of a guide with code': `${world.url}/docs/guides/api-consumers`,
      'of all operations': `${world.url}/docs/reference`,
      'of the operations of a tag': `${world.url}/docs/reference/banner`,
      'of what was searched for': `${world.url}/docs/search?q=rotate+keys`,
      'of law by place': `${world.url}/docs/policy`,
      'of mails': `${world.url}/outbox`,
      'of a mail, from the right': await mailPage(),
    };
  });

  interface Seen {
    faults: string[];
    /** By how many pixels the page is wider than its window, with text of twice the size. */
    wider: number;
  }
  const seen = new Map<string, Promise<Record<string, Seen>>>();
  /** What there is to see on each page in one of the looks. A page is opened once for all tests: most of their time. */
  function seenIn([look, options]: Look): Promise<Record<string, Seen>> {
    const names = Object.keys(urls);
    const all =
      seen.get(look) ??
      visited(
        Object.values(urls),
        async (page) => ({
          faults: await faultsOf(page, { ofLooks: look !== LIGHT[0] }),
          wider: await overflowOf(page, '200%'),
        }),
        options,
      ).then((found) => Object.fromEntries(found.map((one, i) => [names[i]!, one])));
    seen.set(look, all);
    return all;
  }
  const onEveryPage = <Value>(value: Value): Record<string, Value> =>
    Object.fromEntries(Object.keys(urls).map((name) => [name, value]));

  it.each(LOOKS)('has no fault that axe knows, %s', async (...look) => {
    const faults = Object.entries(await seenIn(look)).map(([name, page]) => [name, page.faults]);
    expect(Object.fromEntries(faults)).toEqual(onEveryPage([]));
  });

  it('needs no scrolling sideways on 320 pixels, at twice the size of text, in whatever language', async () => {
    const wider = Object.entries(await seenIn(NARROW)).map(([name, page]) => [name, page.wider]);
    expect(Object.fromEntries(wider)).toEqual(onEveryPage(0));
  });

  it.each([LIGHT, NARROW])('shows where the focus is and has a button that a thumb hits, %s', async (_, options) => {
    await opened(
      urls['to confirm']!,
      async (page) => {
        await page.keyboard.press('Tab');
        const { tag, height, ringWidth, ringContrast } = await focusOf(page);
        expect(tag).toBe('BUTTON');
        expect(height).toBeGreaterThanOrEqual(44);
        expect(ringWidth).toBeGreaterThanOrEqual(2);
        expect(ringContrast).toBeGreaterThanOrEqual(3);
      },
      options,
    );
  });

  it.each(['light', 'dark'] as const)('has the colour of its site, %s, and its logo is seen', async (colorScheme) => {
    await opened(
      urls['to confirm']!,
      async (page) => {
        const [button, picture] = await page.evaluate<[string, boolean]>(`[
          getComputedStyle(document.querySelector('button')).backgroundColor,
          document.querySelector('img').naturalWidth === 240 && document.querySelector('img').getBoundingClientRect().height > 40,
        ]`);
        const channels = [1, 3, 5].map((at) => Number.parseInt(ACCENT[colorScheme].slice(at, at + 2), 16));
        expect([button, picture]).toEqual([`rgb(${channels.join(', ')})`, true]);
        expect(await page.getByRole('banner').textContent()).toContain('Shop Example');
        expect(await page.getByRole('contentinfo').getByRole('link').allTextContents()).toEqual([
          'Impressum',
          'Datenschutzerklärung',
        ]);
      },
      { colorScheme },
    );
  });

  it('tells nobody about the link, and is kept by no cache', async () => {
    const { headers } = await world.request('GET', urls['to confirm']!.slice(world.url.length), { key: null });
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      'content-language': 'de',
    });
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; form-action 'self' http:; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(world.output()).not.toMatch(/cft_[A-Za-z0-9_-]{43}/);
  });
});
