import { mkdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { faultsOf, startBrowser, type Browsing } from '../support/browser.js';
import { startElementsPages, type ElementsPages, type VisitOptions } from '../support/elements-pages.js';
import { until } from '../support/timing.js';
import { startWorld, type World } from '../support/world.js';

/* What people see of IAB TCF in the banner, and what comes of it. The vendors are those of the demo, on the synthetic list. */

let world: World;
let browser: Browsing;
let pages: ElementsPages;
beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld({ own: true }), startBrowser()]);
  pages = await startElementsPages(world, browser);
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

async function visit(options: VisitOptions = {}): Promise<Page> {
  const page = await pages.visit({
    body: '<h1>Shop</h1><assent-choices-link></assent-choices-link>',
    ...options,
    attributes: { tcf: 'on', reload: 'never', ...options.attributes },
  });
  await page.locator('assent-banner section').waitFor();
  return page;
}
const press = (page: Page, name: string) =>
  page.locator('assent-banner').getByRole('button', { name, exact: true }).click();
const choices = (page: Page) => page.getByRole('dialog');
const open = (page: Page, title: string | RegExp) =>
  choices(page).locator('summary').filter({ hasText: title }).first().click();
const chosen = (page: Page) =>
  page.evaluate<{ method: string }>(
    "new Promise((resolve) => addEventListener('assent-choice', ({ detail }) => resolve(detail), { once: true }))",
  );
const tcData = (page: Page) =>
  page.evaluate<{ vendor: { consents: Record<string, boolean>; disclosedVendors: Record<string, boolean> } }>(
    "new Promise((resolve) => __tcfapi('getTCData', 2, resolve))",
  );
