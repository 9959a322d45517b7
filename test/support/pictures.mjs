// `npm run pictures`: pictures of the pages for people, of the documentation, and of every screen of the console with the
// demo's history, on a desktop in the light and in the dark and on a phone, in dist/pictures. Those that guides show go to
// docs/guides as well. For people who look at what they changed.
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { ensure } from './debian.mjs';

const ROOT = join(import.meta.dirname, '../..');
const OUT = join(ROOT, 'dist', 'pictures');
const PORT = process.env.PORT ?? '4170';
const URL = `http://127.0.0.1:${PORT}`;
const READY_WITHIN_MS = 240_000;
/** How long the demo may take to make its weeks of history after it is ready. */
const HISTORY_MS = Number(process.env.PICTURES_AFTER_MS ?? 30_000);

const PLACE = 'demo/test';
/** Screens by the name of their picture. */
const SCREENS = {
  overview: `${PLACE}/overview`,
  people: `${PLACE}/people`,
  requests: `${PLACE}/requests`,
  purposes: `${PLACE}/purposes`,
  purpose: `${PLACE}/purposes/analytics`,
  banner: `${PLACE}/banner`,
  statistics: `${PLACE}/statistics`,
  webhooks: `${PLACE}/webhooks`,
  keys: `${PLACE}/keys`,
  settings: `${PLACE}/settings`,
  proof: `${PLACE}/proof`,
  system: 'system',
  operators: 'operators',
  journal: 'journal',
};
const LOOKS = {
  light: { viewport: { width: 1280, height: 860 } },
  dark: { viewport: { width: 1280, height: 860 }, colorScheme: 'dark' },
  phone: { viewport: { width: 375, height: 780 } },
};
/** Pages for people, by the name of their picture. Those of the portal are of a person who is signed in. */
const PAGES = {
  start: '/',
  docs: '/docs/guides',
  guide: '/docs/guides/in-your-pages',
  law: '/docs/policy',
  'banner-page': '/docs/banner?country=DE',
  'portal-consents': '/portal/demo/test/consents',
  'portal-preferences': '/portal/demo/test/preferences',
  'portal-requests': '/portal/demo/test/requests',
};
/** Pictures that guides show, by their names there. */
const IN_GUIDES = {
  ...Object.fromEntries(
    ['overview', 'person', 'requests', 'purpose', 'proof', 'webhooks'].map((name) => [name, `console-${name}`]),
  ),
  'portal-consents': 'portal-consents',
};
/** Who is looked up for the picture of a person. */
const PERSON = ['email', process.env.PICTURES_PERSON ?? 'ada@demo.example'];

const data = mkdtempSync(join(tmpdir(), 'assent-pictures-'));
const service = spawn(process.execPath, ['apps/standalone/start.mjs'], {
  cwd: ROOT,
  env: { ...process.env, PORT, ASSENT_DATA: data },
  stdio: ['ignore', 'ignore', 'inherit'],
});
try {
  await ready();
  console.log(`the demo makes its history (${HISTORY_MS / 1000} s)`);
  await pause(HISTORY_MS);
  mkdirSync(OUT, { recursive: true });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? (await ensure('chromium-headless-shell')),
    chromiumSandbox: process.getuid?.() !== 0,
  });
  for (const [look, options] of Object.entries(LOOKS)) {
    await pagePictures(browser, look, options);
    await pictures(browser, look, options);
  }
  await browser.close();
  for (const [name, there] of Object.entries(IN_GUIDES))
    copyFileSync(join(OUT, `${name}-light.png`), join(ROOT, 'docs', 'guides', `${there}.png`));
  console.log(`pictures in ${OUT}`);
} finally {
  service.kill();
  await new Promise((resolve) => service.once('exit', resolve));
  rmSync(data, { recursive: true, force: true });
}

async function ready() {
  const until = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const answer = await fetch(`${URL}/readyz`).catch(() => null);
    if (answer?.ok) return;
    if (Date.now() > until || service.exitCode !== null) throw new Error('the service did not start');
    await pause(250);
  }
}

async function pagePictures(browser, look, options) {
  const { secretKey } = JSON.parse(readFileSync(join(data, 'demo.json'), 'utf8'));
  const signIn = await fetch(`${URL}/v1/portal-tokens`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secretKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ subject: PERSON.join(':') }),
  });
  const page = await (await browser.newContext({ ...options, locale: 'en-GB' })).newPage();
  await page.goto((await signIn.json()).url);
  await page.locator('#enter button').click();
  await page.locator('header form button').waitFor();
  for (const [name, path] of Object.entries(PAGES)) {
    await page.goto(URL + path);
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(OUT, `${name}-${look}.png`), fullPage: look === 'phone' });
    console.log(`${name}, ${look}`);
  }
  await page.context().close();
}

async function pictures(browser, look, options) {
  const page = await (await browser.newContext({ ...options, locale: 'en-GB' })).newPage();
  page.on('console', (message) => console.log(`${look}: ${message.text()}`));
  await page.goto(`${URL}/console`);
  await page.locator('.door').waitFor();
  await page.screenshot({ path: join(OUT, `sign-in-${look}.png`) });
  await page.getByRole('button', { name: 'Look around' }).click();
  await page.locator('.shell').waitFor();
  for (const [name, screen] of Object.entries(SCREENS)) {
    await page.goto(`${URL}/console/${screen}`);
    await taken(page, name, look);
  }
  const [kind, value] = PERSON;
  await page.keyboard.press('Control+k');
  await page.keyboard.type(`${kind}:${value}`);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/people/sub_*');
  await taken(page, 'person', look);
  await page.context().close();
}

async function taken(page, name, look) {
  await page.locator('main h1').first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.locator('.loading').first().waitFor({ state: 'detached' });
  await page.screenshot({ path: join(OUT, `${name}-${look}.png`), fullPage: look !== 'light' });
  console.log(`${name}, ${look}`);
}
