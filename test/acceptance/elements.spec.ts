import { gzipSync } from 'node:zlib';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { faultsOf, overflowOf, startBrowser, type Browsing } from '../support/browser.js';
import { inPage, startElementsPages, type ElementsPages, type VisitOptions } from '../support/elements-pages.js';
import { until } from '../support/timing.js';
import { startWorld, type Answer, type World } from '../support/world.js';

/* The banner of `/elements/v1/assent.js`, in a real browser, on a page of another origin with a strict policy. */

let world: World;
let browser: Browsing;
let pages: ElementsPages;
beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld({ own: true }), startBrowser()]);
  pages = await startElementsPages(world, browser);
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

const CALIFORNIA = { country: 'US', region: 'US-CA' };
const AUSTRALIA = { country: 'AU' };

const region = (page: Page) => page.getByRole('region', { name: /privacy|data/i });
const choices = (page: Page) => page.getByRole('dialog', { name: 'Privacy choices' });
const press = (page: Page, name: string) =>
  page.locator('assent-banner').getByRole('button', { name, exact: true }).click();
const backToChoices = (page: Page) => page.locator('assent-choices-link').getByRole('button').click();
/** The banner is drawn, or the page knows that it need not be. */
async function visit(options: VisitOptions = {}): Promise<Page> {
  const page = await pages.visit({
    body: '<h1>Shop</h1><p><a href="#more" id="link">More</a></p><assent-choices-link></assent-choices-link>',
    ...options,
  });
  await shown(page);
  return page;
}
const shown = (page: Page) => region(page).waitFor();
const gone = async (page: Page) => {
  await page.locator('assent-banner [part=dialog]:visible').first().waitFor({ state: 'hidden' });
};
/** Resolves with what the page says of the next choice. */
const chosen = (
  page: Page,
): Promise<{ decisions: Record<string, string>; method: string; records: string[]; receipts: string[] }> =>
  page.evaluate(
    "new Promise((resolve) => addEventListener('assent-choice', ({ detail }) => resolve(detail), { once: true }))",
  );
/** Resolves when the page says yes; without `eval`, which its policy forbids. */
const holds = (page: Page, source: string) => until(() => page.evaluate<boolean>(`!!(${source})`));
const ready = (page: Page) =>
  holds(page, "document.querySelector('assent-choices-link')?.shadowRoot?.querySelector('button:not([hidden])')");

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
async function choose(page: Page, name: string): ReturnType<typeof chosen> {
  const next = chosen(page);
  await press(page, name);
  return next;
}

/** What the demo site has published, to be published again with something else in it. */
const files = async (): Promise<Answer['body']> =>
  (await world.request('GET', '/admin/v1/sites/demo/test/catalogue', { key: 'operator' })).body;
/** Answers whether that changed something. */
async function publish(folder: object): Promise<boolean> {
  const applied = await world.request('POST', '/admin/v1/sites/demo/test/catalogue', {
    key: 'operator',
    body: { purposes: [], ...folder },
  });
  expect([applied.status, applied.text]).toMatchObject([200, expect.any(String)]);
  return applied.body['published'] as boolean;
}
/** Another banner for one test; the one before afterwards. */
async function withBanner(change: object, test: () => Promise<void>): Promise<void> {
  const { banner } = await files();
  if (!(await publish({ banner: { ...(banner as object), ...change } }))) return test();
  try {
    await test();
  } finally {
    await publish({ banner });
  }
}

