import { gzipSync } from 'node:zlib';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { faultsOf, overflowOf, startBrowser, type Browsing } from '../support/browser.js';
import { startElementsPages, type ElementsPages, type VisitOptions } from '../support/elements-pages.js';
import { signIdentityToken } from '../support/identity-token.js';
import { until } from '../support/timing.js';
import { startWorld, type World } from '../support/world.js';

/* `<assent-preferences>` in a real browser, on a page of another origin with a strict policy. */

let world: World;
let browser: Browsing;
let pages: ElementsPages;
let persons = 0;
beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld({ own: true }), startBrowser()]);
  pages = await startElementsPages(world, browser);
}, 420_000);
afterEach(async () => {
  await browser.rest();
  pages.faults.length = 0;
});
afterAll(async () => {
  await pages?.stop();
  await browser?.stop();
  await world?.stop();
});

interface Account {
  page: Page;
  /** The person, as references name them. */
  subject: string;
}

const somePerson = (): string => `user_id:account-${++persons}`;
const tokenOf = (subject: string, claims: Record<string, unknown> = {}): string =>
  signIdentityToken({ secretKey: world.demo.secretKey, subject, claims });
const give = (page: Page, token: string | null): Promise<unknown> =>
  page.evaluate(`document.querySelector('assent-preferences').identityToken = ${JSON.stringify(token)}`);
const SECTIONS = ['preferences', 'consents', 'receipts', 'requests'];
const element = (page: Page) => page.locator('assent-preferences');
const section = (page: Page, name: string) => page.locator(`assent-preferences [aria-labelledby=s-${name}]`);
const save = (page: Page) => section(page, 'preferences').getByRole('button', { name: 'Save' }).click();
const saved = (page: Page, name: string) => section(page, name).getByText('Saved.', { exact: true }).waitFor();
const loaded = (page: Page) => page.locator('assent-preferences section').first().waitFor();

/** Opens the account page of a person whose answer to the banner does not matter here. */
async function account(
  options: VisitOptions & { sections?: string; subject?: string; claims?: Record<string, unknown> } = {},
): Promise<Account> {
  const { sections = '', subject = somePerson(), claims = {}, ...visit } = options;
  const page = await pages.visit({
    attributes: { mode: 'manual' },
    body: `<h1>Account</h1><assent-preferences sections="${sections}"></assent-preferences>`,
    ...visit,
  });
  await give(page, tokenOf(subject, claims));
  await loaded(page);
  return { page, subject };
}

/** Keeps the next event of a name; the returned function answers its detail. */
async function caught<T>(page: Page, name: string): Promise<() => Promise<T>> {
  await page.evaluate(
    `void (window.caught = new Promise((resolve) => addEventListener('${name}', ({ detail }) => resolve(detail), { once: true })))`,
  );
  return () => page.evaluate<T>('window.caught');
}

const held = async (subject: string, what: 'consent' | 'preferences'): Promise<Record<string, unknown>> =>
  (await world.request('GET', `/v1/subjects/${encodeURIComponent(subject)}/${what}?fresh=true`, { key: 'sk' })).body;

