import type { BrowserContextOptions, Page } from 'playwright-core';
import { faultsOf, overflowOf, startBrowser, type Browsing } from '../support/browser.js';
import { demoBannerOf, type DemoBanner } from '../support/demo-banner.js';
import { startElementsPages, type ElementsPages, type VisitOptions } from '../support/elements-pages.js';
import { until } from '../support/timing.js';
import { startWorld, type World } from '../support/world.js';

/*
 * What authorities and WCAG 2.2 demand of a banner that asks for consent (OPT_IN), as a table: each row names its source and
 * is tried in each layout that it is about.
 *
 * EDPB report: Report of the work undertaken by the Cookie Banner Taskforce, 17 January 2023, by paragraph.
 * EDPB 03/2022: Guidelines on deceptive design patterns, version 2.0. CNIL: recommendation 2020-092, and notices of 12
 * December 2024.
 */

let world: World;
let browser: Browsing;
let pages: ElementsPages;
let banner: DemoBanner;
beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld({ own: true }), startBrowser()]);
  pages = await startElementsPages(world, browser);
  banner = demoBannerOf(world);
}, 420_000);
afterEach(() => browser.rest());
afterAll(async () => {
  await pages?.stop();
  await browser?.stop();
  await world?.stop();
});

const LAYOUTS = ['BAR', 'BOX', 'DIALOG', 'WALL'] as const;
type Layout = (typeof LAYOUTS)[number];
const OPEN: readonly Layout[] = ['BAR', 'BOX'];
const MODAL: readonly Layout[] = ['DIALOG', 'WALL'];

const BODY = `<h1>Shop</h1><p><a href="#more" id="link">More</a></p>${'<p>Lamps and blankets.</p>'.repeat(60)}<p><a href="#end" id="end">The end</a></p><assent-choices-link></assent-choices-link>`;
const first = (page: Page) => page.locator('assent-banner .first');
const second = (page: Page) => page.locator('assent-banner .second');
const act = (page: Page, action: string) => page.locator(`assent-banner [data-action=${action}]:visible`);
const focused = (page: Page): Promise<string> =>
  page.evaluate(
    '(({ activeElement: at }) => { const inner = at.shadowRoot?.activeElement; return inner ? inner.dataset.action ?? inner.id ?? inner.localName : at.id || at.localName; })(document)',
  );
async function visit(options: VisitOptions = {}): Promise<Page> {
  const page = await pages.visit({ body: BODY, ...options });
  await first(page).waitFor();
  return page;
}
/** Does something; the next event of this name in the page. */
async function after<T>(page: Page, event: string, act: () => Promise<unknown>): Promise<T> {
  const next = page.evaluate<T>(
    `new Promise((resolve) => addEventListener('${event}', ({ detail }) => resolve(detail), { once: true }))`,
  );
  await act();
  return next;
}
interface Chosen {
  decisions: Record<string, string>;
}
const choose = (page: Page, action: string) => after<Chosen>(page, 'assent-choice', () => act(page, action).click());

/** What both layers are tried for. */
async function inBothLayers(page: Page, check: (layer: string) => Promise<void>): Promise<void> {
  await check('.first');
  await act(page, 'CUSTOMIZE').click();
  await second(page).waitFor();
  await check('.second');
}
const shadow = <T>(page: Page, source: string): Promise<T> =>
  page.evaluate<T>(`((root) => ${source})(document.querySelector('assent-banner').shadowRoot)`);

interface Rule {
  rule: string;
  source: string;
  /** Default: all. */
  layouts?: readonly Layout[];
  context?: BrowserContextOptions;
  check: (page: Page, layout: Layout) => Promise<void>;
}