describe('one line in a page', () => {
  test('shows the banner with one question, breaks no rule of the page, and keeps nothing on the device', async () => {
    const seen: string[] = [];
    const page = await visit({
      before: async (page) =>
        page.on(
          'request',
          (request) => request.url().startsWith(world.url) && seen.push(new URL(request.url()).pathname),
        ),
    });
    expect(seen.filter((path) => path.startsWith('/v1/'))).toEqual(['/v1/banner']);
    const parts = seen
      .filter((path) => path.startsWith('/elements/'))
      .map((path) => path.replace(/-[\w-]{8}\.js$/, ''));
    // What keeps choices without a connection comes when the page has nothing better to do.
    expect(parts.slice(0, 3)).toEqual(['/elements/v1/assent.js', '/elements/v1/page', '/elements/v1/draw']);
    expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([0, 0, '']);
    expect(await page.context().cookies()).toEqual([]);
    expect(pages.faults).toEqual([]);
  });

  test('moves nothing of the page, and is not its largest paint', async () => {
    const text = 'Everything in this page stands still when the banner comes. '.repeat(30);
    const page = await visit({
      body: `<h1>Shop</h1><p>${text}</p><assent-choices-link></assent-choices-link>`,
      before: (page) =>
        page.addInitScript(`
          window.moved = 0; window.largest = null;
          new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (moved += value))).observe({ type: 'layout-shift', buffered: true });
          new PerformanceObserver((list) => (largest = list.getEntries().at(-1).element?.localName)).observe({ type: 'largest-contentful-paint', buffered: true });`),
    });
    await holds(page, 'largest');
    expect(await page.evaluate('[moved, largest]')).toEqual([0, 'p']);
    await page.context().close();
  });

  test('stands first in the document, takes no focus, and is reached first by the keyboard', async () => {
    const page = await visit();
    expect(
      await page.evaluate('[document.body.firstElementChild.localName, document.activeElement === document.body]'),
    ).toEqual(['assent-banner', true]);
    const focused: string[] = [];
    for (let i = 0; i < 5; i++) {
      await page.keyboard.press('Tab');
      focused.push(
        await page.evaluate('(document.activeElement.shadowRoot?.activeElement ?? document.activeElement).textContent'),
      );
    }
    expect(focused).toEqual(['Privacy policy', 'Accept all', 'Reject all', 'Choose', '×']);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).toBe('link');
  });

  test('asks in the language of the page, by the law of the place', async () => {
    const page = await pages.visit({ lang: 'de' });
    await page.getByRole('region', { name: 'Ihre Privatsphäre' }).waitFor();
    expect(
      await page.locator('assent-banner section').evaluate(inPage('(section) => [section.lang, section.dir]')),
    ).toEqual(['de', 'ltr']);
  });

  test('without storage in the browser still asks, records and opens what is allowed', async () => {
    const page = await visit({
      before: (page) =>
        page.addInitScript(
          "Object.defineProperty(window, 'localStorage', { get() { throw new Error('forbidden'); } })",
        ),
    });
    expect((await choose(page, 'Accept all')).decisions).toMatchObject({ analytics: 'GRANTED' });
    expect(pages.faults).toEqual([]);
    await page.context().close();
  });

  test('keeps the members that the page had under the name, and offers the whole client', async () => {
    const page = await visit({ head: '<script nonce="of-the-page">window.assent = { mine: 1 };</script>' });
    expect(
      await page.evaluate(
        'assent.ready.then((client) => [assent.mine, client === assent.client, typeof assent.recordConsent, client instanceof assent.AssentClient])',
      ),
    ).toEqual([1, true, 'function', true]);
  });

  test('leaves it to the page where that wants it so', async () => {
    const page = await pages.visit({ attributes: { mode: 'manual' }, body: '<assent-banner></assent-banner>' });
    await page.evaluate('assent.ready.then(() => true)');
    expect(await region(page).count()).toBe(0);
    await page.evaluate('document.querySelector("assent-banner").open()');
    await shown(page);
  });
});

