import type { Page } from 'playwright-core';
import { startBrowser, type Browsing } from '../support/browser.js';
import { faultsOfScreen, shown, signedInConsole, tokenOf } from '../support/console.js';
import { startWorld, type World } from '../support/world.js';

/** What operators do for the installation itself: keys, settings, proof, system, operators, journal. */
let world: World;
let browser: Browsing;
let here: string;

beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld(), startBrowser()]);
  here = `${world.demo.site}/test`;
}, 420_000);
afterAll(async () => {
  await browser?.stop();
  await world?.stop();
});
afterEach(() => browser.rest());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.locator('dialog[open]');
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
/** What a page says of itself where it says what an act has led to. */
const said = (page: Page, text: string | RegExp) => page.getByRole('status').getByText(text).waitFor();

async function grant(): Promise<string> {
  const { body } = await world.request('POST', '/v1/consent', {
    key: 'sk',
    body: { subject: 'user_id:proof', purpose: 'analytics', decision: 'GRANTED' },
  });
  await world.caughtUp();
  return body.receiptId as string;
}

describe('keys', () => {
  it('issues a key with keys alone, shows it once, and it works', async () => {
    const { page, messages, open } = await signedInConsole(world, browser);
    await open(`${here}/keys`);
    await button(page, 'Issue a key').focus();
    await page.keyboard.press('Enter');
    await dialog(page).getByLabel('Name').focus();
    await page.keyboard.type('till');
    await page.keyboard.press('Enter');
    const key = await dialog(page).locator('.secret').innerText();
    expect((await world.request('GET', '/v1/purposes', { key })).status).toBe(200);
    expect(await faultsOfScreen(page)).toEqual([]);
    await button(page, 'I have kept it').press('Enter');
    await row(page, 'till')
      .getByText(`sk_test_…${key.slice(-4)}`)
      .waitFor();
    expect(await page.content()).not.toContain(key);
    expect(page.url()).not.toContain(key);
    expect(messages).toEqual([]);
  });

  it('rotates with an overlap and revokes, each after saying what follows', async () => {
    const { page, messages, open } = await signedInConsole(world, browser);
    await open(`${here}/keys`);
    await row(page, 'till').getByRole('button', { name: 'Rotate' }).click();
    await dialog(page).getByText('goes on working for a while').waitFor();
    await dialog(page).getByLabel('The old key works for').selectOption({ label: '7 days' });
    await button(page, 'Rotate the key').click();
    const key = await dialog(page).locator('.secret').innerText();
    await button(page, 'I have kept it').click();
    await row(page, 'Being replaced').getByText('in 7 days').waitFor();
    await row(page, key.slice(-4)).getByRole('button', { name: 'Revoke' }).click();
    await dialog(page).getByText('within five seconds').waitFor();
    await dialog(page).getByLabel('Reason').fill('try');
    await button(page, 'Revoke the key').click();
    await said(page, '“till” was revoked');
    await row(page, key.slice(-4)).waitFor({ state: 'detached' });
    await button(page, 'Revoked').click();
    await row(page, key.slice(-4)).waitFor();
    expect(await faultsOfScreen(page)).toEqual([]);
    expect(messages).toEqual([]);
  });

  it('allows an origin and takes it back, and shows what the service refuses at the field', async () => {
    const { page, open } = await signedInConsole(world, browser);
    await open(`${here}/keys`);
    await button(page, 'Allow an origin').click();
    await dialog(page).getByLabel('Allowed origins').fill('shop.example/path');
    await button(page, 'Allow').click();
    await dialog(page).getByRole('alert').waitFor();
    await dialog(page).getByLabel('Allowed origins').fill('https://till.example');
    await button(page, 'Allow').click();
    const origin = page.getByRole('listitem').filter({ hasText: 'https://till.example' });
    await origin.getByRole('button', { name: 'Remove' }).click();
    await button(page, 'Remove the origin').click();
    await origin.waitFor({ state: 'detached' });
  });

  it('lets developers change keys of test, and only look at those of live', async () => {
    const { page, open } = await signedInConsole(world, browser, { token: await tokenOf(world, 'DEVELOPER') });
    await open(`${here}/keys`);
    await button(page, 'Issue a key').waitFor();
    await open(`${world.demo.site}/live/keys`);
    await page.getByText('only to look at for a developer').waitFor();
    expect(await button(page, 'Issue a key').count()).toBe(0);
  });
});

