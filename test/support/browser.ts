import { mkdtempSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { ensure } from './debian.mjs';
import { keep } from './keeper.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** For whatever is waited for in a page, and for the start; beside a load everything takes longer. */
const PATIENCE_MS = 240_000;
/** WCAG 2.2 up to AA, and what axe holds to be good practice. */
const RULES = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };
/** Those of them that ask about colours, sizes and what has to be scrolled; the others ask about the document. */
const RULES_OF_LOOKS = {
  type: 'rule',
  values: ['color-contrast', 'link-in-text-block', 'target-size', 'scrollable-region-focusable'],
};

/** Whether pages are looked at in every look, and all that they do is tried: that takes minutes, and seldom finds more. */
export const ALL_OF_PAGES = process.env['PAGES_ALL'] === '1';

export interface Browsing {
  /** A browser of its own kind: no cookies, no cache, nothing of the others. */
  open(options?: BrowserContextOptions): Promise<Page>;
  /** After a test: what it opened is emptied when it is opened again, which takes half of what a new one does. */
  rest(): Promise<void>;
  stop(): Promise<void>;
}

/** The program that `CHROMIUM` names, else one from PATH, else one that is installed now. */
export const chromiumProgram = async (): Promise<string> =>
  process.env['CHROMIUM'] ?? (await ensure('chromium-headless-shell').catch(() => ensure('chromium')));

/**
 * A real Chromium without a window. Debian's shell of it has no windows at all, and takes half the time of the whole
 * browser. It reaches this machine only.
 */
export async function startBrowser(): Promise<Browsing> {
  const program = await chromiumProgram();
  const folder = mkdtempSync(join(tmpdir(), 'assent-browser-'));
  const keeper = keep(folder);
  let browser: Browser;
  try {
    browser = await chromium.launch({
      executablePath: program,
      timeout: PATIENCE_MS,
      // Root has no sandbox in Chromium; every page that is opened is one of ours.
      chromiumSandbox: process.getuid?.() !== 0,
      args: [
        '--disable-dev-shm-usage',
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE 127.0.0.2',
        '--disable-background-networking',
        '--disable-component-update',
        '--no-first-run',
      ],
      env: { ...process.env, HOME: folder } as Record<string, string>,
      artifactsDir: folder,
    });
  } catch (error) {
    await keeper.clean();
    throw error;
  }
  const [inUse, resting] = [new Map<Page, string>(), new Map<string, Page[]>()];
  return {
    open: async (options = {}) => {
      const kind = JSON.stringify(options);
      const rested = resting.get(kind)?.pop();
      const page = rested ?? (await (await browser.newContext(options)).newPage());
      if (rested) await empty(rested);
      page.setDefaultTimeout(PATIENCE_MS);
      inUse.set(page, kind);
      return page;
    },
    rest: async () => {
      for (const [page, kind] of inUse) {
        if (!page.isClosed()) resting.set(kind, [...(resting.get(kind) ?? []), page]);
        for (const other of page.context().pages()) if (other !== page) await other.close();
      }
      inUse.clear();
    },
    stop: async () => {
      await browser.close();
      await keeper.clean();
    },
  };
}

/** Leaves nothing in a window of those who used it. */
async function empty(page: Page): Promise<void> {
  // A frame that was put into the page a moment ago has no address yet.
  const addresses = page.frames().map((frame) => frame.url());
  const origins = new Set(addresses.filter(Boolean).map((address) => new URL(address).origin));
  for (const event of ['request', 'requestfinished', 'requestfailed', 'response', 'console'] as const)
    page.removeAllListeners(event);
  await page.unrouteAll();
  await page.evaluate('sessionStorage.clear()').catch(() => undefined);
  await page.goto('about:blank');
  const session = await page.context().newCDPSession(page);
  for (const origin of origins)
    if (origin !== 'null') await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await session.send('Network.clearBrowserCache');
  await session.detach();
  await page.context().clearCookies();
}

/**
 * Every fault that axe finds on a page, as `rule: what it is about: where`. Works whatever the page's policy forbids.
 * `ofLooks`: only what another look of the same page could change, which takes half the time.
 */
export async function faultsOf(page: Page, { ofLooks = false } = {}): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<{ violations: { id: string; help: string; nodes: { html: string }[] }[] }>(
    `axe.run(document, ${JSON.stringify({ runOnly: ofLooks ? RULES_OF_LOOKS : RULES, resultTypes: ['violations'] })})`,
  );
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`));
}

/** By how many pixels a page is wider than its window, with text as large as told. */
export async function overflowOf(page: Page, textSize: string): Promise<number> {
  await page.evaluate(`document.documentElement.style.fontSize = '${textSize}'`);
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

export interface Focused {
  tag: string;
  /** Pixels. */
  height: number;
  ringWidth: number;
  /** Contrast of the focus ring against the ground of the page (WCAG 2.2, 1.4.11). */
  ringContrast: number;
}

/** What has the focus, and how that is to be seen. */
export async function focusOf(page: Page): Promise<Focused> {
  const { ring, ground, ...seen } = await page.evaluate<
    Omit<Focused, 'ringContrast'> & { ring: string; ground: string }
  >(`(() => {
    const focused = document.activeElement;
    const { outlineWidth, outlineColor } = getComputedStyle(focused);
    return { tag: focused.tagName, height: focused.getBoundingClientRect().height, ringWidth: parseFloat(outlineWidth), ring: outlineColor, ground: getComputedStyle(document.body).backgroundColor };
  })()`);
  return { ...seen, ringContrast: contrast(ring, ground) };
}

/** Contrast of two colours as a browser computes them, `rgb(r, g, b)`. */
function contrast(a: string, b: string): number {
  const luminance = (colour: string): number =>
    colour
      .match(/[\d.]+/g)!
      .slice(0, 3)
      .map((part) => Number(part) / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
      .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i]!, 0);
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}
