import type { Page } from 'playwright-core';
import { startBrowser, type Browsing } from '../support/browser.js';
import { faultsOfScreen, shown, signedInConsole, tokenOf } from '../support/console.js';
import { startWorld, type World } from '../support/world.js';

/** Requests in the console, as those who answer them work with them. */
let world: World;
let browser: Browsing;

const DAY_MS = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

async function opened(type: string, more: object = {}): Promise<string> {
  const { body, text } = await world.request('POST', '/v1/data-requests', {
    key: 'sk',
    body: { subject: world.visitor(), type, jurisdiction: { country: 'DE' }, source: 'EMAIL', ...more },
  });
  if (body.id === undefined) throw new Error(text);
  return body.id as string;
}

beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld(), startBrowser()]);
}, 420_000);
afterAll(async () => {
  await browser?.stop();
  await world?.stop();
});
afterEach(() => browser.rest());

const list = (query = ''): string => `${world.demo.site}/test/requests${query}`;
const card = (id: string): string => `${world.demo.site}/test/requests/${id}`;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const said = (page: Page, sentence: string) => page.locator('.said').getByText(sentence).waitFor();
const state = (page: Page) => page.locator('.top .badge').innerText();
const buttons = (page: Page): Promise<string[]> => page.locator('main button').allInnerTexts();

it('shows the queue: what is due first on top, what is overdue in words, and filters that stand in the address', async () => {
  const late = await opened('ERASURE', { receivedAt: daysAgo(40) });
  const soon = await opened('ACCESS', { receivedAt: daysAgo(27) });
  await opened('OPT_OUT_SALE_SHARE', { jurisdiction: { country: 'US', region: 'US-CA' } });
  await world.caughtUp();
  const { page, messages, open } = await signedInConsole(world, browser);
  await open(list());
  const rows = page.locator('tbody tr');
  expect(await rows.nth(0).innerText()).toMatch(/Erasure[\s\S]*days overdue/);
  expect(await rows.nth(1).innerText()).toMatch(/Access[\s\S]*days? left/);
  expect(await rows.nth(0).getByRole('link').getAttribute('href')).toContain(late);
  await page.locator('nav [aria-current] .n').getByText('2', { exact: true }).waitFor();
  expect(await faultsOfScreen(page)).toEqual([]);
  await page.getByRole('link', { name: 'Show them' }).click();
  await shown(page);
  expect(await rows.count()).toBe(1);
  await page.getByLabel('What is asked').selectOption('ACCESS');
  await page.getByText('None fits what you chose').waitFor();
  expect(new URL(page.url()).search).toBe('?overdue=true&type=ACCESS');
  await open(list('?type=ACCESS&assignee=none'));
  await page.getByRole('link', { name: 'Access' }).click();
  await page.waitForURL(`**/${soon}`);
  expect(messages).toEqual([]);
});

