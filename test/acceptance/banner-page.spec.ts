import { faultsOf, startBrowser, type Browsing } from '../support/browser.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let browser: Browsing;
beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld({ own: true }), startBrowser()]);
}, 420_000);
afterEach(() => browser.rest());
afterAll(async () => {
  await browser?.stop();
  await world?.stop();
});

test.each([
  ['?country=DE', 'Your privacy'],
  ['?country=US&region=US-CA', 'Your privacy choices'],
  ['?country=AU', 'What we do with your data'],
  ['?country=DE&locale=de', 'Ihre Privatsphäre'],
])('the page of the demo shows its banner for %s by one line', async (place, title) => {
  const page = await browser.open();
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  await page.goto(`${world.url}/docs/banner${place}`);
  await page.getByRole('region', { name: title }).waitFor();
  expect(await page.locator('script').count()).toBe(1);
  expect(await faultsOf(page)).toEqual([]);
  await page
    .locator('assent-banner')
    .getByRole('button', { name: 'Close' })
    .or(page.getByRole('button', { name: 'Schließen' }))
    .first()
    .click();
  await page.locator('assent-choices-link').getByRole('button').click();
  await page.getByRole('dialog').waitFor();
  expect(faults).toEqual([]);
});

test('texts of the address are texts in the page', async () => {
  const answer = await fetch(`${world.url}/docs/banner?country=%22%3E%3Cscript%3E&locale=%22x`);
  expect(await answer.text()).not.toContain('"><script>');
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

test('it holds no key where the caller is not at the machine of the demo', async () => {
  const answer = await fetch(`${world.url}/docs/banner`, { headers: { 'X-Forwarded-For': '192.0.2.1' } });
  const html = await answer.text();
  expect(html).toContain('needs the keys of the demo');
  expect(html).not.toContain('pk_test_');
});