describe('a person who is vouched for', () => {
  test('agrees, sees what holds, gets the receipt of it, and takes it back in as many clicks', async () => {
    const { page, subject } = await account();
    for (const name of SECTIONS) expect(await section(page, name).count()).toBe(1);
    const card = section(page, 'consents').getByRole('listitem').filter({ hasText: 'Statistics' });
    const detail = await caught<{ records: string[] }>(page, 'assent-choice');
    await card.getByRole('button', { name: 'Agree' }).click();
    expect(await detail()).toMatchObject({ decisions: { analytics: 'GRANTED' }, method: 'TOGGLE' });
    await card.getByRole('button', { name: 'Withdraw' }).waitFor();
    await saved(page, 'consents');
    expect(await page.evaluate('document.activeElement.shadowRoot.activeElement.textContent')).toBe('Withdraw');
    expect(await held(subject, 'consent')).toMatchObject({ purposes: { analytics: { state: 'GRANTED' } } });
    const download = page.waitForEvent('download');
    await section(page, 'receipts').getByRole('button', { name: 'Download receipt' }).click();
    expect((await download).suggestedFilename()).toMatch(/^rct_\w+\.json$/);
    await card.getByText('What you agreed to').click();
    await card.getByText('Responsible').waitFor();
    await card.getByRole('button', { name: 'Withdraw' }).click();
    await card.getByRole('button', { name: 'Agree' }).waitFor();
    const history = `/v1/subjects/${encodeURIComponent(subject)}/consent/history`;
    const { body } = await world.request('GET', history, { key: 'sk' });
    expect(body.data).toMatchObject([
      { decision: 'WITHDRAWN' },
      { decision: 'GRANTED', collection: { method: 'TOGGLE', surface: 'PREFERENCE_CENTER', url: `${pages.origin}/` } },
    ]);
    expect(pages.faults).toEqual([]);
  });

  test('saves what was changed in one go: topics with pause and frequency, fields, and no messages at all', async () => {
    const { page, subject } = await account({ sections: 'preferences' });
    const form = section(page, 'preferences');
    await form.getByRole('switch', { name: 'About what you bought' }).check();
    await form.locator('#f-email_product_updates-often').selectOption('MONTHLY');
    await form.locator('#f-email_product_updates-pause').fill('2099-03-01');
    await form.getByRole('checkbox', { name: 'Music' }).check();
    await form.getByLabel('Age', { exact: true }).fill('44');
    await form.getByRole('group', { name: 'By e-mail' }).getByRole('switch', { name: 'News' }).check();
    const detail = await caught<{ pending: string[]; changes: unknown[] }>(page, 'assent-preference');
    await save(page);
    expect(await detail()).toMatchObject({ pending: ['channels.email.topics.news'] });
    await saved(page, 'preferences');
    await form.getByText('Waits for your confirmation').waitFor();
    expect(await held(subject, 'preferences')).toMatchObject({
      channels: {
        email: {
          topics: {
            news: { state: 'PENDING' },
            product_updates: { state: 'GRANTED', frequency: 'MONTHLY', pausedUntil: '2099-03-01T00:00:00.000Z' },
          },
        },
      },
      fields: { age: { value: 44 }, interests: { value: ['music'] } },
    });
    await form.getByRole('switch', { name: 'No messages at all' }).check();
    await save(page);
    await until(
      async () => ((await held(subject, 'preferences'))['globalOptOut'] as { state: string }).state === 'ACTIVE',
    );
  });

  test('what the service refuses is said at the field, and nothing else is saved', async () => {
    const { page, subject } = await account({ sections: 'preferences' });
    const form = section(page, 'preferences');
    await form.getByLabel('Note for our service').fill('Hello');
    await form.getByLabel('Age', { exact: true }).fill('7');
    await save(page);
    await form.getByText('Please check this entry.').waitFor();
    expect(await page.evaluate('document.activeElement.shadowRoot.activeElement.id')).toBe('f-age');
    expect(await form.getByLabel('Age', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    expect(await faultsOf(page)).toEqual([]);
    await form.getByLabel('Age', { exact: true }).fill('47');
    await save(page);
    await saved(page, 'preferences');
    expect(await held(subject, 'preferences')).toMatchObject({
      fields: { age: { value: 47 }, note: { value: 'Hello' } },
    });
  });

  test('asks for what is due to them, and sees how far that is', async () => {
    const { page } = await account({ sections: 'requests' });
    const form = section(page, 'requests');
    await form.getByRole('button', { name: 'Send request' }).click();
    await form.getByText('Please check this entry.').waitFor();
    await form.getByLabel('What do you ask for?').selectOption('ACCESS');
    await form.getByLabel('Details').fill('Everything since 2024.');
    await form.getByRole('button', { name: 'Send request' }).click();
    await form.getByText('Your request was received.').waitFor();
    await form.getByRole('listitem').getByText('Answer due by').waitFor();
    await form.getByLabel('What do you ask for?').selectOption('ACCESS');
    await form.getByRole('button', { name: 'Send request' }).click();
    await form.getByText('A request of this kind is open already.').waitFor();
    expect(await form.getByRole('listitem').count()).toBe(1);
  });

  test('sees what the token allows, and no more', async () => {
    const { page } = await account({ claims: { scope: ['consent:read', 'catalogue:read'] } });
    expect(await page.locator('assent-preferences section').count()).toBe(1);
    await section(page, 'consents').getByRole('heading', { name: 'Statistics' }).waitFor();
    expect(await section(page, 'consents').getByRole('button').count()).toBe(0);
    expect(pages.faults).toEqual([]);
  });
});

describe('whose person is not known', () => {
  test('without a token says so, shows nothing personal and asks the service for nothing', async () => {
    const asked: string[] = [];
    const page = await pages.visit({
      attributes: { mode: 'manual' },
      body: '<assent-preferences></assent-preferences>',
      before: async (page) => page.on('request', (request) => asked.push(new URL(request.url()).pathname)),
    });
    await element(page).getByText('Please sign in to see your settings.').waitFor();
    expect(await page.locator('assent-preferences section').count()).toBe(0);
    expect(asked.filter((path) => path.startsWith('/v1/') && path !== '/v1/banner')).toEqual([]);
    expect(await faultsOf(page)).toEqual(expect.not.arrayContaining([expect.stringContaining('assent-preferences')]));
  });

  test('nothing is left of who signed out, also where an answer was on its way', async () => {
    const { page } = await account();
    await page.evaluate(
      "(() => { const element = document.querySelector('assent-preferences'); void element.refresh(); element.identityToken = null; })()",
    );
    await element(page).getByText('Please sign in').waitFor();
    expect(
      await page.evaluate("document.querySelector('assent-preferences').shadowRoot.querySelectorAll('section').length"),
    ).toBe(0);
  });

  test('an expired token is out of sight, the page is asked for another, and what was entered is still there', async () => {
    const { page, subject } = await account({ sections: 'preferences' });
    await section(page, 'preferences').getByLabel('Note for our service').fill('Half a sent');
    const now = Math.floor(Date.now() / 1000);
    const detail = await caught(page, 'assent-identity');
    await give(page, tokenOf(subject, { iat: now - 2000, exp: now - 1000 }));
    expect(await detail()).toEqual({ code: 'identity_token_expired' });
    await element(page).getByText('You were signed out. Please sign in again.').waitFor();
    expect(await section(page, 'preferences').isVisible()).toBe(false);
    await give(page, tokenOf(subject));
    await section(page, 'preferences').waitFor();
    expect(await section(page, 'preferences').getByLabel('Note for our service').inputValue()).toBe('Half a sent');
    // Of another person nothing is.
    await give(page, tokenOf(somePerson()));
    await until(
      async () => (await section(page, 'preferences').getByLabel('Note for our service').inputValue()) === '',
    );
  });
});

describe('what was changed elsewhere meanwhile', () => {
  test('is shown when the person comes back, is said, and does not take what they entered', async () => {
    const { page, subject } = await account({ sections: 'preferences' });
    const form = section(page, 'preferences');
    await form.getByLabel('Age', { exact: true }).fill('50');
    await world.request('POST', '/v1/preferences', {
      key: 'sk',
      body: { subject, values: [{ field: 'note', value: 'By phone' }] },
    });
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await form.getByText('Something was changed elsewhere meanwhile.').waitFor();
    expect(await form.getByLabel('Note for our service').inputValue()).toBe('By phone');
    expect(await form.getByLabel('Age', { exact: true }).inputValue()).toBe('50');
    await save(page);
    await saved(page, 'preferences');
    expect(await held(subject, 'preferences')).toMatchObject({
      fields: { age: { value: 50 }, note: { value: 'By phone' } },
    });
  });

  test('another tab of the same browser follows', async () => {
    const { page, subject } = await account({ sections: 'consents' });
    const { page: other } = await account({ sections: 'consents', subject, beside: page });
    await page
      .locator('assent-preferences li')
      .filter({ hasText: 'Statistics' })
      .getByRole('button', { name: 'Agree' })
      .click();
    await other
      .locator('assent-preferences li')
      .filter({ hasText: 'Statistics' })
      .getByRole('button', { name: 'Withdraw' })
      .waitFor();
  });
});

describe('for everybody', () => {
  const SMALL: BrowserContextOptions = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true };

  test('axe finds nothing, light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await account({
        context: { colorScheme },
        head: '<meta name="color-scheme" content="light dark">',
      });
      expect(await faultsOf(page, { ofLooks: colorScheme === 'dark' })).toEqual([]);
    }
  });

  test('it fits a phone of 320 pixels, also with text twice as large, and from right to left', async () => {
    for (const lang of ['de', 'ar']) {
      const { page } = await account({ context: SMALL, lang });
      for (const size of ['100%', '200%']) expect(await overflowOf(page, size)).toBeLessThanOrEqual(0);
      await page.evaluate("document.documentElement.style.fontSize = ''");
      const inside = page.locator('assent-preferences > *, assent-preferences .all').first();
      expect([await inside.getAttribute('lang'), await inside.getAttribute('dir')]).toEqual([
        lang,
        lang === 'ar' ? 'rtl' : 'ltr',
      ]);
      expect(await faultsOf(page, { ofLooks: true })).toEqual([]);
    }
  });

  test('the keyboard reaches and works everything', async () => {
    const { page, subject } = await account({ sections: 'preferences' });
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.shadowRoot.activeElement.id')).toBe('f-email_news');
    await page.keyboard.press('Space');
    const last = await page.evaluate<number>(
      "[...document.querySelector('assent-preferences').shadowRoot.querySelectorAll('input, select, button')].length",
    );
    const focused = (): Promise<string> => page.evaluate('document.activeElement.shadowRoot?.activeElement?.id ?? ""');
    // A date has parts of its own.
    for (let i = 0; i < 4 * last && (await focused()) !== 'f-save'; i++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await saved(page, 'preferences');
    expect(await held(subject, 'preferences')).toMatchObject({
      channels: { email: { topics: { news: { state: 'PENDING' } } } },
    });
  });
});

test('a page without the element loads nothing of it, and one with it at most 12 kB more, gzipped', async () => {
  const seen: string[] = [];
  const watched = (page: Page) => page.on('request', (request) => seen.push(new URL(request.url()).pathname));
  const parts = () => seen.filter((path) => /\/elements\/v1\/(preferences|assent-words)/.test(path));
  const plain = await pages.visit({ attributes: { mode: 'manual' }, before: async (page) => watched(page) });
  await plain.evaluate('assent.ready.then(() => true)');
  expect(parts()).toEqual([]);
  await account({ before: async (page) => watched(page) });
  const sizes = await Promise.all(
    parts().map(async (path) => gzipSync(await (await fetch(world.url + path)).text(), { level: 9 }).length),
  );
  console.info(`preferences: ${sizes.join(' + ')} bytes gzipped`);
  expect(sizes).toHaveLength(2);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(12_288);
});