/** Vendors that records of this browser’s visitor decided about, the oldest first. */
async function decided(page: Page): Promise<unknown[]> {
  const visitor = await page.evaluate<string>(
    `localStorage[Object.keys(localStorage).find((name) => name.endsWith('.visitor'))]`,
  );
  const path = `/v1/subjects/${encodeURIComponent(`visitor_id:${visitor}`)}/consent/history`;
  const { body } = await world.request('GET', path, { key: 'sk' });
  return (body.data as { vendors?: unknown[] }[]).toReversed().flatMap(({ vendors = [] }) => vendors);
}
const pictured = async (page: Page, name: string): Promise<void> => {
  const folder = process.env['PICTURES'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png` });
};

test('the first layer says by how many and what for, in the words of the list, and how to say no', async () => {
  const page = await visit();
  const words = await page.locator('assent-banner #body').innerText();
  expect(words).toContain('We and 4 partners');
  // Purposes 1 and 8 of TCF, for which purposes of the site stand.
  expect(words).toContain('Keep or read something on a device');
  expect(words).toContain('Measure content');
  expect(words).toContain('legitimate interest');
  expect(words).toContain('change your mind at any time');
  expect(await faultsOf(page)).toEqual([]);
  expect(pages.faults).toEqual([]);
  await pictured(page, 'first');
});

test('all of it takes at most 6 kB gzipped more, in files that a page without it does not load', async () => {
  const loaded = async (attributes: Readonly<Record<string, string>>): Promise<Map<string, number>> => {
    const answers: Promise<[string, number]>[] = [];
    const page = await visit({
      attributes,
      before: async (page) =>
        page.on('response', (answer) => {
          const { pathname } = new URL(answer.url());
          if (pathname.startsWith('/elements/'))
            answers.push(answer.body().then((body) => [pathname, gzipSync(body, { level: 9 }).length]));
        }),
    });
    // What every page loads once it is at rest, it may load at any moment: seen in both, it is no part of the difference.
    await page.waitForLoadState('networkidle');
    return new Map(await Promise.all(answers));
  };
  const without = await loaded({ tcf: 'off' });
  const more = [...(await loaded({}))].filter(([path]) => !without.has(path));
  console.info(
    `TCF: ${more.map(([path, size]) => `${path.replace(/.*\/|-.*/g, '')} ${size}`).join(', ')} bytes gzipped`,
  );
  expect(more.length).toBeGreaterThan(0);
  expect(more.reduce((sum, [, size]) => sum + size, 0)).toBeLessThanOrEqual(6144);
});

test('the second layer shows what a purpose stands for, what is no choice, and every vendor with what it declares', async () => {
  const page = await visit();
  await press(page, '4 partners');
  expect(await page.evaluate("document.querySelector('assent-banner').shadowRoot.activeElement.textContent")).toBe(
    '4 partners',
  );
  await open(page, 'Demo Statistics Ltd');
  const vendor = choices(page).locator('details details').filter({ hasText: 'Demo Statistics Ltd' });
  const said = await vendor.innerText();
  for (const words of [
    'With your consent',
    'Keep or read something on a device (kept 90 days)',
    'By legitimate interest',
    'Measure content (kept 90 days)',
    'Cookies, for at most 90 days.',
    'Addresses on the network',
  ])
    expect(said).toContain(words);
  expect(await vendor.getByRole('link').allInnerTexts()).toEqual([
    'Privacy policy',
    'Its legitimate interest',
    'What it keeps on the device',
  ]);
  const sections = choices(page).locator('li.tcf');
  const [special, features] = [sections.nth(0), sections.nth(1)];
  expect(await special.innerText()).toMatch(/Special purposes\s+Always on\s+Safety, fraud and faults/);
  expect(await features.innerText()).toMatch(/Features\s+Partners may process data in these ways/);
  for (const locked of [special, features]) expect(await locked.locator('input').count()).toBe(0);
  await open(page, /IAB TCF \(4\)/);
  const standsFor = choices(page).locator('li > details').filter({ hasText: 'IAB TCF (4)' });
  expect(await standsFor.innerText()).toMatch(/Partners that ask for consent: \d/);
  expect(await choices(page).locator('input:checked').count()).toBe(0);
  expect(await faultsOf(page)).toEqual([]);
  expect(pages.faults).toEqual([]);
  await pictured(page, 'second');
});

test('a vendor that is refused has nothing, though the purposes are allowed, until everything is accepted', async () => {
  const page = await visit();
  await press(page, '4 partners');
  await open(page, 'Demo Ads Inc');
  await choices(page).getByRole('switch', { name: 'Refuse Demo Ads Inc' }).check();
  for (const name of ['Statistics', 'Advertising'])
    await choices(page).getByRole('switch', { name, exact: true }).check();
  const saved = chosen(page);
  await press(page, 'Save my choices');
  expect(await saved).toMatchObject({ method: 'SAVE_CHOICES' });
  await until(async () => (await tcData(page)).vendor.consents['755'] === true);
  expect((await tcData(page)).vendor).toMatchObject({
    consents: { 131: true, 755: true },
    disclosedVendors: { 42: true, 131: true, 755: true, 793: true },
  });
  expect((await tcData(page)).vendor.consents['793'] ?? false).toBe(false);
  expect(await decided(page)).toEqual([expect.objectContaining({ framework: 'TCF', id: 793, decision: 'DENIED' })]);

  const back = page.locator('assent-choices-link').getByRole('button');
  await back.click();
  await open(page, '4 partners');
  await open(page, 'Demo Ads Inc');
  expect(await choices(page).getByRole('switch', { name: 'Refuse Demo Ads Inc' }).isChecked()).toBe(true);
  const accepted = chosen(page);
  await press(page, 'Accept all');
  await accepted;
  await until(async () => (await tcData(page)).vendor.consents['793'] === true);
  expect(await decided(page)).toHaveLength(2);
});

test('is read at 320 px and in the language of the page, and is not there where TCF is not used', async () => {
  const page = await visit({ lang: 'de', context: { viewport: { width: 320, height: 568 } } });
  expect(await page.locator('assent-banner #body').innerText()).toContain('Wir und 4 Partner');
  await press(page, '4 Partner');
  await open(page, 'Demo Ads Inc');
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  const [inside, shown] = await page.evaluate<[number, number]>(
    "(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector('assent-banner').shadowRoot.querySelector('.second ul'))",
  );
  expect(inside).toBeLessThanOrEqual(shown);
  await pictured(page, 'phone');
  const other = await visit({ attributes: { country: 'US', region: 'US-CA' } });
  expect(await other.locator('assent-banner .tcf').count()).toBe(0);
});