const RULES: readonly Rule[] = [
  {
    rule: 'there is a refusal beside each acceptance, as a button in the same place, and as many of them',
    source: 'EDPB report 8, 14; CNIL notices of 12 December 2024',
    check: (page) =>
      inBothLayers(page, async (layer) =>
        expect(
          await shadow(
            page,
            `['ACCEPT_ALL', 'REJECT_ALL'].map((action) => [...root.querySelectorAll('${layer} [data-action=' + action + ']')].map(({ localName, parentElement }) => localName + ' in ' + parentElement.className))`,
          ),
        ).toEqual([['button in acts'], ['button in acts']]),
      ),
  },
  {
    rule: 'accepting and refusing have the same size, letters and colours',
    source: 'EDPB report 17, 18; CNIL 2020-092, 34',
    check: (page) =>
      inBothLayers(page, async (layer) => {
        const [accept, refuse] = await shadow<unknown[]>(
          page,
          `['ACCEPT_ALL', 'REJECT_ALL'].map((action) => { const button = root.querySelector('${layer} [data-action=' + action + ']'); const { color, backgroundColor, borderColor, font, opacity } = getComputedStyle(button); return { color, backgroundColor, borderColor, font, opacity, width: Math.round(button.offsetWidth), height: button.offsetHeight }; })`,
        );
        expect(refuse).toEqual(accept);
      }),
  },
  {
    rule: 'nothing is switched on before the person does so',
    source: 'EDPB report 10; GDPR recital 32; CJEU C-673/17',
    check: async (page) => {
      await act(page, 'CUSTOMIZE').click();
      expect(await shadow(page, "[...root.querySelectorAll('input')].map(({ checked }) => checked)")).toEqual([
        false,
        false,
        false,
      ]);
    },
  },
  {
    rule: 'the page goes on working without an answer',
    source: 'EDPB report 13',
    layouts: OPEN,
    check: async (page) => {
      await page.locator('#link').click();
      await page.mouse.move(10, 10);
      await page.mouse.wheel(0, 400);
      await until(() => page.evaluate<boolean>("location.hash === '#more' && scrollY > 0"));
    },
  },
  {
    rule: 'Escape and the cross never write a grant',
    source: 'EDPB report 10',
    check: async (page) => {
      const sent: string[] = [];
      const noteFrom = (each: Page): unknown =>
        each.on('request', (request) => request.method() === 'POST' && sent.push(request.postData() ?? ''));
      noteFrom(page);
      await act(page, 'ACCEPT_ALL').focus();
      await page.keyboard.press('Escape');
      // The demo's banner takes closing for a refusal.
      await until(() => sent.length > 0);
      const another = await visit();
      noteFrom(another);
      const cross = first(another).locator('.close');
      if ((await cross.count()) > 0) {
        await cross.click();
        await until(() => sent.length > 1);
      }
      expect(sent.filter((body) => body.includes('GRANTED'))).toEqual([]);
      expect(sent[0]).toMatch(/DENIED/);
    },
  },
  {
    rule: 'who has refused is not asked again',
    source: 'EDPB 03/2022, continuous prompting; CNIL: six months',
    check: async (page) => {
      await choose(page, 'REJECT_ALL');
      await page.reload();
      await page.locator('assent-choices-link').getByRole('button').waitFor();
      expect(await first(page).count()).toBe(0);
      // Null: until the purposes change.
      const forMs = await page.evaluate<number | null>(
        "(({ until }) => until && until - Date.now())(JSON.parse(localStorage[Object.keys(localStorage).find((name) => name.includes('.choice.'))]))",
      );
      expect((forMs ?? Infinity) / 86_400_000).toBeGreaterThan(179);
    },
  },
  {
    rule: 'consent is taken back from every page, in one click of the choices as it was given by one, and they show what holds',
    source: 'GDPR art. 7(3); EDPB report 32 to 35',
    check: async (page) => {
      await choose(page, 'ACCEPT_ALL');
      await page.locator('assent-choices-link').getByRole('button').click();
      await second(page).waitFor();
      expect(await page.getByRole('switch', { name: 'Statistics' }).isChecked()).toBe(true);
      expect((await choose(page, 'REJECT_ALL')).decisions['analytics']).not.toBe('GRANTED');
    },
  },
  {
    rule: 'it is a region with a name, first in the document, and takes no focus',
    source: 'WCAG 2.2, 1.3.1, 2.4.3, 3.2.1; GOV.UK design system',
    layouts: OPEN,
    check: async (page) => {
      await page.getByRole('region', { name: 'Your privacy' }).waitFor();
      expect(
        await page.evaluate("document.body.firstElementChild.localName + ' ' + document.activeElement.localName"),
      ).toBe('assent-banner body');
    },
  },
  {
    rule: 'it is a dialog with a name and a description, takes the focus, keeps it, and lets it go',
    source: 'WCAG 2.2, 1.3.1, 2.4.3; ARIA practices, modal dialog',
    layouts: MODAL,
    check: async (page) => {
      await page.getByRole('dialog', { name: 'Your privacy' }).waitFor();
      expect(await first(page).getAttribute('aria-describedby')).toBe('body');
      expect(await focused(page)).toBe('title');
      for (let i = 0; i < 7; i++) {
        await page.keyboard.press('Tab');
        expect(await focused(page)).not.toBe('link');
      }
      await choose(page, 'REJECT_ALL');
      expect(await focused(page)).toBe('body');
    },
  },
  {
    rule: 'the opening of the choices is announced, and closing them leads back',
    source: 'WCAG 2.2, 4.1.2, 2.4.3',
    check: async (page) => {
      expect(await act(page, 'CUSTOMIZE').getAttribute('aria-haspopup')).toBe('dialog');
      await act(page, 'CUSTOMIZE').click();
      await page.getByRole('dialog', { name: 'Privacy choices' }).waitFor();
      expect(await focused(page)).toBe('choices');
      await page.keyboard.press('Escape');
      await first(page).waitFor();
      expect(await focused(page)).toBe('CUSTOMIZE');
    },
  },
  {
    rule: 'the keyboard alone refuses',
    source: 'WCAG 2.2, 2.1.1, 2.1.2',
    check: async (page) => {
      await until(async () => {
        await page.keyboard.press('Tab');
        return (await focused(page)) === 'REJECT_ALL';
      });
      const { decisions } = await after<Chosen>(page, 'assent-choice', () => page.keyboard.press('Enter'));
      expect(Object.values(decisions)).not.toContain('GRANTED');
    },
  },
  {
    rule: 'the words are read before the buttons',
    source: 'WCAG 2.2, 1.3.2',
    check: (page) =>
      inBothLayers(page, async (layer) =>
        expect(
          await shadow(
            page,
            `((title, words, button) => [title.compareDocumentPosition(words) & 4, words.compareDocumentPosition(button) & 4])(root.querySelector('${layer} h2'), root.querySelector('${layer} p'), root.querySelector('${layer} [data-action]'))`,
          ),
        ).toEqual([4, 4]),
      ),
  },
  {
    rule: 'what has the focus is not hidden by it',
    source: 'WCAG 2.2, 2.4.11',
    layouts: OPEN,
    check: async (page) => {
      await page.locator('#end').focus();
      expect(
        await page.evaluate(
          "((at) => document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2)?.id)(document.querySelector('#end').getBoundingClientRect())",
        ),
      ).toBe('end');
    },
  },
  {
    rule: 'it fits 320 pixels, also with text twice as large',
    source: 'WCAG 2.2, 1.4.10, 1.4.4',
    context: { viewport: { width: 320, height: 640 } },
    check: async (page) => {
      for (const size of ['100%', '200%']) expect(await overflowOf(page, size)).toBeLessThanOrEqual(0);
      expect(await shadow(page, "((box) => box.scrollWidth - box.clientWidth)(root.querySelector('.first'))")).toBe(0);
      await act(page, 'REJECT_ALL').scrollIntoViewIfNeeded();
      await choose(page, 'REJECT_ALL');
    },
  },
  {
    rule: 'with forced colours each control has an edge',
    source: 'WCAG 2.2, 1.4.11',
    context: { forcedColors: 'active' },
    check: async (page) => {
      await act(page, 'CUSTOMIZE').click();
      expect(
        await shadow(
          page,
          "[...root.querySelectorAll('.second button, .second input')].map(getComputedStyle).filter(({ borderTopColor, backgroundColor }) => borderTopColor === backgroundColor).length",
        ),
      ).toBe(0);
    },
  },
  {
    rule: 'nothing moves where less motion is wished for',
    source: 'WCAG 2.2, 2.3.3',
    context: { reducedMotion: 'reduce' },
    check: async (page) =>
      expect(await shadow(page, "getComputedStyle(root.querySelector('.first')).animationName")).toBe('none'),
  },
  {
    rule: 'controls measure 24 pixels',
    source: 'WCAG 2.2, 2.5.8',
    check: (page) =>
      inBothLayers(page, async (layer) =>
        expect(
          await shadow<number>(
            page,
            `Math.min(...[...root.querySelectorAll('${layer} :is(button, a, input)')].flatMap(({ offsetWidth, offsetHeight }) => [offsetWidth, offsetHeight]))`,
          ),
        ).toBeGreaterThanOrEqual(24),
      ),
  },
  {
    rule: 'axe finds nothing in both layers',
    source: 'WCAG 2.2 AA, as far as axe can tell',
    check: (page) => inBothLayers(page, async () => expect(await faultsOf(page)).toEqual([])),
  },
  {
    rule: 'nor does it in the dark',
    source: 'WCAG 2.2, 1.4.3, 1.4.11',
    context: { colorScheme: 'dark' },
    check: (page) => inBothLayers(page, async () => expect(await faultsOf(page, { ofLooks: true })).toEqual([])),
  },
];

