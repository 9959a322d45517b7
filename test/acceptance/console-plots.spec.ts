import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { startBrowser, type Browsing } from '../support/browser.js';
import { faultsOfScreen, shown, signedInConsole, tokenOf } from '../support/console.js';
import { startWorld, type World } from '../support/world.js';

/** Overview and statistics: what operators read in them, as picture, sentence, table and file. */
let world: World;
let browser: Browsing;

beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld(), startBrowser()]);
  await counted();
}, 420_000);
afterAll(async () => {
  await browser?.stop();
  await world?.stop();
});
afterEach(() => browser.rest());

/** Decisions that are enough to be shown, and of marketing too few; one request. */
async function counted(): Promise<void> {
  const said = (times: number, purpose: string, decision: string) =>
    Array.from({ length: times }, () => ({
      subject: world.visitor(),
      purpose,
      decision,
      collection: { method: 'ACCEPT_ALL', surface: 'BANNER', locale: 'en' },
      jurisdiction: { country: 'DE', source: 'DETECTED' },
    }));
  const records = [
    ...said(40, 'analytics', 'GRANTED'),
    ...said(20, 'analytics', 'DENIED'),
    ...said(3, 'marketing', 'GRANTED'),
  ];
  const { body, headers } = await world.request('POST', '/v1/consent/batch', { key: 'sk', body: { records } });
  expect(body.summary).toMatchObject({ recorded: records.length });
  const asked = await world.request('GET', '/v1/statistics/consent?purpose=analytics', {
    key: 'sk',
    headers: { 'X-Log-Position': String(headers['x-log-position']) },
  });
  expect(asked.status).toBe(200);
}

const screen = (name: string): string => `${world.demo.site}/test/${name}`;
const plot = (page: Page, name: string) => page.getByRole('figure').filter({ has: page.getByRole('img', { name }) });

/** The content of the file that a plot is saved as. */
async function savedFrom(page: Page, name: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    plot(page, name).getByRole('button', { name: 'Save as CSV' }).press('Enter'),
  ]);
  return readFileSync(await download.path(), 'utf8');
}

describe('the overview', () => {
  it('says how people answer, in a picture, a sentence, a table and a file', async () => {
    const { page, messages, open } = await signedInConsole(world, browser);
    await open(screen('overview'));
    await page.getByRole('img', { name: 'Answers to the banner' }).waitFor();
    expect(await page.title()).toBe('Overview · Assent');
    expect(await page.locator('figcaption').innerText()).toContain('66.7% of 60 answers agreed to “Statistics”');
    expect(await page.locator('.stats').innerText()).toContain('Open requests');
    await page.getByText('Show as a table').press('Enter');
    const table = page.getByRole('table', { name: 'Answers to the banner' });
    expect((await table.getByRole('row').last().innerText()).split(/\s+/)).toEqual(
      expect.arrayContaining(['66.7%', '33.3%']),
    );
    const lines = (await savedFrom(page, 'Answers to the banner')).trim().split('\r\n');
    expect(lines[0]).toContain('Week,Agreed,Refused');
    expect(lines.at(-1)).toMatch(/^\d{4}-\d\d-\d\d,0\.6667,0\.333\d*/);
    expect(await faultsOfScreen(page)).toEqual([]);
    expect(messages).toEqual([]);
  });

  it('keeps the purpose that is chosen in the address, and says that few answers are hidden', async () => {
    const { page, messages, open } = await signedInConsole(world, browser);
    await open(screen('overview'));
    await page.getByLabel('Purpose').selectOption({ label: 'Advertising' });
    await page.getByText('Too few to show').waitFor();
    expect(new URL(page.url()).search).toBe('?purpose=marketing');
    await page.reload();
    await shown(page);
    await page.getByText('Too few to show').waitFor();
    expect(await faultsOfScreen(page)).toEqual([]);
    expect(messages).toEqual([]);
  });

  it('draws no way to requests for a role that may not see them', async () => {
    const { body } = await world.request('POST', `/admin/v1/sites/${world.demo.site}/test/data-requests`, {
      key: 'operator',
      body: { subject: world.visitor(), type: 'ACCESS', source: 'EMAIL' },
    });
    expect(body.id).toBeDefined();
    const { page, open } = await signedInConsole(world, browser, { token: await tokenOf(world, 'VIEWER') });
    await open(screen('overview'));
    expect(await page.locator('.stats').innerText()).toContain('Open requests');
    expect(await page.locator('.stats').getByRole('link').count()).toBe(0);
    await page.getByText('Nothing at the moment').waitFor();
  });
});

describe('statistics', () => {
  it('say who agrees, over time and by country, in plots that are tables and files, too', async () => {
    const { page, messages, open } = await signedInConsole(world, browser);
    await open(`${screen('statistics')}?purpose=analytics`);
    const agree = plot(page, 'Who agrees');
    await agree.first().waitFor();
    expect(await agree.first().locator('figcaption').innerText()).toBe('66.7% of 60 answers were yes.');
    const split = plot(page, 'Who agrees, by Country');
    await split.getByText('Show as a table').press('Enter');
    expect(await split.getByRole('table').innerText()).toMatch(/Germany\s+66.7%\s+60/);
    expect(await savedFrom(page, 'Who agrees, by Country')).toContain('DE,0.6666666666666666,60');
    expect(await faultsOfScreen(page)).toEqual([]);
    expect(messages).toEqual([]);
  });

  it('keep what was chosen in the address, by keyboard', async () => {
    const { page, messages, open } = await signedInConsole(world, browser, { token: await tokenOf(world, 'VIEWER') });
    await open(screen('statistics'));
    await page.getByRole('button', { name: 'A year' }).press('Enter');
    await page.getByRole('button', { name: 'Banner version' }).press('Space');
    await page.getByRole('button', { name: 'Month', pressed: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?range=365&by=month&split=bannerVersion');
    await page.reload();
    await shown(page);
    await page.getByRole('button', { name: 'Banner version', pressed: true }).waitFor();
    expect(messages).toEqual([]);
  });
});
