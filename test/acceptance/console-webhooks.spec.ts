import type { Page } from 'playwright-core';
import { startBrowser, type Browsing } from '../support/browser.js';
import { faultsOfScreen, signedInConsole, tokenOf } from '../support/console.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { until } from '../support/timing.js';
import { startWorld, type World } from '../support/world.js';

/** Webhooks in the console: which endpoints need an operator, and all that an operator can do about one. */
let world: World;
let browser: Browsing;
let receiver: Receiver;
const endpoints: Record<'failing' | 'fine', string> = { failing: '', fine: '' };

beforeAll(async () => {
  [world, browser, receiver] = await Promise.all([startWorld(), startBrowser(), startReceiver()]);
  for (const [name, path] of [
    ['failing', '/500'],
    ['fine', '/thanks'],
  ] as const) {
    const { body } = await world.request('POST', '/v1/webhook-endpoints', {
      key: 'sk',
      body: { url: `${receiver.url}${path}`, types: ['consent.*', 'webhook.test'], description: `${name} מחסן <b>` },
    });
    endpoints[name] = body.id as string;
  }
  await world.recorded();
  await until(() => ['/500', '/thanks'].every((path) => received(path) > 0));
}, 420_000);
afterAll(async () => {
  await browser?.stop();
  await world?.stop();
  await receiver?.stop();
});
afterEach(() => browser.rest());

const received = (path: string): number => receiver.received.filter((each) => each.path === path).length;
const list = (env = 'test'): string => `${world.demo.site}/${env}/webhooks`;
const card = (id: string): string => `${list()}/${id}`;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const said = (page: Page, sentence: string) => page.locator('.said').getByText(sentence).waitFor();
const attemptsNoted = async (): Promise<number> => {
  const { body } = await world.request('GET', `/v1/webhook-endpoints/${endpoints.failing}/deliveries`);
  return (body.data as { attempts: unknown[] }[]).reduce((sum, { attempts }) => sum + attempts.length, 0);
};

it('shows every endpoint, those that fail first, and creates one whose secret is shown once', async () => {
  await until(async () => (await attemptsNoted()) > 0);
  const { page, messages, open } = await signedInConsole(world, browser);
  await open(list());
  const rows = page.getByRole('table', { name: 'Endpoints' }).locator('tbody tr');
  expect(await rows.nth(0).innerText()).toMatch(/failing מחסן <b>[\s\S]*\/500[\s\S]*Failing/);
  expect(await rows.nth(1).innerText()).toMatch(/fine[\s\S]*In order/);
  await page.getByText('consent.granted', { exact: true }).click();
  expect(await page.locator('details[open] pre').innerText()).toContain('"type": "consent.granted"');
  expect(await faultsOfScreen(page)).toEqual([]);
  await button(page, 'New endpoint…').press('Enter');
  await page.getByLabel('Address').fill('no address');
  await page.getByLabel('Address').fill(`${receiver.url}/new`);
  await page.getByLabel('What it is for').fill('Warehouse');
  await page.getByLabel('Everything').press('Space');
  await page.getByLabel('All of subject').press('Space');
  expect(await faultsOfScreen(page)).toEqual([]);
  await button(page, 'Create endpoint').press('Enter');
  const secret = await dialog(page).locator('code').innerText();
  expect(secret).toMatch(/^whsec_/);
  await dialog(page).getByRole('button', { name: 'Close' }).last().press('Enter');
  await page.getByRole('link', { name: 'Warehouse' }).waitFor();
  expect(await rows.filter({ hasText: 'Warehouse' }).innerText()).toContain('subject.*');
  expect(await page.content()).not.toContain(secret);
  await page.getByRole('link', { name: 'Warehouse' }).click();
  await button(page, 'Delete…').click();
  expect(await dialog(page).innerText()).toContain('Nothing is sent to Warehouse any more');
  await button(page, 'Delete the endpoint').click();
  await said(page, 'Endpoint deleted');
  await page.waitForURL(`**/${list()}`);
  expect(messages).toEqual([]);
});

it('shows each attempt with its answer, and tries a delivery again', async () => {
  const { page, messages, open } = await signedInConsole(world, browser);
  // A delivery that is on its way already is not sent once more, so that none may be.
  await until(async () => (await attemptsNoted()) === received('/500'));
  await open(card(endpoints.failing));
  expect(await page.locator('main').innerText()).toMatch(/failures? (in a row, )?since|failure, since/);
  await page.locator('.delivery summary').first().click();
  expect(await page.locator('.delivery pre').first().innerText()).toBe('out of order');
  expect(await faultsOfScreen(page)).toEqual([]);
  const before = received('/500');
  await page
    .getByRole('button', { name: /^Try again now/ })
    .first()
    .click();
  await said(page, 'tried again');
  await until(() => received('/500') > before);
  expect(messages).toEqual([]);
});

it('tests, sends again, pauses, resumes, changes and gives a new secret, as that operator', async () => {
  const token = await tokenOf(world, 'DEVELOPER');
  const { page, messages, open } = await signedInConsole(world, browser, { token });
  await open(card(endpoints.fine));
  let before = received('/thanks');
  await button(page, 'Send a test').click();
  await said(page, 'on its way');
  await until(() => received('/thanks') > before);
  before = received('/thanks');
  await button(page, 'Send again…').click();
  await page.getByLabel('Since').fill('2026-01-01T00:00');
  await button(page, 'Send again').click();
  await said(page, 'sent again');
  await until(() => received('/thanks') > before);
  await button(page, 'Pause…').click();
  expect(await dialog(page).innerText()).toContain('kept and sent then');
  await button(page, 'Pause the endpoint').click();
  await page.locator('.top').getByText('Paused').waitFor();
  expect(await button(page, 'Send again…').count()).toBe(0);
  await button(page, 'Resume').click();
  await said(page, 'what it missed');
  await button(page, 'Change…').click();
  await page.getByLabel('What it is for').fill('Mailing');
  await button(page, 'Save').click();
  await page.getByRole('heading', { level: 1, name: 'Mailing' }).waitFor();
  await button(page, 'New secret…').click();
  expect(await dialog(page).innerText()).toContain('For 24 hours the old and the new secret both sign');
  await button(page, 'Make a new secret').click();
  expect(await dialog(page).locator('code').innerText()).toMatch(/^whsec_/);
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  await page.getByText('The secret before it signs as well').waitFor();
  expect(messages).toEqual([]);
});

it('shows developers the endpoints of production and auditors those of both, and no act', async () => {
  const auditor = await signedInConsole(world, browser, { token: await tokenOf(world, 'AUDITOR') });
  await auditor.open(card(endpoints.fine));
  expect(await auditor.page.locator('main button').allInnerTexts()).toEqual(['Look again']);
  await auditor.page.context().clearCookies();
  const developer = await signedInConsole(world, browser, { token: await tokenOf(world, 'DEVELOPER') });
  await developer.open(list('live'));
  await developer.page.getByText('No endpoint yet').waitFor();
  expect(await button(developer.page, 'New endpoint…').count()).toBe(0);
  expect([...auditor.messages, ...developer.messages]).toEqual([]);
});