describe.each(LAYOUTS)('a %s that asks for consent', (layout) => {
  let undo: () => Promise<void>;
  const form = { layout, position: OPEN.includes(layout) ? 'BOTTOM' : 'CENTER' };
  beforeAll(async () => void (undo = await banner.change(form)));
  afterAll(() => undo?.());

  test.each(
    RULES.filter(({ layouts = LAYOUTS }) => layouts.includes(layout)).map(
      (rule) => [rule.rule, rule.source, rule] as const,
    ),
  )('%s (%s)', async (_, __, { context, check }) => check(await visit({ ...(context && { context }) }), layout));

  test('from right to left its edges change sides, and both buttons keep one width (WCAG 2.2, 1.3.2)', async () => {
    await banner.with(await banner.arabic(), async () => {
      const page = await visit({ lang: 'ar', context: { viewport: { width: 320, height: 640 } } });
      expect(await shadow(page, "((box) => [box.lang, box.dir])(root.querySelector('.first'))")).toEqual(['ar', 'rtl']);
      expect(await overflowOf(page, '200%')).toBeLessThanOrEqual(0);
      const [accept, refuse] = await Promise.all(
        ['ACCEPT_ALL', 'REJECT_ALL'].map((action) => act(page, action).boundingBox()),
      );
      expect(refuse!.width).toBe(accept!.width);
    });
  });
});