describe('where people must be asked', () => {
  test('accepting and refusing are of equal weight, and nothing is switched on', async () => {
    const page = await visit();
    const looks = (name: string): Promise<Record<string, unknown>> =>
      page
        .locator('assent-banner')
        .getByRole('button', { name, exact: true })
        .first()
        .evaluate(
          inPage(`(button) => {
        const { width, height } = button.getBoundingClientRect();
        const { color, backgroundColor, borderColor, font, opacity } = getComputedStyle(button);
        return { width, height, color, backgroundColor, borderColor, font, opacity };
      }`),
        );
    expect(await looks('Reject all')).toEqual(await looks('Accept all'));
    expect((await looks('Reject all'))['height']).toBeGreaterThanOrEqual(44);
    await press(page, 'Choose');
    expect(await choices(page).getByRole('switch').count()).toBe(3);
    for (const toggle of await choices(page).getByRole('switch').all()) expect(await toggle.isChecked()).toBe(false);
    // Wherever there is a yes there is a no beside it.
    expect(await choices(page).getByRole('button').allInnerTexts()).toEqual([
      'Accept all',
      'Reject all',
      'Save my choices',
      '×',
    ]);
  });

  test('what is chosen is recorded in one batch, with what was shown and where', async () => {
    const page = await visit();
    const served = await world.request('GET', `/v1/banner?country=DE`, { key: world.demo.publicKey });
    await press(page, 'Choose');
    await choices(page).getByRole('switch', { name: 'Statistics' }).check();
    const said = await choose(page, 'Save my choices');
    const records = await recordedOf(page);
    expect(decisions(records)).toEqual({ analytics: 'GRANTED', marketing: 'DENIED', sale_of_data: 'OBJECTED' });
    expect(said).toMatchObject({ decisions: decisions(records), method: 'SAVE_CHOICES' });
    expect([...said.records].sort()).toEqual(records.map(({ id }) => id as string).sort());
    for (const record of records)
      expect(record).toMatchObject({
        jurisdiction: { country: 'DE', source: 'DECLARED' },
        collection: {
          method: 'SAVE_CHOICES',
          surface: 'BANNER',
          url: `${pages.origin}/`,
          locale: 'en',
          bannerVersion: served.body.version,
          noticeHash: served.body.contentHash,
        },
        presentation: { banner: { version: served.body.version, contentHash: served.body.contentHash } },
      });
  });

  test('the click is answered on the screen before anything is sent', async () => {
    const page = await visit();
    let wasHidden: unknown = null;
    await page.route('**/v1/consent/batch', async (route) => {
      wasHidden = await page.evaluate(
        "document.querySelector('assent-banner').shadowRoot.querySelector('section').hidden",
      );
      await route.continue();
    });
    await choose(page, 'Reject all');
    expect(wasHidden).toBe(true);
  });

  test('an answer is asked for once, and the way back shows what holds and takes it back in as many clicks', async () => {
    const page = await visit();
    await choose(page, 'Accept all');
    await page.reload();
    await ready(page);
    expect(await region(page).count()).toBe(0);
    await backToChoices(page);
    expect(await choices(page).getByRole('switch', { name: 'Statistics' }).isChecked()).toBe(true);
    expect((await choose(page, 'Reject all')).decisions).toMatchObject({ analytics: 'DENIED' });
    expect((await recordedOf(page)).at(-1)).toMatchObject({
      state: expect.stringMatching(/WITHDRAWN|OBJECTED|DENIED/) as unknown,
    });
    await backToChoices(page);
    expect(await choices(page).getByRole('switch', { name: 'Statistics' }).isChecked()).toBe(false);
    // Closing changes nothing, and gives the focus back.
    await page.keyboard.press('Escape');
    await gone(page);
    expect(await page.evaluate('document.activeElement.localName')).toBe('assent-choices-link');
  });

  test.each<[string, (page: Page) => Promise<void>]>([
    ['by the key', async (page) => (await page.keyboard.press('Tab'), page.keyboard.press('Escape'))],
    ['by the button', (page) => press(page, 'Close')],
  ])('closing it without a choice refuses, %s', async (_, closed) => {
    const page = await visit();
    const said = chosen(page);
    await closed(page);
    expect(await said).toMatchObject({
      method: 'DISMISS',
      decisions: { analytics: 'DENIED', marketing: 'DENIED', sale_of_data: 'OBJECTED' },
    });
  });

  test('the choices open in a dialog of their own, and lead back to where they were opened', async () => {
    const page = await visit();
    await press(page, 'Choose');
    expect(await page.evaluate('document.activeElement.shadowRoot.activeElement.id')).toBe('choices');
    for (let i = 0; i < 9; i++) {
      await page.keyboard.press('Tab');
      expect(
        await page.evaluate('document.activeElement === document.body || document.activeElement.localName'),
      ).not.toBe('a');
    }
    await page.keyboard.press('Escape');
    await shown(page);
    expect(await page.evaluate('document.activeElement.shadowRoot.activeElement.dataset.action')).toBe('CUSTOMIZE');
    expect(await page.evaluate('localStorage.length')).toBe(0);
  });

  test('a choice that cannot be sent comes back, says so, and has one effect however often it is sent', async () => {
    const page = await visit();
    const keys: (string | undefined)[] = [];
    // The first try reaches the service, but the answer is lost; then it answers that it cannot.
    await page.route('**/v1/consent/batch', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 3) return route.continue();
      if (keys.length === 1) await route.fetch();
      await route.fulfill({ status: 403, json: { code: 'origin_not_allowed', message: 'Not now.' } });
    });
    for (let tries = 1; tries <= 3; tries++) {
      await press(page, 'Reject all');
      await region(page).getByText('This could not be saved. Please try again.').waitFor();
    }
    await choose(page, 'Reject all');
    expect(new Set(keys).size).toBe(1);
    expect(await recordedOf(page)).toHaveLength(3);
  });

  test('a choice without a connection is kept and sent when there is one', async () => {
    const page = await visit();
    await holds(page, "performance.getEntriesByType('resource').some(({ name }) => name.includes('offline-queue'))");
    await page.context().setOffline(true);
    await press(page, 'Reject all');
    await gone(page);
    await holds(page, "Object.keys(localStorage).some((name) => name.includes('.queue.'))");
    await page.context().setOffline(false);
    await holds(page, "!Object.keys(localStorage).some((name) => name.includes('.queue.'))");
    expect(decisions(await recordedOf(page))).toMatchObject({ analytics: 'DENIED' });
  });

  test('what is chosen in one tab is not asked for in the others', async () => {
    const page = await visit();
    const other = await visit({ beside: page });
    await choose(page, 'Accept all');
    await gone(other);
    await backToChoices(other);
    expect(await choices(other).getByRole('switch', { name: 'Statistics' }).isChecked()).toBe(true);
  });

  test('a page that comes back from the cache of the browser asks no more what was answered meanwhile', async () => {
    const page = await visit();
    const other = await visit({ beside: page });
    await page.evaluate('window.BroadcastChannel.prototype.dispatchEvent; window.wasHeard = false');
    await choose(other, 'Reject all');
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    await gone(page);
  });

  test.each(['presentation_token_expired', 'presentation_token_invalid'])(
    'what stood there for too long is fetched anew, and asks once more with the words of now: %s',
    async (code) => {
      const page = await pages.visit({
        before: async (page) => {
          await page.route(
            '**/v1/banner?*',
            async (route) => {
              const answer = await route.fetch();
              const served = (await answer.json()) as { presentationToken: string; texts: object };
              const texts = { ...served.texts, title: 'Privacy of yesterday' };
              await route.fulfill({
                response: answer,
                json: { ...served, texts, presentationToken: `${served.presentationToken}x` },
              });
            },
            { times: 1 },
          );
          // No test can wait for a day: the service refuses a token that it did not sign, in the same form.
          await page.route('**/v1/consent/batch', async (route) => {
            const answer = await route.fetch();
            const body = (await answer.text()).replaceAll('presentation_token_invalid', code);
            await route.fulfill({ response: answer, body });
          });
        },
      });
      await page.getByRole('region', { name: 'Privacy of yesterday' }).waitFor();
      await press(page, 'Choose');
      await choices(page).getByRole('switch', { name: 'Statistics' }).check();
      await press(page, 'Save my choices');
      await choices(page).getByText('This stood here for too long to count. Please choose once more.').waitFor();
      expect(await choices(page).getByRole('switch', { name: 'Statistics' }).isChecked()).toBe(true);
      await choose(page, 'Save my choices');
      expect(decisions(await recordedOf(page))).toMatchObject({ analytics: 'GRANTED', marketing: 'DENIED' });
    },
  );

  test('whoever agreed is asked again where the words have changed, and finds nothing switched on', async () => {
    const page = await visit();
    await choose(page, 'Accept all');
    const { purposes } = (await files()) as { purposes: { key: string; translations: { en: object } }[] };
    const analytics = purposes.find(({ key }) => key === 'analytics')!;
    const en = { ...analytics.translations.en, description: 'Counts every step.' };
    await publish({ purposes: [{ ...analytics, translations: { ...analytics.translations, en } }] });
    // A page whose requests are looked at keeps no copies, which a browser does for five minutes.
    await page.route('**/v1/banner?*', (route) => route.continue());
    await page.reload();
    await shown(page);
    await press(page, 'Choose');
    expect(await choices(page).getByText('Counts every step.').count()).toBe(1);
    expect(await choices(page).getByRole('switch', { name: 'Statistics' }).isChecked()).toBe(false);
  });
});

