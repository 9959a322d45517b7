import type { Page } from 'playwright-core';
import { startBrowser, type Browsing } from '../support/browser.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let browser: Browsing;
beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld(), startBrowser()]);
}, 420_000);
afterEach(() => browser.rest());
afterAll(async () => {
  await browser?.stop();
  await world?.stop();
});

async function opened(path: string, javaScriptEnabled = true): Promise<Page> {
  const page = await browser.open({ javaScriptEnabled });
  await page.goto(`${world.url}${path}`);
  return page;
}
const addressOf = (page: Page): string => page.url().slice(world.url.length);

it('searches while a person types, by the keyboard alone, and loads the index only then', async () => {
  const page = await opened('/docs/guides/concepts');
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await page.keyboard.press('/');
  expect(loaded).toEqual([]);
  await page.keyboard.type('rotate the master key');
  await page.locator('.hits a').first().waitFor();
  expect(new Set(loaded)).toEqual(new Set(['/docs/search/index.json']));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  await page.locator('.hits').waitFor({ state: 'hidden' });
  expect(await page.evaluate('document.activeElement.name')).toBe('q');
  await page.keyboard.type('s');
  await page.keyboard.press('Backspace');
  await page.locator('.hits a').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/guides/keys#rotate-the-master-key');
});

it('searches without scripts, by the page of hits', async () => {
  const page = await opened('/docs/reference', false);
  await page.getByRole('searchbox').fill('rotate the master key');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Rotate the master key', exact: true }).click();
  expect(addressOf(page)).toBe('/docs/guides/keys#rotate-the-master-key');
});

it('filters the operations, and the law by the name of a place', async () => {
  const operations = await opened('/docs/reference');
  await operations.getByLabel('Filter the operations').fill('rotate webhook');
  await operations.getByText('2 are left.').waitFor();
  const shown = operations.locator('li[data-filtered]:visible code');
  expect((await shown.allTextContents()).every((path) => path.endsWith('/rotate-secret'))).toBe(true);
  expect(await operations.locator('section[data-filtered]:visible').count()).toBe(2);

  const law = await opened('/docs/policy');
  await law.getByLabel('Find a place by its name').fill('germ');
  await law.getByText('One is left.').waitFor();
  const germany = law.locator('#DE');
  await germany.locator('summary').first().click();
  await germany.getByText('Nothing happens without asking').waitFor();
  expect(await germany.getByText('art. 6, 7').isVisible()).toBe(false);
  await germany.getByText('Sources').click();
  await germany.getByText('art. 6, 7').waitFor();
});

it('copies a listing as it stands, without its colours', async () => {
  const page = await opened('/docs/guides/getting-started');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const listing = page.locator('.code').filter({ hasText: 'mktemp' }).first();
  await listing.getByRole('button').click();
  await listing.getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await listing.locator('code').textContent());
});

it('shows all pages at the side where there is room, and folds them on a phone', async () => {
  const page = await opened('/docs/guides/keys');
  const [link, summary] = [page.locator('.pages a[aria-current]'), page.locator('.pages .fold > summary')];
  expect([await link.isVisible(), await summary.isVisible()]).toEqual([true, false]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect([await link.isVisible(), await summary.isVisible()]).toEqual([false, true]);
  await summary.click();
  await link.waitFor();
});
