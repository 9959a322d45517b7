import type { BrowserContextOptions, Page } from 'playwright-core';
import { faultsOf, overflowOf, startBrowser, type Browsing } from '../support/browser.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { until } from '../support/timing.js';
import { startWorld, type World } from '../support/world.js';

/** The page on which operators see how webhooks are going, in a real browser, most of it without scripts. */
let world: World;
let browser: Browsing;
let receiver: Receiver;
const endpoints: Record<'failing' | 'fine', string> = { failing: '', fine: '' };

beforeAll(async () => {
  [world, browser, receiver] = await Promise.all([startWorld({ bundled: true }), startBrowser(), startReceiver()]);
  for (const [name, path] of [
    ['failing', '/500'],
    ['fine', '/thanks'],
  ] as const) {
    const { body } = await world.request('POST', '/v1/webhook-endpoints', {
      key: 'sk',
      body: { url: `${receiver.url}${path}`, types: ['consent.*'], description: 'מחסן <b>' },
    });
    endpoints[name] = body.id;
  }
  await world.recorded();
  await until(() => ['/500', '/thanks'].every((path) => received(path) > 0));
}, 420_000);
afterAll(async () => {
  await browser?.stop();
  await world?.stop();
  await receiver?.stop();
});

const received = (path: string): number => receiver.received.filter((each) => each.path === path).length;
const address = (query = ''): string => `${world.url}/admin/webhooks${query}`;

async function signedIn(options?: BrowserContextOptions): Promise<Page> {
  const page = await browser.open(options);
  await page.goto(address());
  await page.fill('input[name=token]', world.demo.operatorToken);
  await page.click('button');
  return page;
}
const attemptsNoted = async (): Promise<number> => {
  const { body } = await world.request('GET', `/v1/webhook-endpoints/${endpoints.failing}/deliveries`);
  return (body.data as { attempts: unknown[] }[]).reduce((sum, { attempts }) => sum + attempts.length, 0);
};
const failingPage = async (page: Page): Promise<string> => {
  await page.goto(address(`?endpoint=${endpoints.failing}`));
  return page.innerText('main');
};

it('shows nothing to who has no operator token', async () => {
  const page = await browser.open({ javaScriptEnabled: false });
  await page.goto(address(`?endpoint=${endpoints.failing}`));
  expect(await page.innerText('h1')).toBe('Sign in');
  expect(await page.content()).not.toContain(receiver.url);
  await page.fill('input[name=token]', world.demo.secretKey);
  await page.click('button');
  expect(await page.innerText('[role=alert]')).toContain('no operator token');
  expect(await page.context().cookies()).toEqual([]);
});

it('shows every endpoint and how it is doing, those that fail first', async () => {
  const page = await signedIn({ javaScriptEnabled: false });
  await until(() => received('/500') > 0);
  const cards = await page.locator('ul.cards > li').allInnerTexts();
  expect(cards).toHaveLength(2);
  expect(cards[0]).toContain('/500');
  expect(cards[0]).toContain('Failing');
  expect(cards[0]).toContain('מחסן <b>');
  expect(cards[1]).toContain('In order');
  await page.click(`a[href*="${endpoints.failing}"]`);
  expect(await page.innerText('main')).toContain('consent.granted');
  await page.locator('summary').first().click();
  expect(await page.locator('pre').first().innerText()).toBe('out of order');
});

it('tries a delivery again, replays, pauses and resumes, as events of that operator', async () => {
  const page = await signedIn({ javaScriptEnabled: false });
  await failingPage(page);
  // A delivery that is on its way already is not sent once more, so that none may be.
  await until(async () => (await attemptsNoted()) === received('/500'));
  const before = received('/500');
  await page.locator('button', { hasText: 'Try again now' }).first().click();
  expect(await page.innerText('[role=status]')).toContain('tried again');
  await until(() => received('/500') > before);
  await page.goto(address(`?endpoint=${endpoints.fine}`));
  const once = received('/thanks');
  await page.fill('input[name=since]', '2026-01-01T00:00');
  await page.locator('button', { hasText: 'Send again' }).click();
  expect(await page.innerText('[role=status]')).toContain('sent again');
  await until(() => received('/thanks') > once);
  await page.locator('button', { hasText: 'Pause' }).click();
  expect(await page.innerText('main')).toContain('Paused');
  expect(await page.locator('button', { hasText: 'Send again' }).count()).toBe(0);
  await page.locator('button', { hasText: 'Resume' }).click();
  expect(await page.innerText('main')).toContain('In order');
});

it('is signed out by its button', async () => {
  const page = await signedIn();
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
  await page.locator('button', { hasText: 'Sign out' }).click();
  expect(await page.innerText('h1')).toBe('Sign in');
  expect(await page.context().cookies()).toEqual([]);
  // Nor is whoever kept a copy of the cookie.
  await page.context().addCookies([cookie!]);
  await page.goto(address());
  expect(await page.innerText('h1')).toBe('Sign in');
});

it('takes no form of another site, of another session, or without a session', async () => {
  const page = await signedIn();
  const { name, value } = (await page.context().cookies())[0]!;
  await failingPage(page);
  const formSecret = (await page.locator('input[name=form]').first().getAttribute('value'))!;
  const pause = { form: formSecret, action: 'pause', endpoint: endpoints.failing };
  const post = (fields: Record<string, string>, headers: Record<string, string>): Promise<Response> =>
    fetch(address(), { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields), headers });
  const own = { origin: world.url, cookie: `${name}=${value}` };
  expect((await post(pause, { ...own, origin: 'https://evil.example' })).status).toBe(403);
  expect((await post(pause, { ...own, origin: 'null' })).status).toBe(403);
  expect((await post(pause, { cookie: own.cookie })).status).toBe(403);
  expect((await post(pause, { ...own, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await post({ ...pause, form: 'made-up' }, own)).status).toBe(403);
  expect(await (await post(pause, { origin: world.url })).text()).toContain('Sign in');
  expect(await failingPage(page)).not.toContain('Paused');
  expect((await post(pause, own)).status).toBe(303);
  expect(await failingPage(page)).toContain('Paused');
  await page.locator('button', { hasText: 'Resume' }).click();
});

it('runs nothing, loads nothing, and is kept by nobody', async () => {
  const { headers } = await fetch(address());
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
  );
  expect(headers.get('cache-control')).toBe('no-store');
});

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  it('is accessible, and needs no scrolling sideways on 320 pixels at twice the size of text, from right to left too', async () => {
    const page = await signedIn({ colorScheme, viewport: { width: 320, height: 640 } });
    const look = async (): Promise<void> => {
      expect(await faultsOf(page)).toEqual([]);
      for (const direction of ['ltr', 'rtl']) {
        await page.evaluate(`document.documentElement.dir = '${direction}'`);
        expect(await overflowOf(page, '200%')).toBeLessThanOrEqual(0);
      }
    };
    await look();
    await failingPage(page);
    await look();
    await page.locator('button', { hasText: 'Sign out' }).click();
    await look();
  });
});
