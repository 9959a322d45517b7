import type { Page } from 'playwright-core';
import { startBrowser, type Browsing } from '../support/browser.js';
import { consoleWindow, faultsOfScreen, shown, signedInConsole, tokenOf } from '../support/console.js';
import { startWorld, type World } from '../support/world.js';

/** Looking a person up, answering what they ask, and acting for them in the console. */
let world: World;
let browser: Browsing;
let ada: string;

beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld(), startBrowser()]);
  ada = await write('/v1/subjects', {
    identifiers: [
      { kind: 'email', value: 'ada@example.org' },
      { kind: 'user_id', value: 'customer-4742' },
    ],
    country: 'DE',
    locale: 'de',
  });
  await said('email:ada@example.org', 'analytics', 'GRANTED', {
    method: 'ACCEPT_ALL',
    surface: 'BANNER',
    locale: 'de',
  });
  await said('email:ada@example.org', 'marketing', 'DENIED', { method: 'TOGGLE', surface: 'PREFERENCE_CENTER' });
  await said('user_id:other-1', 'analytics', 'DENIED', { method: 'TOGGLE', surface: 'PREFERENCE_CENTER' });
  await world.caughtUp();
}, 420_000);
afterAll(async () => {
  await browser?.stop();
  await world?.stop();
});
afterEach(() => browser.rest());

async function write(path: string, body: object): Promise<string> {
  const answer = await world.request('POST', path, { key: 'sk', body });
  if (answer.status >= 300) throw new Error(answer.text);
  return answer.body.id as string;
}

const said = (subject: string, purpose: string, decision: string, collection: object): Promise<string> =>
  write('/v1/consent', { subject, purpose, decision, collection, jurisdiction: { country: 'DE', source: 'DETECTED' } });

const person = (id = ada): string => `${world.demo.site}/test/people/${id}`;
const buttonsOf = (page: Page): Promise<string[]> => page.locator('.top .acts .btn').allInnerTexts();