test('where people may object, one click objects to what Global Privacy Control would object to, and nothing else is said', async () => {
  const page = await visit({ attributes: CALIFORNIA });
  await choose(page, 'Do not sell or share my data');
  expect(decisions(await recordedOf(page))).toEqual({ marketing: 'DENIED', sale_of_data: 'OBJECTED' });
});

test('where people are told, having read it is all that is recorded, and they can object all the same', async () => {
  const page = await visit({ attributes: AUSTRALIA });
  await choose(page, 'Understood');
  expect(decisions(await recordedOf(page))).toEqual({ fraud_prevention: 'ACKNOWLEDGED' });
  await backToChoices(page);
  await choices(page).getByRole('switch', { name: 'Sale and sharing of data' }).uncheck();
  expect((await choose(page, 'Save my choices')).decisions).toMatchObject({ sale_of_data: 'OBJECTED' });
});

test('closed without a choice it comes back when the site says so, and floats over the page until then', async () => {
  const behaviour = { dismiss: 'IGNORE', resurfaceAfterDays: 1, reopen: 'FLOATING' };
  await withBanner({ behaviour }, async () => {
    // France demands more than that; here nobody demands anything.
    const page = await pages.visit({ attributes: AUSTRALIA });
    await shown(page);
    await press(page, 'Close');
    await gone(page);
    await ready(page);
    await page.reload();
    expect(await page.evaluate('Object.keys(localStorage).some((name) => name.endsWith(".visitor"))')).toBe(false);
    await holds(page, 'customElements.get("assent-banner")');
    expect(await region(page).count()).toBe(0);
    await page.clock.setSystemTime(Date.now() + 25 * 3_600_000);
    await page.reload();
    await shown(page);
    // Its clock cannot be put back.
    await page.context().close();
  });
});

