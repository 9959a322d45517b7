import type { Page } from 'playwright-core';
import { faultsOf, startBrowser, type Browsing } from '../support/browser.js';
import { startElementsPages, type ElementsPages } from '../support/elements-pages.js';
import { startWorld, type World } from '../support/world.js';

/* The panel that the builder of a page sees with `data-debug`. */

let world: World;
let browser: Browsing;
let pages: ElementsPages;
beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld({ own: true }), startBrowser()]);
  pages = await startElementsPages(world, browser);
}, 420_000);
afterEach(() => browser.rest());
afterAll(async () => {
  await pages?.stop();
  await browser?.stop();
  await world?.stop();
});

const BODY = `<h1>Shop</h1>
<script type="text/plain" data-assent="analytics" src="/stats.js?visitor=7"></script>
<assent-gate purpose="marketing"><template><p>Advertising</p></template></assent-gate>`;
const panel = (page: Page) => page.getByRole('complementary', { name: 'Assent, for builders of this page' });
const press = (page: Page, action: string) => page.locator(`assent-banner [data-action=${action}]:visible`).click();

test('it says what is allowed, by which rule, what waits, how the banner looks, and what was recorded', async () => {
  const page = await pages.visit({ attributes: { debug: '' }, body: BODY });
  await page.getByRole('region', { name: 'Your privacy' }).waitFor();
  await panel(page).getByText('Assent').click();
  for (const told of [
    'DE',
    /^OPT_IN, as BOX, version \d+, in en$/,
    '<script src="/stats.js">',
    'waits for analytics',
    '<assent-gate>',
    'waits for marketing',
    /^passed \(\d+(\.\d+)?x\d+/,
    'Counts until',
  ])
    await panel(page).getByText(told, { exact: true }).first().waitFor();
  expect(await faultsOf(page)).toEqual([]);
  const chosen = page.evaluate<string[]>(
    "new Promise((resolve) => addEventListener('assent-choice', ({ detail }) => resolve(detail.records), { once: true }))",
  );
  await press(page, 'ACCEPT_ALL');
  for (const record of await chosen) await panel(page).getByText(record, { exact: true }).waitFor();
  await panel(page)
    .getByText(/^allowed; OPT_IN/)
    .first()
    .waitFor();
});

test('it opens where something is wrong, and says what to do', async () => {
  const page = await pages.visit({
    attributes: { debug: '' },
    before: (page) =>
      page.route('**/v1/banner?*', (route) =>
        route.fulfill({
          status: 403,
          headers: { 'Access-Control-Allow-Origin': '*' },
          json: { code: 'origin_not_allowed', message: 'Not from this origin.', hint: '' },
        }),
      ),
  });
  await panel(page)
    .getByText(`Allow this page: assent sites origins add ${pages.origin} --site <site> --env test`, { exact: true })
    .waitFor();
});

test('without the attribute nothing of it is loaded', async () => {
  const page = await pages.visit();
  await page.getByRole('region', { name: 'Your privacy' }).waitFor();
  expect(await panel(page).count()).toBe(0);
  expect(
    await page.evaluate("performance.getEntriesByType('resource').filter(({ name }) => name.includes('panel'))"),
  ).toEqual([]);
});
