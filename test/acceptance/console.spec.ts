import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { startBrowser, type Browsing } from '../support/browser.js';
import { consoleWindow, faultsOfScreen, shown, signedInConsole, tokenOf } from '../support/console.js';
import { startWorld, type World } from '../support/world.js';

/** The console as operators meet it: its door, its frame, what it loads, and what it may load. */
let world: World;
let browser: Browsing;

beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld(), startBrowser()]);
}, 420_000);
afterAll(async () => {
  await browser?.stop();
  await world?.stop();
});
afterEach(() => browser.rest());

const LOADED_BYTES_MAX = 60 * 1024;
const SCREEN_BYTES_MAX = 15 * 1024;

describe('the page', () => {
  it('runs nothing but its own scripts, and no page may frame it or keep it', async () => {
    const { headers, status } = await world.request('GET', `/console/${world.demo.site}/test/overview`, { key: null });
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(headers['cache-control']).toBe('no-store');
  });

  it('loads files that never change under their names, at most 60 kB at first and 15 kB for a screen', async () => {
    const { page, open } = await signedInConsole(world, browser);
    const loaded = new Map<string, number>();
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (!pathname.startsWith('/console/assets/')) return;
      expect([pathname, response.headers()['cache-control']]).toEqual([
        pathname,
        'public, max-age=31536000, immutable',
      ]);
      const made = readFileSync(join('dist', 'apps', 'console', pathname.split('/').at(-1)!));
      loaded.set(pathname, gzipSync(made, { level: 9 }).length);
    });
    const sum = (): number => [...loaded.values()].reduce((all, each) => all + each, 0);
    await open(`${world.demo.site}/test/overview`);
    const first = sum();
    console.info(`the console loads ${first} bytes at first (at most ${LOADED_BYTES_MAX})`);
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThanOrEqual(LOADED_BYTES_MAX);
    for (const screen of ['people', 'requests', 'purposes', 'banner', 'statistics', 'webhooks', 'keys', 'proof']) {
      const before = sum();
      await open(`${world.demo.site}/test/${screen}`);
      console.info(`${screen}: ${sum() - before} bytes more`);
      expect([screen, sum() - before <= SCREEN_BYTES_MAX]).toEqual([screen, true]);
    }
  });

  it('has no file but those of its release', async () => {
    for (const file of ['nothing.js', '..%2fservice.js', 'manifest.txt'])
      expect((await world.request('GET', `/console/assets/${file}`, { key: null })).status).toBe(404);
  });
});

describe('the door', () => {
  it('lets in with a token, stays on the page that was asked for, and lets out again', async () => {
    const { page, messages, open } = await consoleWindow(world, browser);
    await page.goto(`${world.url}/console/${world.demo.site}/test/keys`);
    await page.getByLabel('Operator token').fill(world.demo.operatorToken);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    expect(await faultsOfScreen(page)).toEqual([]);
    await open(`${world.demo.site}/test/overview`);
    await page.locator('.who summary').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(messages).toEqual([]);
    await page.goto(`${world.url}/console/${world.demo.site}/test/keys`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(messages).toEqual([]);
  });

  it('says why a token does not fit, and keeps nothing', async () => {
    const { page } = await consoleWindow(world, browser);
    await page.goto(`${world.url}/console`);
    expect(await faultsOfScreen(page)).toEqual([]);
    await page.getByLabel('Operator token').fill(world.demo.secretKey);
    await page.keyboard.press('Enter');
    expect(await page.getByRole('alert').innerText()).toContain('operator token');
    expect(await page.context().cookies()).toEqual([]);
  });

  it('opens again where a session has ended', async () => {
    const { page, open } = await signedInConsole(world, browser);
    await open(`${world.demo.site}/test/proof`);
    await page.waitForLoadState('networkidle');
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Keys' }).click();
    expect(await page.getByText('Your session is over').innerText()).toContain('go on where you were');
    await page.getByLabel('Operator token').fill(world.demo.operatorToken);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    await open(`${world.demo.site}/test/keys`);
  });
});

describe('the frame', () => {
  it('shows each role the screens that are its own', async () => {
    const seen: Record<string, string[]> = {};
    for (const role of ['VIEWER', 'SUPPORT', 'DEVELOPER', 'AUDITOR']) {
      const { page, open } = await signedInConsole(world, browser, { token: await tokenOf(world, role) });
      await open(`${world.demo.site}/live/statistics`);
      seen[role] = await page.locator('nav .nav').allInnerTexts();
      await page.context().clearCookies();
    }
    expect(seen['VIEWER']).not.toContain('People');
    expect(seen['VIEWER']).toContain('Statistics');
    expect(seen['SUPPORT']).toEqual(expect.arrayContaining(['People', 'Requests']));
    expect(seen['SUPPORT']).not.toContain('Operators');
    expect(seen['DEVELOPER']).toContain('Webhooks');
    expect(seen['DEVELOPER']).not.toContain('People');
    expect(seen['AUDITOR']).toEqual(expect.arrayContaining(['People', 'Proof']));
  });

  it('reaches every screen and a person by the palette, with keys alone, and puts nothing typed into the address', async () => {
    const email = 'palette@example.com';
    const { body } = await world.request('POST', '/v1/subjects', {
      key: 'sk',
      body: { identifiers: [{ kind: 'email', value: email }] },
    });
    await world.caughtUp();
    const { page, messages, open } = await signedInConsole(world, browser);
    await open(`${world.demo.site}/test/overview`);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('webh');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type(email);
    expect(await faultsOfScreen(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/people/${body.id as string}`);
    await shown(page);
    expect(page.url()).not.toContain('palette');
    expect(messages).toEqual([]);
  });

  it('speaks English, German and French, and remembers it', async () => {
    const { page, open } = await signedInConsole(world, browser);
    await page.locator('.who summary').click();
    await page.getByLabel('Language').selectOption('fr');
    expect(await page.locator('nav .nav').first().innerText()).toBe('Vue d’ensemble');
    await open(`${world.demo.site}/test/keys`);
    expect(await page.locator('html').getAttribute('lang')).toBe('fr');
    await page.getByLabel('Langue').selectOption('de', { force: true });
  });

  it('works on a phone, in the dark and from right to left', async () => {
    const { page, messages, open } = await signedInConsole(world, browser, {
      viewport: { width: 375, height: 700 },
      colorScheme: 'dark',
    });
    await open(`${world.demo.site}/test/keys`);
    await page.evaluate("document.documentElement.dir = 'rtl'");
    await page.getByRole('button', { name: 'Menu' }).click();
    expect(await faultsOfScreen(page)).toEqual([]);
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    expect(await page.getByRole('link', { name: 'Webhooks' }).isVisible()).toBe(false);
    expect(messages).toEqual([]);
  });
});