describe('for everybody', () => {
  const SMALL: BrowserContextOptions = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true };

  test.each([
    ['asking', {}],
    ['letting object', CALIFORNIA],
    ['telling', AUSTRALIA],
  ])('axe finds nothing in both layers, light and dark: %s', async (_, attributes) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await visit({ attributes, context: { colorScheme } });
      expect(await faultsOf(page, { ofLooks: colorScheme === 'dark' })).toEqual([]);
      await press(page, 'Choose');
      expect(await faultsOf(page, { ofLooks: colorScheme === 'dark' })).toEqual([]);
    }
  });

  test.each(['BAR', 'BOX', 'DIALOG', 'WALL'])(
    'a %s fits a phone of 320 pixels, also with text twice as large, and its last button can be reached',
    async (layout) => {
      await withBanner({ layout, position: layout === 'BAR' || layout === 'BOX' ? 'BOTTOM' : 'CENTER' }, async () => {
        const page = await pages.visit({ context: SMALL });
        const box = page.locator('assent-banner .first');
        await box.waitFor();
        const overflow = (): Promise<number> =>
          box.evaluate(inPage<number>('(box) => box.scrollWidth - box.clientWidth'));
        for (const size of ['100%', '200%']) {
          expect(await overflowOf(page, size)).toBeLessThanOrEqual(0);
          expect(await overflow()).toBe(0);
        }
        await press(page, 'Choose');
        const said = chosen(page);
        await choices(page).getByRole('button', { name: 'Save my choices' }).tap();
        await gone(page);
        await said;
        expect(await recordedOf(page)).toHaveLength(3);
      });
    },
  );

  test('a modal one takes the focus to its title, keeps the keyboard, and gives the focus back', async () => {
    await withBanner({ layout: 'DIALOG', position: 'CENTER' }, async () => {
      const page = await pages.visit();
      await page.getByRole('dialog', { name: 'Your privacy' }).waitFor();
      expect(await page.evaluate('document.activeElement.shadowRoot.activeElement.id')).toBe('title');
      expect(await faultsOf(page)).toEqual([]);
      for (let i = 0; i < 8; i++) {
        await page.keyboard.press('Tab');
        expect(
          await page.evaluate(
            "document.activeElement === document.body || document.activeElement.localName === 'assent-banner'",
          ),
        ).toBe(true);
      }
      await choose(page, 'Reject all');
      expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
    });
  });

  test('it is written from right to left where its language is', async () => {
    const { banner } = await files();
    const arabic = JSON.parse(
      JSON.stringify(banner).replace(
        /"de":"([^"]*)"/g,
        (_, text: string) => `"ar":${JSON.stringify(text.startsWith('http') ? text : 'خصوصيتك مهمة')}`,
      ),
    ) as Record<string, Record<string, unknown>>;
    // Two words for two deeds: a banner whose buttons say the same is not published.
    Object.assign(arabic['labels']!, {
      rejectAll: { en: 'Reject all', ar: 'رفض الكل' },
      acceptAll: { en: 'Accept all', ar: 'قبول الكل' },
    });
    await withBanner(arabic, async () => {
      const page = await pages.visit({ lang: 'ar', context: SMALL });
      await page.getByRole('region').waitFor();
      expect(await page.locator('assent-banner .first').evaluate(inPage('(box) => [box.lang, box.dir]'))).toEqual([
        'ar',
        'rtl',
      ]);
      expect(await overflowOf(page, '200%')).toBeLessThanOrEqual(0);
      expect(await faultsOf(page)).toEqual([]);
      const [accept, refuse] = await Promise.all(
        ['قبول الكل', 'رفض الكل'].map((name) => page.getByRole('button', { name, exact: true }).first().boundingBox()),
      );
      expect(accept!.width).toBe(refuse!.width);
    });
  });

  test('forced colours keep edges on every control, and less motion means none', async () => {
    const page = await visit({ context: { forcedColors: 'active', reducedMotion: 'reduce' } });
    expect(
      await page.locator('assent-banner .first').evaluate(inPage('(box) => getComputedStyle(box).animationName')),
    ).toBe('none');
    await press(page, 'Choose');
    for (const control of await choices(page).locator('button, input').all())
      expect(
        await control.evaluate(
          inPage('(control) => getComputedStyle(control).borderTopColor === getComputedStyle(control).backgroundColor'),
        ),
      ).toBe(false);
  });
});