it('lets support confirm, take, note, start, pause and go on, by keyboard, and not decide', async () => {
  const id = await opened('ACCESS', {
    details: 'All since 2024.',
    requester: { type: 'SELF', email: 'ada@example.org' },
    jurisdiction: { country: 'GB' },
  });
  const { page, messages, open } = await signedInConsole(world, browser, { token: await tokenOf(world, 'SUPPORT') });
  await open(card(id));
  expect(await page.locator('main').innerText()).toMatch(/All since 2024[\s\S]*a…@e…\.org/);
  expect(await page.locator('main').innerText()).toContain('by UK GDPR, article 12(3)');
  expect(await buttons(page)).not.toEqual(expect.arrayContaining(['Reject…']));
  await button(page, 'Confirm identity…').press('Enter');
  expect(await dialog(page).innerText()).toContain('your name stays with it');
  expect(await faultsOfScreen(page)).toEqual([]);
  await button(page, 'Confirm identity').press('Enter');
  await said(page, 'Identity confirmed');
  await page.getByText('by an operator').first().waitFor();
  await button(page, 'Assign to me').press('Enter');
  await said(page, 'Assigned');
  await page.getByText('You', { exact: true }).waitFor();
  await page.getByLabel('Write a note').fill('Called back.');
  await button(page, 'Add note').press('Enter');
  await page.locator('article').getByText('Called back.').waitFor();
  await button(page, 'Start work').press('Enter');
  await said(page, 'in progress');
  await button(page, 'Let it wait…').press('Enter');
  expect(await dialog(page).innerText()).toContain('the clock stands still');
  await button(page, 'Let it wait').press('Enter');
  await page.getByText('The clock stands still since').waitFor();
  await button(page, 'Go on').press('Enter');
  await said(page, 'goes on');
  await button(page, 'Extend the period…').press('Enter');
  expect(await dialog(page).innerText()).toContain('Once, by 2 months');
  await page.getByLabel('Reason that the requester reads').fill('Many systems.');
  await button(page, 'Extend the period').press('Enter');
  await page.getByText('and an extension').waitFor();
  expect(await buttons(page)).not.toEqual(expect.arrayContaining(['Complete…', 'Reject…', 'Extend the period…']));
  expect(await faultsOfScreen(page)).toEqual([]);
  expect(messages).toEqual([]);
});

it('lets those who decide complete with the plan before their eyes, and hand out the archive once', async () => {
  const id = await opened('ACCESS');
  const { page, messages, open } = await signedInConsole(world, browser, { token: await tokenOf(world, 'PRIVACY') });
  await open(card(id));
  await button(page, 'Confirm identity…').click();
  await button(page, 'Confirm identity').click();
  await button(page, 'Complete…').click();
  expect(await dialog(page).innerText()).toMatch(/An archive of all that is held[\s\S]*cannot be taken back/);
  await button(page, 'Complete the request').click();
  await said(page, 'completed');
  await page.getByText('An archive was made').waitFor();
  expect(await state(page)).toBe('Completed');
  await button(page, 'Make a link to the archive…').click();
  await button(page, 'Make the link').click();
  expect(await dialog(page).locator('code').innerText()).toMatch(/\/v1\/archive\?token=dat_/);
  expect(await faultsOfScreen(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  expect(await page.content()).not.toContain('dat_');
  expect(messages).toEqual([]);
});

it('shows corrections before and after, and the reason of a rejection', async () => {
  const subject = 'email:old@example.org';
  await world.recorded({ subject }, { key: 'sk' });
  const id = await opened('RECTIFICATION', {
    subject,
    corrections: [{ kind: 'email', value: 'new@example.net', replaces: 'old@example.org' }],
  });
  const { page, open } = await signedInConsole(world, browser, { token: await tokenOf(world, 'PRIVACY') });
  await open(card(id));
  expect(await page.getByRole('table', { name: 'Corrections' }).locator('tbody').innerText()).toMatch(
    /E-mail address\s+o…@e….org\s+n…@e….net/,
  );
  await button(page, 'Reject…').click();
  await page.getByLabel('Legal reason').selectOption('EXCESSIVE');
  await button(page, 'Reject the request').click();
  await said(page, 'rejected');
  await page.getByText('Excessive').first().waitFor();
  expect(await state(page)).toBe('Rejected');
  expect(await buttons(page)).toEqual(['Add note']);
});

it('shows auditors all of it and no act, and those who see no persons that it is not for them', async () => {
  const id = await opened('ERASURE');
  const auditor = await signedInConsole(world, browser, { token: await tokenOf(world, 'AUDITOR') });
  await auditor.open(card(id));
  await auditor.page.getByText('The person is erased for ever').waitFor();
  expect(await buttons(auditor.page)).toEqual([]);
  expect(auditor.messages).toEqual([]);
  await auditor.page.context().clearCookies();
  const viewer = await signedInConsole(world, browser, { token: await tokenOf(world, 'VIEWER') });
  await viewer.open(list());
  await viewer.page.getByText('Not for your role').waitFor();
});