describe('proof', () => {
  it('verifies that the ledger has only grown since a checkpoint that was kept, and tells a changed one', async () => {
    await grant();
    const kept = (await world.request('GET', '/v1/ledger/checkpoint', { key: 'sk' })).text;
    await grant();
    const { page, messages, open } = await signedInConsole(world, browser, { token: await tokenOf(world, 'AUDITOR') });
    await open(`${here}/proof`);
    await page.getByText('Signature verified here').waitFor();
    const compared = async (text: string): Promise<void> => {
      await page.getByLabel('The checkpoint you kept').fill(text);
      await button(page, 'Compare').press('Enter');
    };
    await compared(kept.replaceAll('\n', '\r\n'));
    await said(page, 'Nothing that it covers was changed or removed');
    const [origin, size, root, ...rest] = kept.split('\n');
    await compared([origin, Number(size) + 1, root, ...rest].join('\n'));
    await said(page, 'No key of this ledger signed it');
    await compared(kept.replace(origin!, 'urn:assent:ledger:other:live'));
    await said(page, 'It is the checkpoint of another ledger');
    await compared('hello');
    await said(page, 'This is no checkpoint');
    expect(await faultsOfScreen(page)).toEqual([]);
    expect(messages).toEqual([]);
  });

  it('verifies a receipt in the page without sending it, and tells one that was changed', async () => {
    const { body } = await world.request('GET', `/v1/receipts/${await grant()}`, { key: 'sk' });
    const { page, messages, open } = await signedInConsole(world, browser, { token: await tokenOf(world, 'AUDITOR') });
    await open(`${here}/proof`);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    const checked = async (text: string): Promise<void> => {
      await page.getByLabel('Receipt, or TC or GPP string').fill(text);
      await button(page, 'Verify').press('Enter');
    };
    await checked(JSON.stringify(body));
    await said(page, 'A key of this installation signed exactly this.');
    await checked(body.jws as string);
    await said(page, 'Verified');
    const [head, payload, signature] = (body.jws as string).split('.') as [string, string, string];
    const changed = Buffer.from(payload, 'base64url').toString().replace('GRANTED', 'DENIED');
    await checked([head, Buffer.from(changed).toString('base64url'), signature].join('.'));
    await said(page, 'Not genuine');
    await checked(JSON.stringify({ ...body, receipt: { ...body.receipt, site: 'other' } }));
    await said(page, 'Not genuine');
    expect(sent).toEqual([]);
    await checked(body.receipt.id as string);
    await said(page, 'Verified');
    await checked('DBABBg~BVQUAACA.YA');
    await said(page, 'Opted out of the sale of personal data.');
    await checked('what is this?');
    await said(page, 'This is neither a receipt');
    expect(await faultsOfScreen(page)).toEqual([]);
    expect(messages).toEqual([]);
  });

  it('makes a bundle about one person, and gives the file', async () => {
    await grant();
    const { page, messages, open } = await signedInConsole(world, browser, { token: await tokenOf(world, 'AUDITOR') });
    await open(`${here}/proof`);
    await button(page, 'Ask for a bundle').click();
    await dialog(page).getByLabel('Who').fill('user_id:proof');
    await button(page, 'Make the bundle').click();
    await said(page, 'The bundle is being made');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('listitem')
        .filter({ hasText: 'About one person' })
        .getByRole('button', { name: 'Download' })
        .click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/\.zip$/);
    expect(page.url()).not.toContain('user_id');
    await shown(page);
    expect(await faultsOfScreen(page)).toEqual([]);
    expect(messages).toEqual([]);
  });
});

