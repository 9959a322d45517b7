import type { BrowserContextOptions, Page } from 'playwright-core';
import { faultsOf, focusOf, overflowOf, startBrowser, type Browsing } from '../support/browser.js';
import { startWorld, type Answer, type World } from '../support/world.js';

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

const GERMANY = '?country=DE';
const CALIFORNIA = '?country=US&region=US-CA';
const AUSTRALIA = '?country=AU';

async function visit(place: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.open(options);
  await page.goto(`${world.url}/docs/banner${place}`);
  await settled(page);
  return page;
}
/** The page has asked for everything that it shows. */
const settled = (page: Page) => page.locator('#banner-state li').first().waitFor();
const banner = (page: Page) => page.getByRole('dialog');
const press = (page: Page, name: string) => banner(page).getByRole('button', { name, exact: true }).click();
const gone = (page: Page) => banner(page).waitFor({ state: 'hidden' });
const stateOf = async (page: Page, purpose: string): Promise<string> =>
  (await page.locator(`#banner-state [data-purpose=${purpose}]`).innerText()).replace(`${purpose}: `, '');

/** Everything that was recorded of the visitor of a page, the oldest first. */
async function recordedOf(page: Page): Promise<Record<string, unknown>[]> {
  const visitor = await page.evaluate<string>(
    `localStorage[Object.keys(localStorage).find((name) => name.endsWith('.visitor'))]`,
  );
  const path = `/v1/subjects/${encodeURIComponent(`visitor_id:${visitor}`)}/consent/history`;
  const { body }: Answer = await world.request('GET', path, { key: 'sk' });
  return (body.data as Record<string, unknown>[]).toReversed();
}
const decisions = (records: Record<string, unknown>[]): Record<string, unknown> =>
  Object.fromEntries(records.map(({ purpose, decision }) => [purpose, decision]));

