import type { Page } from 'playwright-core';
import { startBrowser, type Browsing } from '../support/browser.js';
import { inPage, startElementsPages, type ElementsPages, type VisitOptions } from '../support/elements-pages.js';
import { until } from '../support/timing.js';
import { startWorld, type World } from '../support/world.js';

/* What the elements hold back in a page until it is allowed, by the requests and cookies of real snippets’ shapes. */

let world: World;
let browser: Browsing;
let pages: ElementsPages;
beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld({ own: true }), startBrowser()]);
  pages = await startElementsPages(world, browser);
  pages.serves(FILES);
}, 420_000);
afterEach(async () => {
  await browser.rest();
  pages.faults.length = 0;
  pages.asked.length = 0;
});
afterAll(async () => {
  await pages?.stop();
  await browser?.stop();
  await world?.stop();
});

const NOTES = 'window.ran = [...(window.ran ?? []), document.currentScript?.id];';
const FILES = {
  '/analytics.js': `${NOTES} document.cookie = '_stat=1;path=/'; document.cookie = '_other=1;path=/';`,
  '/after.js': NOTES,
  '/ads.js': NOTES,
  '/module.mjs': "window.ran = [...(window.ran ?? []), 'module'];",
  '/pixel.gif': 'GIF89a',
  // Without a file of its own the frame would be the whole page again, with all that the page loads.
  '/video.html': '<!doctype html><title>A video</title>',
};
/** Analytics with a part that needs it, advertising, a module, a pixel and a video. */
const BODY = `<h1>Shop</h1>
<script type="text/plain" data-assent="analytics" id="analytics" src="/analytics.js"></script>
<script type="text/plain" data-assent="analytics" id="inline" nonce="of-the-page">${NOTES}</script>
<script type="text/plain" data-assent="analytics" id="after" src="/after.js"></script>
<script type="text/plain" data-assent="analytics" data-type="module" src="/module.mjs"></script>
<script type="text/plain" data-assent="analytics marketing" id="both" src="/ads.js"></script>
<img alt="" data-assent-any="marketing analytics" data-src="/pixel.gif" id="pixel">
<assent-gate purpose="marketing" once><template><iframe src="/video.html" title="A video" width="320" height="180"></iframe></template></assent-gate>
<assent-choices-link></assent-choices-link>`;

const SNIPPETS = ['/analytics.js', '/after.js', '/ads.js', '/module.mjs', '/pixel.gif', '/video.html'];
const loaded = (): string[] => pages.asked.map((line) => line.split(' ')[1]!).filter((path) => SNIPPETS.includes(path));
const holds = (page: Page, source: string) => until(() => page.evaluate<boolean>(`!!(${source})`));
const press = (page: Page, name: string) =>
  page.locator('assent-banner').getByRole('button', { name, exact: true }).click();
const choices = (page: Page) => page.getByRole('dialog', { name: 'Privacy choices' });
async function visit(options: VisitOptions = {}): Promise<Page> {
  const page = await pages.visit({ body: BODY, ...options });
  await page.getByRole('region', { name: 'Your privacy' }).waitFor();
  return page;
}
/** Only this is allowed. */
async function allow(page: Page, name: string): Promise<void> {
  await press(page, 'Choose');
  await choices(page).getByRole('switch', { name }).check();
  await press(page, 'Save my choices');
}

test('nothing runs before the answer, nor after a refusal', async () => {
  const page = await visit();
  await page.locator('assent-gate').getByRole('button', { name: 'Allow and load' }).waitFor();
  expect([loaded(), await page.evaluate('[window.ran ?? null, document.cookie]')]).toEqual([[], [null, '']]);
  const said = page.evaluate(
    "new Promise((resolve) => addEventListener('assent-choice', () => resolve(true), { once: true }))",
  );
  await press(page, 'Reject all');
  await said;
  expect([loaded(), await page.evaluate('[window.ran ?? null, document.cookie]')]).toEqual([[], [null, '']]);
  expect(pages.faults).toEqual([]);
});

