import { parse } from 'yaml';
import { startBrowser, type Browsing } from '../support/browser.js';
import { faultsOfScreen, shown, signedInConsole, tokenOf } from '../support/console.js';
import { startWorld, type World } from '../support/world.js';

/** Purposes, texts and drafts as operators meet them in the console. */
let world: World;
let browser: Browsing;
let screen: (name: string) => string;

beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld(), startBrowser()]);
  screen = (name) => `${world.demo.site}/test/${name}`;
}, 420_000);
afterAll(async () => {
  await browser?.stop();
  await world?.stop();
});
afterEach(() => browser.rest());

const admin = async (method: string, path: string, body?: object): Promise<void> => {
  const { status, text } = await world.request(method, `/admin/v1/sites/${world.demo.site}/test/${path}`, {
    key: 'operator',
    ...(body && { body }),
  });
  if (status >= 300) throw new Error(text);
};
const writeIn = (owner: 'CONSOLE' | 'FILES'): Promise<void> =>
  admin('PATCH', 'catalogue/settings', { owner, approval: owner === 'CONSOLE' ? 'FOUR_EYES' : 'NONE' });

test('a text is changed by an editor and published by another operator, who reads word by word what differs', async () => {
  await writeIn('CONSOLE');
  const { body } = await world.request('POST', '/v1/subjects', {
    key: 'sk',
    body: { identifiers: [{ kind: 'email', value: 'ann@example.com' }] },
  });
  await world.recorded(
    { subject: `subject:${body.id as string}`, jurisdiction: { country: 'DE', source: 'DECLARED' } },
    { key: 'sk' },
  );
  await world.caughtUp();

  const editor = await signedInConsole(world, browser, { token: await tokenOf(world, 'EDITOR') });
  await editor.open(screen('purposes'));
  expect(await faultsOfScreen(editor.page)).toEqual([]);
  await editor.page.getByRole('link', { name: 'Statistics' }).last().click();
  await shown(editor.page);
  await editor.page.getByRole('button', { name: 'Change' }).click();
  await editor.page.getByLabel('Description').fill('Counts visits, and how long pages are read.');
  await editor.page.getByLabel('What changes').fill('The time is counted, too.');
  await editor.page.getByText('The whole file').click();
  expect(await editor.page.getByLabel('The file').inputValue()).toContain('how long pages are read');
  expect(await faultsOfScreen(editor.page)).toEqual([]);
  await editor.page.getByRole('button', { name: 'Save in the draft' }).click();
  await editor.page.getByText('waits for approval').waitFor();
  await editor.page.getByRole('link', { name: 'Look at the draft' }).click();
  await editor.page.getByText('Drafts need four eyes here').waitFor();
  await editor.page.getByText('Saved last by you').waitFor();
  expect(await editor.page.getByRole('button', { name: /^(Publish|Approve and publish)$/ }).count()).toBe(0);
  expect(editor.messages).toEqual([]);
  await browser.rest();

  const { page, messages, open } = await signedInConsole(world, browser, { token: await tokenOf(world, 'PRIVACY') });
  await open(screen('purposes?view=draft'));
  const differs = page.locator('.field-diffs li', { hasText: 'translations.en.description' });
  await differs.locator('del').first().waitFor();
  await differs.locator('ins', { hasText: 'how long' }).first().waitFor();
  await page.getByRole('button', { name: 'Count', exact: true }).click();
  await page.getByText('1 answer is asked for again.').waitFor();
  expect(await page.getByRole('row', { name: /Germany/ }).innerText()).toMatch(/Germany\s+1/);
  expect(await faultsOfScreen(page)).toEqual([]);
  await page.getByRole('button', { name: 'Approve and publish' }).press('Enter');
  const dialog = page.getByRole('dialog');
  expect(await dialog.innerText()).toContain('all who agreed before are asked again');
  expect(await dialog.innerText()).toContain('Four eyes');
  expect(await faultsOfScreen(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Publish' }).press('Enter');
  await page.getByText('Version 2 is published.').waitFor();

  await open(screen('purposes?view=versions'));
  await page.getByRole('button', { name: 'What changed version 2' }).press('Enter');
  await page.locator('.version ins').first().waitFor();
  expect(await faultsOfScreen(page)).toEqual([]);
  await open(screen('purposes/analytics'));
  await page.getByText('version 2: The time is counted, too.').waitFor();
  expect(await page.getByText('All who agreed to an earlier version are asked again').isVisible()).toBe(true);
  await page.locator('.compared ins').first().waitFor();
  expect(await page.locator('.compared', { hasText: 'German' }).innerText()).toContain('The words are the same.');
  expect(await faultsOfScreen(page)).toEqual([]);
  expect(messages).toEqual([]);
});

test('where files own the catalogue, a change is simulated and copied as YAML', async () => {
  await writeIn('FILES');
  const { page, messages, open } = await signedInConsole(world, browser, {
    permissions: ['clipboard-read', 'clipboard-write'],
    colorScheme: 'dark',
  });
  await open(screen('purposes/marketing?edit'));
  const text = 'Shows "advertising": what fits, and — perhaps — more.\nAlways: no # tricks.';
  await page.getByLabel('Description').fill(text);
  await page.getByLabel('Who is asked again').selectOption({ label: 'no one is asked again' });
  await page.getByText('Whom this would concern').click();
  await page.getByRole('button', { name: 'Count', exact: true }).click();
  await page.getByText('Nothing changes for any of them.').waitFor();
  await page.getByRole('button', { name: 'Save in the draft' }).click();
  await page.getByRole('link', { name: 'Look at the draft' }).click();
  await page.getByText('Files own this catalogue.').waitFor();
  await page.getByRole('button', { name: 'Copy purposes/marketing.yaml' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = parse(await page.evaluate<string>('navigator.clipboard.readText()')) as object;
  expect(copied).toMatchObject({
    key: 'marketing',
    translations: { en: { description: text } },
    change: { kind: 'EDITORIAL' },
  });
  await admin('POST', 'catalogue', { purposes: [copied], dryRun: true });
  expect(await faultsOfScreen(page)).toEqual([]);
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await page.getByText('No draft waits').waitFor();
  expect(messages).toEqual([]);
});

test('a new purpose says what it lacks until it is whole', async () => {
  await writeIn('CONSOLE');
  const { page, messages, open } = await signedInConsole(world, browser);
  await open(screen('purposes'));
  await page.getByRole('button', { name: 'New purpose' }).click();
  await page.getByLabel('Key').fill('surveys');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'surveys' }).waitFor();
  await page.getByText('not finished', { exact: true }).waitFor();
  await page.getByLabel('Name').fill('Surveys');
  await page.getByLabel('Description').fill('Asks you how you liked it.');
  await page.getByRole('button', { name: 'Save in the draft' }).click();
  await page.locator('.issues li', { hasText: 'controller' }).first().waitFor();
  expect(await faultsOfScreen(page)).toEqual([]);
  expect(messages).toEqual([]);
});

test('a viewer looks and changes nothing', async () => {
  const { page, messages, open } = await signedInConsole(world, browser, {
    token: await tokenOf(world, 'VIEWER'),
    viewport: { width: 375, height: 700 },
  });
  await open(screen('purposes'));
  expect(await page.getByRole('button', { name: 'New purpose' }).count()).toBe(0);
  await open(screen('purposes/analytics'));
  expect(await page.getByRole('button', { name: 'Change' }).count()).toBe(0);
  expect(await faultsOfScreen(page)).toEqual([]);
  expect(messages).toEqual([]);
});

test('a banner is shown by the published element as it is written, measured, and records nothing', async () => {
  const { page, messages, open } = await signedInConsole(world, browser);
  const records: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/v1/')) records.push(request.url());
  });
  await open(screen('banner'));
  const frame = page.frameLocator('iframe.preview');
  await page.locator('.checks li', { hasText: 'equal size' }).getByText('kept').waitFor();
  await page.getByLabel('Form', { exact: true }).selectOption({ label: 'a dialog over the page' });
  await frame.locator('dialog.first[open]').waitFor();
  await page.getByLabel('Title').fill('May we');
  await page.getByLabel('Title').press('End');
  await page.keyboard.type(' count?');
  await frame.getByRole('heading', { name: 'May we count?' }).waitFor();
  expect(await page.getByLabel('Title').inputValue()).toBe('May we count?');
  expect(await frame.locator('html').getAttribute('lang')).toBe('en');
  await page.getByLabel('Another place').fill('US-CA');
  await page.getByText('people may object (').waitFor();
  await page.getByRole('button', { name: 'dark', exact: true }).click();
  await frame.locator('html[data-scheme=dark]').waitFor();
  await frame.getByRole('button', { name: 'Understood' }).press('Enter');
  await page.getByText('this preview records nothing').waitFor();
  // Before axe, which asks every frame, and whose question the sandboxed one cannot hear.
  expect(messages).toEqual([]);
  expect(await faultsOfScreen(page)).toEqual([]);
  expect(records).toEqual([]);
});

test('the frame of the preview is sandboxed by itself, and only the console may frame it', async () => {
  const { headers, status } = await world.request('GET', '/console/preview', { key: null });
  expect(status).toBe(200);
  expect(headers['content-security-policy']).toMatch(/^sandbox allow-scripts; default-src 'none'; script-src 'self';/);
  expect(headers['content-security-policy']).toContain("frame-ancestors 'self'");
});