describe('where people must be asked', () => {
  test('accepting and refusing are of equal weight, and all choices are in reach', async () => {
    const page = await visit(GERMANY);
    const looks = (name: string) =>
      banner(page)
        .getByRole('button', { name, exact: true })
        .evaluate((button: never) => {
          const { width, height } = (
            button as { getBoundingClientRect(): { width: number; height: number } }
          ).getBoundingClientRect();
          const style = (
            globalThis as unknown as { getComputedStyle(of: unknown): Record<string, string> }
          ).getComputedStyle(button);
          return {
            width,
            height,
            ...Object.fromEntries(
              ['color', 'backgroundColor', 'borderColor', 'font', 'opacity'].map((name) => [name, style[name]]),
            ),
          };
        });
    expect(await looks('Reject all')).toEqual(await looks('Accept all'));
    expect((await looks('Reject all')).height).toBeGreaterThanOrEqual(44);
    await press(page, 'Choose');
    expect(await banner(page).getByRole('checkbox').count()).toBe(3);
    for (const box of await banner(page).getByRole('checkbox').all()) expect(await box.isChecked()).toBe(false);
  });

  test('what is chosen is recorded in one batch, with what was shown and where', async () => {
    const page = await visit(GERMANY);
    const served = await world.request('GET', `/v1/banner${GERMANY}`, { key: world.demo.publicKey });
    await press(page, 'Choose');
    await banner(page).getByRole('checkbox', { name: 'Statistics' }).check();
    await press(page, 'Save my choices');
    await gone(page);
    const records = await recordedOf(page);
    expect(decisions(records)).toEqual({ analytics: 'GRANTED', marketing: 'DENIED', sale_of_data: 'OBJECTED' });
    for (const record of records)
      expect(record).toMatchObject({
        jurisdiction: { country: 'DE', source: 'DECLARED' },
        collection: {
          method: 'SAVE_CHOICES',
          surface: 'BANNER',
          url: `${world.url}/docs/banner`,
          locale: 'en',
          bannerVersion: served.body.version,
          noticeHash: served.body.contentHash,
        },
        // By the token that came with the banner.
        presentation: { banner: { version: served.body.version, contentHash: served.body.contentHash } },
      });
    expect(await stateOf(page, 'analytics')).toBe('GRANTED, ALLOWED (EXPLICIT)');
    expect(await stateOf(page, 'marketing')).toBe('DENIED, BLOCKED (EXPLICIT)');
  });

  test('nobody who answered is asked again, and they find the way back to what they chose', async () => {
    const page = await visit(GERMANY);
    await press(page, 'Accept all');
    await gone(page);
    expect(decisions(await recordedOf(page))).toEqual({
      analytics: 'GRANTED',
      fraud_prevention: 'ACKNOWLEDGED',
      marketing: 'GRANTED',
      sale_of_data: 'GRANTED',
    });
    await page.reload();
    await settled(page);
    expect(await banner(page).count()).toBe(0);
    await page.getByRole('button', { name: 'Privacy choices' }).click();
    expect(await banner(page).getByRole('checkbox', { name: 'Statistics' }).isChecked()).toBe(true);
    await press(page, 'Reject all');
    await gone(page);
    expect(await stateOf(page, 'analytics')).toBe('WITHDRAWN, BLOCKED (EXPLICIT)');
    await page.getByRole('button', { name: 'Privacy choices' }).click();
    expect(await banner(page).getByRole('checkbox', { name: 'Statistics' }).isChecked()).toBe(false);
  });

  test.each<[string, (page: Page) => Promise<void>]>([
    ['by the key', (page) => page.keyboard.press('Escape')],
    ['by the button', (page) => press(page, 'Close')],
  ])('closing it without a choice refuses, %s', async (_, closed) => {
    const page = await visit(GERMANY);
    await closed(page);
    await gone(page);
    const records = await recordedOf(page);
    expect(decisions(records)).toEqual({ analytics: 'DENIED', marketing: 'DENIED', sale_of_data: 'OBJECTED' });
    expect(records[0]).toMatchObject({ collection: { method: 'DISMISS' } });
  });

  test('a choice that cannot be sent stays, says so, and has one effect however often it is sent', async () => {
    const page = await visit(GERMANY);
    const keys: (string | undefined)[] = [];
    // The first try reaches the service, but the answer is lost; then nothing gets through.
    await page.route('**/v1/consent/batch', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 3) return route.continue();
      if (keys.length === 1) await route.fetch();
      await route.abort();
    });
    await press(page, 'Reject all');
    await banner(page).getByText('This could not be saved. Please try again.').waitFor();
    await press(page, 'Reject all');
    await gone(page);
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
    expect(await recordedOf(page)).toHaveLength(3);
  });

  test('what is chosen in one tab is shown in the others, which ask no more', async () => {
    const page = await visit(GERMANY);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await settled(other);
    expect(await banner(other).count()).toBe(1);
    await press(page, 'Accept all');
    await gone(other);
    expect(await stateOf(other, 'analytics')).toBe('GRANTED, ALLOWED (EXPLICIT)');
    await other.getByRole('button', { name: 'Privacy choices' }).click();
    expect(await banner(other).getByRole('checkbox', { name: 'Statistics' }).isChecked()).toBe(true);
    await press(other, 'Reject all');
    await page.locator('#banner-state [data-purpose=analytics]', { hasText: 'WITHDRAWN' }).waitFor();
  });

  test.each(['presentation_token_expired', 'presentation_token_invalid'])(
    'what stood there for too long is fetched anew, and asks once more with the words of now: %s',
    async (code) => {
      const page = await browser.open();
      await page.route(
        '**/v1/banner?*',
        async (route) => {
          const served = (await (await route.fetch()).json()) as { presentationToken: string; texts: object };
          const texts = { ...served.texts, title: 'Words of yesterday' };
          await route.fulfill({ json: { ...served, texts, presentationToken: `${served.presentationToken}x` } });
        },
        { times: 1 },
      );
      // No test can wait for a day: the service refuses a token that it did not sign, in the same form.
      await page.route('**/v1/consent/batch', async (route) => {
        const answer = await route.fetch();
        const body = (await answer.text()).replaceAll('presentation_token_invalid', code);
        await route.fulfill({ response: answer, body });
      });
      await page.goto(`${world.url}/docs/banner${GERMANY}`);
      await settled(page);
      await press(page, 'Choose');
      await banner(page).getByRole('checkbox', { name: 'Statistics' }).check();
      expect(await banner(page).getByRole('heading').innerText()).toBe('Words of yesterday');
      await press(page, 'Accept all');
      await banner(page).getByText('This stood here for too long to count. Please choose once more.').waitFor();
      expect(await banner(page).count()).toBe(1);
      expect(await banner(page).getByRole('heading').innerText()).toBe('Your privacy');
      expect(await recordedOf(page)).toEqual([]);
      await press(page, 'Choose');
      expect(await banner(page).getByRole('checkbox', { name: 'Statistics' }).isChecked()).toBe(true);
      expect(await banner(page).getByRole('checkbox', { name: 'Advertising' }).isChecked()).toBe(false);
      await press(page, 'Save my choices');
      await gone(page);
      expect(decisions(await recordedOf(page))).toMatchObject({ analytics: 'GRANTED', marketing: 'DENIED' });
    },
  );

  test('the keyboard reaches everything in order, sees where it is, and comes back to the page', async () => {
    const page = await visit(GERMANY);
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    expect(await focused()).toBe('Your privacy');
    const seen: string[] = [];
    for (let i = 0; i < 5; i++) {
      await page.keyboard.press('Tab');
      seen.push(await focused());
      expect(await focusOf(page)).toMatchObject({ ringWidth: 3 });
    }
    expect(seen).toEqual(['×', 'demo.example/privacy', 'Accept all', 'Reject all', 'Choose']);
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.type')).toBe('checkbox');
    await page.keyboard.press('Space');
    for (let i = 0; i < 3; i++) await page.keyboard.press('Tab');
    expect(await focused()).toBe('Save my choices');
    await page.keyboard.press('Enter');
    await gone(page);
    expect(await focused()).toBe('Privacy choices');
    expect(await stateOf(page, 'analytics')).toBe('GRANTED, ALLOWED (EXPLICIT)');
  });
});