test('what is allowed runs once and in the order of the page, and nothing else does', async () => {
  const page = await visit();
  await allow(page, 'Statistics');
  await holds(page, "window.ran?.includes('module')");
  expect(await page.evaluate('ran')).toEqual(['analytics', 'inline', 'after', 'module']);
  await until(() => loaded().includes('/pixel.gif'));
  expect(loaded()).not.toContain('/ads.js');
  expect(loaded()).not.toContain('/video.html');
  // One that comes later, as of a page that draws itself anew.
  await page.evaluate(`{
    const late = document.createElement('img');
    late.setAttribute('data-assent', 'analytics');
    late.setAttribute('data-src', '/pixel.gif?late');
    document.querySelector('main').append(late);
  }`);
  await until(() => loaded().filter((path) => path === '/pixel.gif').length === 2);
  expect(pages.faults).toEqual([]);
});

test('a withdrawal deletes what the list of cookies names, loads the page once, and nothing runs again', async () => {
  const page = await visit();
  await press(page, 'Accept all');
  await holds(page, "window.ran?.includes('both')");
  await until(() => SNIPPETS.every((path) => loaded().includes(path)));
  expect(await page.evaluate('document.cookie')).toContain('_stat=1');
  pages.asked.length = 0;
  await page.locator('assent-choices-link').getByRole('button').click();
  await press(page, 'Reject all');
  await until(() => pages.asked.includes('GET /'));
  await page.locator('assent-gate').getByRole('button', { name: 'Allow and load' }).waitFor();
  await page.waitForLoadState('networkidle');
  expect([pages.asked.filter((line) => line === 'GET /').length, loaded()]).toEqual([1, []]);
  expect(await page.evaluate('[window.ran ?? null, document.cookie]')).toEqual([null, '_other=1']);
});

test('a frame can be loaded once without an answer, and a refusal takes it away', async () => {
  const page = await visit();
  await page.locator('assent-gate').getByRole('button', { name: 'Load once' }).click();
  await until(() => loaded().includes('/video.html'));
  expect(await page.locator('assent-gate iframe').evaluate(inPage('(frame) => frame.title'))).toBe('A video');
  await press(page, 'Reject all');
  await page.locator('assent-gate iframe').waitFor({ state: 'detached' });
  await page.locator('assent-gate').getByRole('button', { name: 'Load once' }).waitFor();
});

test('the placeholder allows what it names, and the record says where that was', async () => {
  const page = await visit();
  const said = page.evaluate<{ decisions: object; method: string }>(
    "new Promise((resolve) => addEventListener('assent-choice', ({ detail }) => resolve(detail), { once: true }))",
  );
  await page.locator('assent-gate').getByRole('button', { name: 'Allow and load' }).click();
  expect(await said).toMatchObject({ decisions: { marketing: 'GRANTED' }, method: 'TOGGLE' });
  await until(() => loaded().includes('/video.html'));
  expect(loaded()).not.toContain('/analytics.js');
});

test('the placeholder comes when the service can be reached again', async () => {
  let asked = 0;
  const page = await pages.visit({
    body: BODY,
    before: (fresh) =>
      fresh.route('**/v1/purposes/marketing/current?*', (route) => (++asked <= 3 ? route.abort() : route.continue())),
  });
  await page.locator('assent-gate').getByRole('button', { name: 'Allow and load' }).waitFor();
  expect(asked).toBe(4);
});

test('where another tab withdraws, frames go in this one too', async () => {
  const page = await visit({ attributes: { reload: 'never' } });
  await press(page, 'Accept all');
  await page.locator('assent-gate iframe').waitFor();
  const other = await pages.visit({ body: BODY, beside: page, attributes: { reload: 'never' } });
  await other.locator('assent-choices-link').getByRole('button').click();
  await press(other, 'Reject all');
  await page.locator('assent-gate iframe').waitFor({ state: 'detached' });
});