describe('“did I agree to this?”', () => {
  it('is answered after at most six presses from the sign-in, with the keyboard alone', async () => {
    const { page, messages } = await consoleWindow(world, browser);
    await page.goto(`${world.url}/console/${world.demo.site}/test/people`);
    let presses = 0;
    const press = async (key: string) => {
      presses += 1;
      await page.keyboard.press(key);
    };
    await page.getByLabel('Operator token').fill(world.demo.operatorToken);
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
    expect(await faultsOfScreen(page)).toEqual([]);
    await page.keyboard.type('ada@example.org');
    await press('Enter');
    await page.waitForURL(`**/people/${ada}`);
    await shown(page);
    const row = page.getByRole('row', { name: /Statistics/ });
    expect(await row.innerText()).toMatch(/Granted[\s\S]*May be used[\s\S]*Granted on/);
    expect(presses).toBeLessThanOrEqual(6);
    expect(page.url()).not.toContain('ada');
    expect(await page.getByText('ada@example.org').count()).toBe(0);
    expect(messages).toEqual([]);
  });

  it('comes with the rule and its source, the text that was shown, and a proof that the page verifies', async () => {
    const { page, messages, open } = await signedInConsole(world, browser);
    await open(person());
    await page
      .getByRole('row', { name: /Statistics/ })
      .getByText('Rule and source')
      .click();
    await page.getByText('GDPR').first().waitFor();
    await page.getByText('Zählt Besuche und Seiten').first().waitFor();
    await page.getByRole('button', { name: 'Check the proof' }).last().click();
    await page.getByText('Receipt verified').waitFor();
    await page.getByText(/^Entry [\d,]+ of the ledger$/).waitFor();
    expect(await faultsOfScreen(page)).toEqual([]);
    expect(messages).toEqual([]);
  });

  it('is answered for any day, and shows nothing of what came later', async () => {
    const { page, open } = await signedInConsole(world, browser);
    await open(`${person()}?asOf=2026-01-01`);
    await page.getByRole('heading', { name: 'What held on 1 Jan 2026' }).waitFor();
    expect(await page.getByText('Statistics granted').count()).toBe(0);
    expect(await buttonsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.getByText('Statistics granted').waitFor();
  });
});

describe('acts', () => {
  it('write down what was said by phone, and show it at once', async () => {
    const { page, messages, open } = await signedInConsole(world, browser);
    await open(person());
    await page.getByRole('button', { name: 'Record a decision' }).click();
    await page.getByLabel('Purpose').selectOption({ label: 'Statistics' });
    await page.getByLabel('What was said').selectOption('WITHDRAWN');
    expect(await faultsOfScreen(page)).toEqual([]);
    await page.getByRole('button', { name: 'Record: Statistics withdrawn' }).click();
    await page.getByText('Statistics withdrawn').first().waitFor();
    await page.getByText(/by word of mouth · in a call/).waitFor();
    expect(await page.getByRole('row', { name: /Statistics/ }).innerText()).toContain('Must not be used');
    expect(messages).toEqual([]);
  });

  it('show identifiers in clear for a reason, until they are masked again', async () => {
    const { page, open } = await signedInConsole(world, browser);
    await open(person());
    await page.getByRole('button', { name: 'Reveal' }).click();
    await page.getByLabel('Reason').fill('letter, case 17');
    await page.getByRole('dialog').getByRole('button', { name: 'Reveal' }).click();
    await page.getByRole('heading', { level: 1, name: 'ada@example.org' }).waitFor();
    await page.getByRole('button', { name: 'Mask again' }).click();
    expect(await page.getByText('ada@example.org').count()).toBe(0);
  });

  it('merge after showing what would happen, and take the merge back', async () => {
    const { page, open } = await signedInConsole(world, browser);
    await open(person());
    await page.locator('.more-acts summary').click();
    await page.getByRole('button', { name: 'Merge with another person' }).click();
    await page.getByLabel('Other person known by').selectOption('user_id');
    await page.getByLabel('Value').fill('other-1');
    await page.getByRole('button', { name: 'Show what would happen' }).click();
    await page.getByRole('button', { name: 'Merge them' }).waitFor();
    await page.getByLabel('Reason').fill('same customer');
    await page.getByRole('button', { name: 'Merge them' }).click();
    await page.getByRole('heading', { name: 'Merges' }).waitFor();
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.getByLabel('Reason').fill('two people');
    await page.getByRole('dialog').getByRole('button', { name: 'Take it back' }).click();
    await page.getByText('A merge was taken back').first().waitFor();
    await page.getByRole('heading', { name: 'Merges' }).waitFor({ state: 'detached' });
  });

  it('hold a person, and lift the hold', async () => {
    const { page, open } = await signedInConsole(world, browser);
    await open(person());
    await page.locator('.more-acts summary').click();
    await page.getByRole('button', { name: 'Lay a hold' }).click();
    await page.getByLabel('Reason').fill('lawsuit 12');
    await page.getByRole('button', { name: 'Lay the hold' }).click();
    await page.getByText('A hold stands').waitFor();
    await page.locator('.more-acts summary').click();
    await page.getByRole('button', { name: 'Lift the hold' }).click();
    await page.getByLabel('Reason').fill('settled');
    await page.getByRole('dialog').getByRole('button', { name: 'Lift the hold' }).click();
    await page.getByText('A hold stands').waitFor({ state: 'detached' });
  });

  it('erase in two steps, of which the first says what it means', async () => {
    const id = await write('/v1/subjects', { identifiers: [{ kind: 'email', value: 'gone@example.org' }] });
    await world.caughtUp();
    const { page, open } = await signedInConsole(world, browser);
    await open(person(id));
    await page.locator('.more-acts summary').click();
    await page.getByRole('button', { name: 'Erase this person' }).click();
    expect(await faultsOfScreen(page)).toEqual([]);
    await page.getByRole('button', { name: 'Go on to the last step' }).click();
    expect(await page.getByRole('button', { name: 'Erase for ever' }).isDisabled()).toBe(true);
    await page.getByLabel(/^I mean/).check();
    await page.getByRole('button', { name: 'Erase for ever' }).click();
    await page.waitForURL('**/people');
    await open(person(id));
    await page.getByText('This person was erased').waitFor();
  });
});

describe('roles', () => {
  it('see their own acts only', async () => {
    const seen: Record<string, string[]> = {};
    for (const role of ['SUPPORT', 'AUDITOR', 'PRIVACY']) {
      const { page, open } = await signedInConsole(world, browser, { token: await tokenOf(world, role) });
      await open(person());
      seen[role] = await buttonsOf(page);
      if (role === 'AUDITOR') await page.getByRole('heading', { name: 'Who looked' }).waitFor();
      if (role === 'SUPPORT') expect(await page.getByRole('heading', { name: 'Who looked' }).count()).toBe(0);
      await page.context().clearCookies();
    }
    expect(seen['SUPPORT']).toEqual(['More', 'Open a request']);
    expect(seen['AUDITOR']).toEqual([]);
    expect(seen['PRIVACY']).toEqual(['Reveal', 'Record a decision', 'More', 'Open a request']);
  });
});

it('works on a phone, in the dark and from right to left', async () => {
  const { page, messages, open } = await signedInConsole(world, browser, {
    viewport: { width: 375, height: 700 },
    colorScheme: 'dark',
  });
  await open(person());
  await page.evaluate("document.documentElement.dir = 'rtl'");
  expect(await faultsOfScreen(page)).toEqual([]);
  await page.locator('.more-acts summary').click();
  await page.keyboard.press('Escape');
  expect(await page.getByRole('button', { name: 'Erase this person' }).isVisible()).toBe(false);
  expect(messages).toEqual([]);
});