test('where people may object, one click objects to what Global Privacy Control would object to, and nothing else is said', async () => {
  const page = await visit(CALIFORNIA);
  expect(await stateOf(page, 'sale_of_data')).toBe('NOT_COLLECTED, ALLOWED (POLICY_DEFAULT)');
  await press(page, 'Do not sell or share my data');
  await gone(page);
  expect(decisions(await recordedOf(page))).toEqual({ marketing: 'DENIED', sale_of_data: 'OBJECTED' });
  expect(await stateOf(page, 'sale_of_data')).toBe('OBJECTED, BLOCKED (EXPLICIT)');
});

test('where people are told, having read it is all that is recorded, and they can object all the same', async () => {
  const page = await visit(AUSTRALIA);
  await press(page, 'Understood');
  await gone(page);
  expect(decisions(await recordedOf(page))).toEqual({ fraud_prevention: 'ACKNOWLEDGED' });
  await page.getByRole('button', { name: 'Privacy choices' }).click();
  await banner(page).getByRole('checkbox', { name: 'Sale and sharing of data' }).uncheck();
  await press(page, 'Save my choices');
  await gone(page);
  expect(await stateOf(page, 'sale_of_data')).toBe('OBJECTED, BLOCKED (EXPLICIT)');
});

test('whoever is not at the machine of the demo is told why there is no banner', async () => {
  const page = await browser.open();
  await page.route('**/docs/demo-keys', (route) => route.fulfill({ status: 204 }));
  await page.goto(`${world.url}/docs/banner${GERMANY}`);
  await page.getByText('needs the keys of the demo').waitFor();
  expect(await banner(page).count()).toBe(0);
});

