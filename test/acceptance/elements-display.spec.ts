import type { Page } from 'playwright-core';
import { startBrowser, type Browsing } from '../support/browser.js';
import { demoBannerOf, type DemoBanner } from '../support/demo-banner.js';
import { startElementsPages, type ElementsPages, type VisitOptions } from '../support/elements-pages.js';
import { until } from '../support/timing.js';
import { startWorld, type World } from '../support/world.js';

/* What a banner says of itself: how it was on the screen when a choice was made, kept with the choice. */

let world: World;
let browser: Browsing;
let pages: ElementsPages;
let banner: DemoBanner;
beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld({ own: true }), startBrowser()]);
  pages = await startElementsPages(world, browser);
  banner = demoBannerOf(world);
  pages.serves(STYLES);
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

const REFUSE = 'assent-banner::part(button-refuse)';
/** What a page may do to a banner by its own style. */
const STYLES = {
  '/pale.css': `${REFUSE} { background: transparent; border-color: transparent; color: #b4b4b0; font-weight: 400 }`,
  '/small.css': `${REFUSE} { min-block-size: 0; block-size: 18px; inline-size: 80px; padding: 0 }`,
  '/hidden.css': `${REFUSE} { opacity: 0.05 }`,
  '/hover.css': 'assent-banner::part(button-accept):hover { background: #000; color: #fff }',
};

interface Told {
  checks: { check: string; passed: boolean; measured: string }[];
  viewport: string;
}
const CHECKS = [
  'EQUAL_SIZE',
  'EQUAL_WEIGHT',
  'EQUAL_CONTRAST',
  'TEXT_CONTRAST',
  'TARGET_SIZE',
  'NOTHING_TICKED',
  'LANGUAGE',
];
const failed = ({ checks }: Told): string[] => checks.filter(({ passed }) => !passed).map(({ check }) => check);
const measured = ({ checks }: Told, name: string): string => checks.find(({ check }) => check === name)!.measured;

const holds = (page: Page, source: string) => until(() => page.evaluate<boolean>(`!!(${source})`));
/** The page has judged its banner. */
const judged = (page: Page) => holds(page, "performance.getEntriesByName('assent-judged').length > 0");
async function visit(options: VisitOptions = {}): Promise<Page> {
  const page = await pages.visit(options);
  await judged(page);
  return page;
}
const styled = (name: keyof typeof STYLES): string => `<link rel="stylesheet" href="${name}">`;
const button = (page: Page, action: string) => page.locator(`assent-banner [data-action=${action}]:visible`);

/** Presses a button; what the receipt of its first record says of the screen. */
async function receipted(page: Page, action: string): Promise<Told> {
  const chosen = page.evaluate<string[]>(
    "new Promise((resolve) => addEventListener('assent-choice', ({ detail }) => resolve(detail.receipts), { once: true }))",
  );
  await button(page, action).click();
  const [receipt] = await chosen;
  const { body } = await world.request('GET', `/v1/receipts/${receipt}`, { key: 'sk' });
  return (body.receipt as { display: Told }).display;
}

describe('a clean page passes each check', () => {
  test.each<[string, VisitOptions, string]>([
    ['in a large window', {}, 'L'],
    ['in the dark', { context: { colorScheme: 'dark' } }, 'L'],
    ['on a phone of 320 pixels', { context: { viewport: { width: 320, height: 640 } } }, 'S'],
    ['with forced colours', { context: { forcedColors: 'active' } }, 'L'],
    ['where accepting looks otherwise as long as it is pointed at', { head: styled('/hover.css') }, 'L'],
  ])('%s', async (_, options, viewport) => {
    const page = await visit(options);
    const told = await receipted(page, 'ACCEPT_ALL');
    expect([told.checks.map(({ check }) => check), failed(told), told.viewport]).toEqual([CHECKS, [], viewport]);
    expect(pages.faults).toEqual([]);
  });

  test('from right to left', async () => {
    await banner.with(await banner.arabic(), async () => {
      const told = await receipted(await visit({ lang: 'ar' }), 'REJECT_ALL');
      expect([failed(told), measured(told, 'LANGUAGE')]).toEqual([[], 'ar / ar']);
    });
  });

  test.each(['BAR', 'BOX', 'DIALOG', 'WALL'])('as a %s', async (layout) => {
    await banner.with({ layout, position: layout === 'BAR' || layout === 'BOX' ? 'BOTTOM' : 'CENTER' }, async () => {
      expect(failed(await receipted(await visit(), 'REJECT_ALL'))).toEqual([]);
    });
  });

  test('in the second layer, whatever the person has switched on there', async () => {
    const page = await visit();
    await button(page, 'CUSTOMIZE').click();
    await page.getByRole('switch', { name: 'Statistics' }).check();
    const told = await receipted(page, 'SAVE');
    expect([failed(told), measured(told, 'NOTHING_TICKED')]).toEqual([[], '0']);
  });
});

describe('what a page does to its banner stands in the receipt', () => {
  test.each<[string, keyof typeof STYLES, string[]]>([
    ['pale letters without a button', '/pale.css', ['EQUAL_WEIGHT', 'EQUAL_CONTRAST', 'TEXT_CONTRAST']],
    ['a small button', '/small.css', ['EQUAL_SIZE', 'TARGET_SIZE']],
    ['a button that is hardly seen', '/hidden.css', ['EQUAL_CONTRAST', 'TEXT_CONTRAST']],
  ])('%s', async (_, style, faults) => {
    const told = await receipted(await visit({ head: styled(style) }), 'ACCEPT_ALL');
    expect(failed(told)).toEqual(faults);
  });

  test('a banner in another language than the page', async () => {
    const told = await receipted(await visit({ attributes: { locale: 'de' } }), 'ACCEPT_ALL');
    expect([failed(told), measured(told, 'LANGUAGE')]).toEqual([['LANGUAGE'], 'de / en']);
  });

  test('a style that comes when the banner is there already', async () => {
    const page = await visit();
    await page.evaluate(
      "new Promise((loaded) => document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/pale.css', onload: loaded })))",
    );
    expect(failed(await receipted(page, 'ACCEPT_ALL'))).toContain('EQUAL_CONTRAST');
  });
});

test('it goes along with a choice that waits for a connection', async () => {
  const page = await visit({ head: styled('/pale.css') });
  await holds(page, "performance.getEntriesByType('resource').some(({ name }) => name.includes('offline-queue'))");
  await page.context().setOffline(true);
  await button(page, 'REJECT_ALL').click();
  await holds(page, "Object.keys(localStorage).some((name) => name.includes('.queue.'))");
  await page.context().setOffline(false);
  await holds(page, "!Object.keys(localStorage).some((name) => name.includes('.queue.'))");
  const visitor = await page.evaluate<string>(
    "localStorage[Object.keys(localStorage).find((name) => name.endsWith('.visitor'))]",
  );
  const path = `/v1/subjects/${encodeURIComponent(`visitor_id:${visitor}`)}/consent/history`;
  const { body } = await world.request('GET', path, { key: 'sk' });
  const [record] = body.data as { collection: { display: Told } }[];
  expect(failed(record!.collection.display)).toEqual(['EQUAL_WEIGHT', 'EQUAL_CONTRAST', 'TEXT_CONTRAST']);
});