describe('the files', () => {
  test('are for pages of every origin, the script for five minutes and its parts for ever', async () => {
    const script = await fetch(`${world.url}/elements/v1/assent.js`);
    expect([
      script.status,
      script.headers.get('access-control-allow-origin'),
      script.headers.get('cache-control'),
    ]).toEqual([200, '*', 'public, max-age=300']);
    const etag = script.headers.get('etag')!;
    expect((await fetch(script.url, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    const part = /"(page-[\w-]+\.js)"/.exec((await script.text()).replaceAll('`', '"'))![1]!;
    const served = await fetch(`${world.url}/elements/v1/${part}`);
    expect(served.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await fetch(`${world.url}/elements/v1/assent.js.map`)).status).toBe(200);
    expect((await fetch(`${world.url}/elements/v1/page-00000000.js`)).status).toBe(404);
  });

  test('are small: gzipped, what decides takes at most 4 kB, and all that asks and records at most 18 kB', async () => {
    const sizeOf = async (name: string): Promise<number> =>
      gzipSync(await (await fetch(`${world.url}/elements/v1/${name}`)).text(), { level: 9 }).length;
    const script = await (await fetch(`${world.url}/elements/v1/assent.js`)).text();
    const parts = ['page', 'draw'].map((part) => new RegExp(`${part}-[\\w-]{8}\\.js`).exec(script)![0]);
    const sizes = await Promise.all(['assent.js', ...parts].map(sizeOf));
    console.info(`elements: ${sizes.join(' + ')} bytes gzipped`);
    expect(sizes[0]).toBeLessThanOrEqual(4096);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(18_432);
  });

  test('a page may name one release of it by its integrity', async () => {
    const manifest = (await (await fetch(`${world.url}/elements/v1/manifest.json`)).json()) as {
      script: string;
      integrity: string;
    };
    const page = await pages.visit({
      attributes: { mode: 'manual', key: '' },
      head: `<script src="${world.url}/elements/v1/${manifest.script}" integrity="${manifest.integrity}" crossorigin data-key="${world.demo.publicKey}" data-country="DE" async></script>`,
    });
    await shown(page);
    expect(pages.faults).toEqual([]);
  });

  test('a browser that kept the script of another release loads the one of now', async () => {
    const page = await pages.visit({
      before: (page) =>
        page.route(
          '**/elements/v1/assent.js',
          async (route) => {
            const answer = await route.fetch();
            await route.fulfill({
              response: answer,
              body: (await answer.text()).replace(/page-[\w-]+\.js/, 'page-00000000.js'),
            });
          },
          { times: 1 },
        ),
    });
    await shown(page);
  });
});