describe('for everybody', () => {
  const SMALL = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true } as const;

  test.each([
    ['asking', GERMANY],
    ['letting object', CALIFORNIA],
    ['telling', AUSTRALIA],
  ])('axe finds nothing, light and dark: %s', async (_, place) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await visit(place, { colorScheme });
      const choose = banner(page).getByRole('button', { name: 'Choose', exact: true });
      if ((await choose.count()) > 0) await choose.click();
      expect(await faultsOf(page, { ofLooks: colorScheme === 'dark' })).toEqual([]);
    }
  });

  test('it fits a phone of 320 pixels, also with text twice as large, and can be scrolled to its last button', async () => {
    const page = await visit(GERMANY, SMALL);
    await banner(page).getByRole('button', { name: 'Choose', exact: true }).tap();
    for (const size of ['100%', '200%']) expect(await overflowOf(page, size)).toBeLessThanOrEqual(0);
    const width = await banner(page).evaluate((dialog: never) => {
      const { scrollWidth, clientWidth } = dialog as { scrollWidth: number; clientWidth: number };
      return scrollWidth - clientWidth;
    });
    expect(width).toBe(0);
    await banner(page).getByRole('button', { name: 'Save my choices' }).tap();
    await gone(page);
    expect(await recordedOf(page)).toHaveLength(3);
  });

  test('it is written from right to left where its language is, on either layout, and a modal one keeps the keyboard', async () => {
    const { body: files } = await world.request('GET', `/admin/v1/sites/demo/test/catalogue`, { key: 'operator' });
    const arabic = JSON.parse(
      JSON.stringify(files.banner).replace(
        /"de":"([^"]*)"/g,
        (_, text: string) => `"ar":${JSON.stringify(text.startsWith('http') ? text : 'خصوصيتك مهمة')}`,
      ),
    ) as Record<string, Record<string, unknown>>;
    // Two words for two deeds: a banner whose buttons say the same is not published.
    Object.assign(arabic['labels']!, {
      rejectAll: { en: 'Reject all', ar: 'رفض الكل' },
      acceptAll: { en: 'Accept all', ar: 'قبول الكل' },
    });
    const applied = await world.request('POST', '/admin/v1/sites/demo/test/catalogue', {
      key: 'operator',
      body: { purposes: [], banner: { ...arabic, layout: 'WALL', position: 'CENTER' } },
    });
    expect(applied.status).toBe(200);
    const page = await visit(`${GERMANY}&locale=ar`, SMALL);
    expect(
      await banner(page).evaluate((dialog: never) => [
        (dialog as { lang: string }).lang,
        (dialog as { dir: string }).dir,
      ]),
    ).toEqual(['ar', 'rtl']);
    expect(await overflowOf(page, '200%')).toBeLessThanOrEqual(0);
    expect(await faultsOf(page)).toEqual([]);
    // Behind a modal dialog nothing has the focus.
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press('Tab');
      expect(
        await page.evaluate("document.activeElement === document.body || !!document.activeElement.closest('dialog')"),
      ).toBe(true);
    }
    await press(page, 'رفض الكل');
    await gone(page);
    expect(decisions(await recordedOf(page))).toMatchObject({ analytics: 'DENIED' });
  });
});

/** What the demo site has published, to be published again with something else in it. */
const files = async (): Promise<Answer['body']> =>
  (await world.request('GET', '/admin/v1/sites/demo/test/catalogue', { key: 'operator' })).body;
async function publish(folder: object): Promise<void> {
  const applied = await world.request('POST', '/admin/v1/sites/demo/test/catalogue', {
    key: 'operator',
    body: { purposes: [], ...folder },
  });
  expect([applied.status, applied.body]).toMatchObject([200, { published: true }]);
}
const oneDayLater = (page: Page) => page.clock.setSystemTime(Date.now() + 25 * 3_600_000);

test('closed without a choice it comes back when the site says so, and floats over the page until then', async () => {
  const { banner: published } = await files();
  const behaviour = { dismiss: 'IGNORE', resurfaceAfterDays: 1, reopen: 'FLOATING' };
  await publish({ banner: { ...published, behaviour } });
  // France demands more than that; here nobody demands anything.
  const page = await visit(AUSTRALIA);
  await press(page, 'Close');
  await gone(page);
  await page.reload();
  await settled(page);
  expect(await banner(page).count()).toBe(0);
  const reopen = page.getByRole('button', { name: 'Privacy choices' });
  expect(await page.evaluate("getComputedStyle(document.getElementById('banner-reopen')).position")).toBe('fixed');
  await reopen.click();
  await press(page, 'Close');
  expect(await recordedOf(page)).toEqual([]);
  await oneDayLater(page);
  await page.reload();
  await settled(page);
  expect(await banner(page).count()).toBe(1);
  // Its clock cannot be put back.
  await page.context().close();
});

test('whoever agreed is asked again where the words have changed, and finds nothing ticked', async () => {
  const page = await visit(GERMANY);
  await press(page, 'Accept all');
  await gone(page);
  const { purposes } = (await files()) as { purposes: { key: string; translations: { en: object } }[] };
  const analytics = purposes.find(({ key }) => key === 'analytics')!;
  const en = { ...analytics.translations.en, description: 'Counts every step.' };
  await publish({ purposes: [{ ...analytics, translations: { ...analytics.translations, en } }] });
  // A page whose requests are looked at keeps no copies, which a browser does for five minutes.
  await page.route('**/v1/banner?*', (route) => route.continue());
  await page.reload();
  await settled(page);
  await press(page, 'Choose');
  expect(await banner(page).getByText('Counts every step.').count()).toBe(1);
  for (const box of await banner(page).getByRole('checkbox').all()) expect(await box.isChecked()).toBe(false);
});
