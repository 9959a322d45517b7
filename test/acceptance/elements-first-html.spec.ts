import type { Page } from 'playwright-core';
import type { BannerManifest } from '../../libs/client/types.js';
import { renderBanner, type Visit } from '../../libs/elements/server/index.js';
import { startBrowser, type Browsing } from '../support/browser.js';
import { startElementsPages, type ElementsPages, type VisitOptions } from '../support/elements-pages.js';
import { until } from '../support/timing.js';
import { startWorld, type World } from '../support/world.js';

/* The banner in the first HTML, as `renderBanner` makes it on a server, in a real browser under a strict policy. */

let world: World;
let browser: Browsing;
let pages: ElementsPages;
let manifest: BannerManifest;
beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld({ own: true }), startBrowser()]);
  pages = await startElementsPages(world, browser);
  const answer = await world.request('GET', '/v1/banner/manifest', { key: world.demo.publicKey });
  manifest = answer.body as unknown as BannerManifest;
  // The address of the tests is not the one under which the service says that it is known.
  manifest = { ...manifest, style: world.url + new URL(manifest.style).pathname };
}, 420_000);
afterEach(async () => {
  await browser.rest();
  pages.faults.length = 0;
});
afterAll(async () => {
  await pages?.stop();
  await browser?.stop();
  await world?.stop();
});

const GERMANY = { country: 'DE', locale: 'en' };
const BODY = '<h1>Shop</h1><p><a href="#more" id="link">More</a></p><assent-choices-link></assent-choices-link>';
/** Opens a page whose server knows where the visitor is. */
const visit = ({ at = GERMANY, ...options }: VisitOptions & { at?: Visit } = {}): Promise<Page> =>
  pages.visit({
    body: BODY,
    first: renderBanner(manifest, at),
    ...options,
    attributes: { country: '', ...options.attributes },
  });
const holds = (page: Page, source: string) => until(() => page.evaluate<boolean>(`!!(${source})`));
const ROOT = "document.querySelector('assent-banner').shadowRoot";
const region = (page: Page) => page.getByRole('region', { name: /privacy|data/i });
const button = (page: Page, name: string) =>
  page.locator('assent-banner .first').getByRole('button', { name, exact: true });
const taken = (page: Page) => holds(page, `${ROOT}.querySelector('.first:not(.rendered)')`);
const chosen = (page: Page): Promise<{ decisions: Record<string, string> }> =>
  page.evaluate(
    "new Promise((resolve) => addEventListener('assent-choice', ({ detail }) => resolve(detail), { once: true }))",
  );
/** Lets nothing of the service through but style sheets, until it is called. */
async function heldBack(page: Page, pattern: string | RegExp): Promise<() => void> {
  let go!: () => void;
  const gone = new Promise<void>((resolve) => (go = resolve));
  await page.route(pattern, async (route) => {
    await gone;
    await route.continue();
  });
  return go;
}

test.each<[string, Visit]>([
  ['asking', GERMANY],
  ['letting object', { country: 'US', region: 'US-CA', locale: 'en' }],
  ['letting object, with the signal', { country: 'US', region: 'US-CA', locale: 'en', gpc: true }],
  ['telling, in another language', { country: 'AU', locale: 'de' }],
])('it is taken over as it is: the page would have drawn the same nodes: %s', async (_, at) => {
  const before = async (page: Page): Promise<void> => {
    if (at.gpc) await page.addInitScript("Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })");
  };
  const NODES = `[...${ROOT}.querySelectorAll('.first, .second')].map((layer) => {
    const copy = layer.cloneNode(true);
    copy.classList.remove('taken');
    return copy.outerHTML.split(/(?=<)/).map((tag) => tag.split(' ').sort().join(' ')).join('');
  })`;
  const attributes = Object.fromEntries(
    Object.entries({ country: at.country, region: at.region, locale: at.locale }).filter(([, value]) => value),
  ) as Record<string, string>;
  const drawn = await visit({ first: '', attributes, before });
  await drawn.locator('assent-banner .first').waitFor();
  const page = await visit({ at, before });
  await page.evaluate(`window.stood = ${ROOT}?.querySelector('.first') ?? null`);
  await taken(page);
  expect(await page.evaluate(`${ROOT}.querySelector('.first').classList.contains('taken')`)).toBe(true);
  expect(await page.evaluate(NODES)).toEqual(await drawn.evaluate(NODES));
  expect(await page.evaluate('document.querySelectorAll("assent-banner").length')).toBe(1);
  expect(pages.faults).toEqual([]);
  // The signal would stay for the next test.
  for (const each of [drawn, page]) await each.context().close();
});

