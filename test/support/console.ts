import type { BrowserContextOptions, Page } from 'playwright-core';
import { faultsOf, overflowOf, type Browsing } from './browser.js';
import type { World } from './world.js';

/** A window with the console in it. */
export interface ConsoleWindow {
  page: Page;
  /** Warnings, errors and reports of the policy that the page wrote to the console of the browser. */
  messages: string[];
  /** Opens a screen, such as `demo/test/overview`, and waits until nothing is loading. */
  open(screen: string): Promise<void>;
}

export interface ConsoleOptions extends BrowserContextOptions {
  /** Default: of the first start, ADMIN everywhere. */
  token?: string;
}

/** A window in which an operator has signed in by a token. */
export async function signedInConsole(
  world: World,
  browser: Browsing,
  { token = world.demo.operatorToken, ...options }: ConsoleOptions = {},
): Promise<ConsoleWindow> {
  const window = await consoleWindow(world, browser, options);
  const { page } = window;
  await page.goto(`${world.url}/console`);
  await page.getByLabel('Operator token').fill(token);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.locator('.shell').waitFor();
  return window;
}

/** A window before the sign-in. */
export async function consoleWindow(
  world: World,
  browser: Browsing,
  options: BrowserContextOptions = {},
): Promise<ConsoleWindow> {
  const page = await browser.open({ locale: 'en-GB', ...options });
  const messages: string[] = [];
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) messages.push(message.text());
  });
  page.on('pageerror', ({ message }) => messages.push(message));
  return {
    page,
    messages,
    open: async (screen) => {
      await page.goto(`${world.url}/console/${screen}`);
      await shown(page);
    },
  };
}

/** Resolves once a screen stands there and none of its parts is loading. */
export async function shown(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await page.locator('.loading').first().waitFor({ state: 'detached' });
}

/** What is wrong with how a screen is made: faults that axe finds, and pixels that it is wider than a window of 320. */
export async function faultsOfScreen(page: Page): Promise<string[]> {
  const faults = await faultsOf(page);
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 320, height: 640 });
  const tooWide = await overflowOf(page, '100%');
  await page.setViewportSize(size);
  return [...faults, ...(tooWide > 0 ? [`wider than 320 pixels, by ${tooWide}`] : [])];
}

/** A token of an operator with one role. */
export async function tokenOf(
  world: World,
  role: string,
  place: { site?: string; env?: string } = {},
): Promise<string> {
  const roles = [{ role, site: place.site ?? '*', env: place.env ?? '*' }];
  const { status, body, text } = await world.request('POST', '/admin/v1/operator-tokens', {
    key: 'operator',
    body: { name: role.toLowerCase(), roles },
  });
  if (status !== 201) throw new Error(text);
  return body.token as string;
}