describe('settings', () => {
  it('shows what a site has, how to change it, and changes the brand only to colours that people can see', async () => {
    const { page, open } = await signedInConsole(world, browser);
    await open(`${here}/settings`);
    await page.getByText('demo.example').first().waitFor();
    await page.getByText('How to change this').first().click();
    await page.getByText('assent sites register').first().waitFor();
    await button(page, 'Change the brand').click();
    await dialog(page).getByLabel('Colour on light pages').fill('#ffe100');
    await button(page, 'Save').click();
    await dialog(page).locator('.issue').getByText('3:1').waitFor();
    await dialog(page).getByLabel('Colour on light pages').fill('#0b57b0');
    await dialog(page).getByLabel('Colour on dark pages').fill('#8ec0ff');
    await button(page, 'Save').click();
    await page.getByText('6.98 : 1, needs 4.5').first().waitFor();
    expect(await faultsOfScreen(page)).toEqual([]);
  });

  it('lets viewers see them and change nothing', async () => {
    const { page, messages, open } = await signedInConsole(world, browser, { token: await tokenOf(world, 'VIEWER') });
    await open(`${here}/settings`);
    await page.getByRole('heading', { name: 'Brand' }).waitFor();
    expect(await button(page, 'Change the brand').count()).toBe(0);
    expect(messages).toEqual([]);
  });
});

describe('system', () => {
  it('says how the installation is, and looks again by itself', async () => {
    const { page, messages, open } = await signedInConsole(world, browser, { token: await tokenOf(world, 'VIEWER') });
    await open('system');
    await row(page, 'consent_state').getByText('Runs').waitFor();
    await page.getByText('Database', { exact: true }).waitFor();
    expect(await faultsOfScreen(page)).toEqual([]);
    await page.waitForResponse((response) => response.url().endsWith('/admin/v1/health'));
    expect(messages).toEqual([]);
  });
});

describe('operators', () => {
  it('issues a token with a role, changes it, shows and ends sessions, and ends the operator', async () => {
    const { page, messages, open } = await signedInConsole(world, browser);
    await open('operators');
    await button(page, 'Issue a token').click();
    await dialog(page).getByLabel('Name').fill('Ruth');
    await dialog(page).getByLabel('Role', { exact: true }).selectOption({ label: 'Support' });
    await dialog(page).getByText('Helps persons who ask').waitFor();
    await dialog(page).getByLabel('Environment').selectOption({ label: 'test' });
    await dialog(page).getByRole('button', { name: 'Issue a token' }).click();
    const token = await dialog(page).locator('.secret').innerText();
    await button(page, 'I have kept it').click();
    await row(page, 'Ruth').getByText('Support').waitFor();

    const other = await signedInConsole(world, browser, { token, viewport: { width: 375, height: 700 } });
    await other.open(`${here}/overview`);

    await row(page, 'Ruth').getByRole('button', { name: 'Manage' }).click();
    await dialog(page).getByText('Signed in').waitFor();
    expect(await faultsOfScreen(page)).toEqual([]);
    await button(page, 'End all sessions').click();
    await said(page, '1 session ended');
    await other.page.goto(`${world.url}/console`);
    await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();

    await button(page, 'Change name and roles').click();
    await button(page, 'Add a role').click();
    await dialog(page).getByLabel('Role', { exact: true }).last().selectOption({ label: 'Auditor' });
    await button(page, 'Save').click();
    await row(page, 'Ruth').getByText('Auditor').waitFor();
    await row(page, 'Ruth').getByRole('button', { name: 'Manage' }).click();
    await button(page, 'End this operator').click();
    await dialog(page).getByLabel('Reason').fill('left');
    await button(page, 'End the operator').click();
    await row(page, 'Ruth').getByText('Ended').waitFor();
    expect((await world.request('GET', '/admin/v1/roles', { key: token })).status).toBe(401);
    expect(messages).toEqual([]);
  });

  it('is for administrators alone', async () => {
    const { page, open } = await signedInConsole(world, browser, { token: await tokenOf(world, 'AUDITOR') });
    await open('system');
    expect(await page.locator('nav').getByText('Operators').count()).toBe(0);
  });
});