test('it is on the screen before any script, cannot be pressed yet, and nothing flashes or moves when the script comes', async () => {
  let release!: () => void;
  const page = await visit({
    opened: 'commit',
    before: async (page) => {
      release = await heldBack(page, /\/elements\/v1\/.*\.js/);
      await page.addInitScript(`
        window.moved = 0; window.gone = 0;
        new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (moved += value))).observe({ type: 'layout-shift', buffered: true });`);
    },
  });
  await region(page).waitFor();
  expect(await button(page, 'Reject all').isDisabled()).toBe(true);
  const box = await region(page).boundingBox();
  await page.evaluate(`
    window.first = ${ROOT}.querySelector('.first');
    (function look() { if (!first.isConnected || first.getBoundingClientRect().height === 0) gone++; requestAnimationFrame(look); })();`);
  release();
  await taken(page);
  expect(await region(page).boundingBox()).toEqual(box);
  expect(await page.evaluate(`[window.first === ${ROOT}.querySelector('.first'), moved, gone]`)).toEqual([true, 0, 0]);
  const next = chosen(page);
  await button(page, 'Reject all').click();
  expect((await next).decisions).toMatchObject({ analytics: 'DENIED', marketing: 'DENIED' });
  expect(pages.faults).toEqual([]);
});

test('what is pressed as soon as the first script is there counts when the token of what was shown has come', async () => {
  let release!: () => void;
  const page = await visit({
    opened: 'commit',
    before: async (page) => {
      release = await heldBack(page, /\/elements\/v1\/page-/);
    },
  });
  await button(page, 'Accept all').click();
  expect(await page.evaluate(`${ROOT}.querySelector('[data-pressed]')?.dataset.action`)).toBe('ACCEPT_ALL');
  const next = chosen(page);
  release();
  expect((await next).decisions).toMatchObject({ analytics: 'GRANTED' });
  await region(page).waitFor({ state: 'hidden' });
});

test('where something else is shown by now it is drawn anew, and what was pressed does not count', async () => {
  let release!: () => void;
  const old = JSON.parse(
    JSON.stringify(manifest).replaceAll('Your privacy', 'Your privacy of yesterday'),
  ) as BannerManifest;
  const renamed = JSON.parse(JSON.stringify(old).replace(/sha256:[0-9a-f]{4}/g, 'sha256:0000')) as BannerManifest;
  const page = await visit({
    first: renderBanner(renamed, GERMANY),
    opened: 'commit',
    before: async (page) => {
      release = await heldBack(page, /\/elements\/v1\/page-/);
    },
  });
  await page.getByRole('region', { name: 'Your privacy of yesterday' }).waitFor();
  await button(page, 'Accept all').click();
  release();
  await page.getByRole('region', { name: 'Your privacy', exact: true }).waitFor();
  await page.locator('assent-banner .first').getByText('Please choose once more.').waitFor();
  expect(await page.evaluate('Object.keys(localStorage)')).toEqual([]);
  // The browser writes of the answer that is no success.
  expect(pages.faults.filter((fault) => !fault.includes('409'))).toEqual([]);
});

test('a dialog is modal when the script has come, and takes the focus then', async () => {
  const modal = JSON.parse(
    JSON.stringify(manifest).replaceAll('"layout":"BOX"', '"layout":"DIALOG"'),
  ) as BannerManifest;
  const page = await visit({
    first: renderBanner(modal, GERMANY),
    before: (page) =>
      page.route('**/v1/banner?*', async (route) => {
        // The service has a box; what it would answer of a dialog.
        const address = new URL(route.request().url());
        address.searchParams.delete('contentHash');
        const answer = await route.fetch({ url: address.href });
        await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), layout: 'DIALOG' } });
      }),
  });
  await taken(page);
  expect(
    await page.evaluate(`[${ROOT}.querySelector('.first').matches(':modal.taken'), ${ROOT}.activeElement.id]`),
  ).toEqual([true, 'title']);
  expect(pages.faults).toEqual([]);
});

test('once answered, the server hears of it by a cookie and makes no banner; asked anew, it makes one again', async () => {
  const page = await visit();
  const next = chosen(page);
  await button(page, 'Accept all').click();
  await next;
  const cookieOf = async (): Promise<string> =>
    (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const cookie = await cookieOf();
  expect(cookie).toMatch(/^assent-choice=DE:\d+$/);
  expect(renderBanner(manifest, { ...GERMANY, cookie })).toBe('');
  expect(renderBanner(manifest, { ...GERMANY, cookie, now: Date.now() + 400 * 86_400_000 })).not.toBe('');
  expect(renderBanner(manifest, { country: 'FR', locale: 'en', cookie })).not.toBe('');
  const later = await visit({ first: '', beside: page });
  await holds(later, "document.querySelector('assent-choices-link').shadowRoot.querySelector('button:not([hidden])')");
  expect(await region(later).count()).toBe(0);
  // A page whose server did not look at the cookie.
  const again = await visit({ beside: page });
  await holds(again, `${ROOT}.childElementCount === 0`);
  await page.evaluate("document.querySelector('assent-banner').reset()");
  await until(async () => (await cookieOf()) === '');
});
