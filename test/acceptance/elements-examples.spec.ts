import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startBrowser, type Browsing } from '../support/browser.js';
import {
  allowOrigin,
  bundled,
  inPlace,
  startExample,
  startShop,
  type RunningExample,
  type Shop,
} from '../support/client-examples.js';
import { pagesConform } from '../support/elements-conformance.js';
import { signIdentityToken } from '../support/identity-token.js';
import { readTemplate, runTemplate } from '../support/gtm-sandbox.js';
import { until } from '../support/timing.js';
import { startWorld, type World } from '../support/world.js';

/* The examples of `docs/examples`, each as it stands there, on a page of another origin with a strict policy. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const EXAMPLES = join(ROOT, 'docs/examples');
const STATS = 'window.statsRan = true;';
const VIDEO = '<!doctype html><html lang="en"><title>Video</title><p>A video</p></html>';
/** Folder of an example, and the module that its page names; null: the page is all of it. */
const PAGES = { plain: null, React: 'main.jsx', Vue: 'main.js', Svelte: 'main.js' } as const;
type Name = keyof typeof PAGES;

let world: World;
let browser: Browsing;
let shop: Shop;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assent-examples-'));
  cpSync(EXAMPLES, folder, { recursive: true });
  [world, browser] = await Promise.all([startWorld({ own: true }), startBrowser()]);
  shop = await startShop(folder, world);
}, 420_000);
afterEach(() => browser.rest());
afterAll(async () => {
  await shop?.stop();
  await browser?.stop();
  await world?.stop();
  rmSync(folder, { recursive: true });
});

/** Scripts and styles of the page alone and of the service; the page itself holds no script. */
const policy = (): string =>
  `default-src 'none'; script-src 'self' ${world.url}; connect-src 'self' ${world.url}; frame-src 'self'; style-src 'none'`;

/** A text of an example, on the pages of the shop. */
const ofShop = (text: string): string =>
  inPlace(text, world)
    .replaceAll('https://stats.example/x.js', '/stats.js')
    .replaceAll('https://video.example/1', '/video')
    .replaceAll('https://tags.example/x.js', '/tags.js');

/** Shows a page in three languages. */
function show(html: string, scripts: Readonly<Record<string, string>>): void {
  const strict = html.replace('<head>', `<head><meta http-equiv="Content-Security-Policy" content="${policy()}">`);
  const inLanguages = ['en', 'de', 'ar'].map(
    (lang) => [`/${lang}`, strict.replace('lang="en"', `lang="${lang}"`)] as const,
  );
  shop.shows(strict, { ...Object.fromEntries(inLanguages), ...scripts, '/stats.js': STATS, '/video': VIDEO });
}

async function serve(name: Name): Promise<void> {
  const module = PAGES[name];
  const own = join(folder, name.toLowerCase());
  const html = ofShop(readFileSync(join(own, 'index.html'), 'utf8')).replace('/main.jsx', '/main.js');
  show(html, module === null ? {} : { '/main.js': ofShop(await bundled(join(own, module))) });
}

/** What the demo site has published, with Arabic in the place of German. */
async function inArabic(test: () => Promise<void>): Promise<void> {
  const path = '/admin/v1/sites/demo/test/catalogue';
  const { banner } = (await world.request('GET', path, { key: 'operator' })).body as { banner: object };
  const arabic = JSON.parse(
    JSON.stringify(banner).replace(
      /"de":"([^"]*)"/g,
      (_, text: string) => `"ar":${JSON.stringify(text.startsWith('http') ? text : 'خصوصيتك مهمة')}`,
    ),
  ) as { labels: object };
  // Two words for two deeds: a banner whose buttons say the same is not published.
  Object.assign(arabic.labels, {
    rejectAll: { en: 'Reject all', ar: 'رفض الكل' },
    acceptAll: { en: 'Accept all', ar: 'قبول الكل' },
  });
  const publish = async (next: object): Promise<void> => {
    const answer = await world.request('POST', path, { key: 'operator', body: { purposes: [], banner: next } });
    expect([answer.status, answer.text]).toMatchObject([200, expect.any(String)]);
  };
  await publish(arabic);
  try {
    await test();
  } finally {
    await publish(banner);
  }
}

/** Blocks of the guide “In your pages”, as [language, text]. */
const guide = readFileSync(fileURLToPath(new URL('../../docs/guides/in-your-pages.md', import.meta.url)), 'utf8');
const blocks = [...guide.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
  ([, language, text]) => [language!, text!] as const,
);
const [line, wayBack, waiting, person] = blocks.flatMap(([language, text]) => (language === 'html' ? [text] : []));
/** A page of those blocks. */
const pageOf = (head: string, body: string): string =>
  ofShop(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>${head}</head><body>${body}</body></html>`,
  );

describe.each(Object.keys(PAGES) as Name[])('%s', (name) => {
  beforeAll(() => serve(name), 420_000);
  pagesConform(name, () => ({ browser, addressIn: (lang) => `${shop.origin}/${lang}`, inArabic }));
});

describe('Express', () => {
  let server: RunningExample;
  beforeAll(async () => {
    const own = join(folder, 'express');
    await promisify(execFile)(process.execPath, [join(ROOT, 'pack-elements.mjs')]);
    mkdirSync(join(own, 'node_modules/@assent'), { recursive: true });
    symlinkSync(join(ROOT, 'dist/elements'), join(own, 'node_modules/@assent/elements'));
    symlinkSync(join(ROOT, 'node_modules/express'), join(own, 'node_modules/express'));
    const file = join(own, 'server.mjs');
    const text = inPlace(readFileSync(file, 'utf8'), world);
    writeFileSync(file, text.replaceAll(/https:\/\/(stats|video)\.example/g, shop.origin));
    shop.shows('', { '/x.js': STATS, '/1': VIDEO });
    server = await startExample(file, {});
    await allowOrigin(world, origin());
  }, 420_000);
  afterAll(() => server?.stop());
  const origin = (): string => `http://127.0.0.1:${server.port}`;

  test('its first HTML holds the banner, and none where a choice stands', async () => {
    const html = async (headers: Record<string, string>): Promise<string> =>
      (await fetch(`${origin()}/de`, { headers })).text();
    await until(async () => (await html({})).includes('Alle ablehnen'));
    expect(await html({ cookie: `assent-choice=DE:${Date.now() + 60_000}` })).not.toContain('<assent-banner');
  });
  /** A server renews its manifest every five minutes, and has the newest when it starts. */
  const inArabicFromTheStart = (test: () => Promise<void>): Promise<void> =>
    inArabic(async () => {
      const { port } = server;
      await server.stop();
      server = await startExample(join(folder, 'express/server.mjs'), { PORT: String(port) });
      await test();
    });
  pagesConform('Express', () => ({
    browser,
    addressIn: (lang) => `${origin()}/${lang}`,
    inArabic: inArabicFromTheStart,
  }));
});

describe('the guide', () => {
  beforeAll(() => show(pageOf(line!, `<main>${waiting!}</main>${wayBack!}`), { '/tags.js': 'export {};' }));
  pagesConform('its lines, one after the other', () => ({
    browser,
    addressIn: (lang) => `${shop.origin}/${lang}`,
    inArabic,
  }));
});

test('the guide shows the examples as they stand', () => {
  for (const [language, file] of [
    ['jsx', 'react/gate.jsx'],
    ['vue', 'vue/App.vue'],
    ['svelte', 'svelte/App.svelte'],
  ])
    expect(blocks).toContainEqual([language, readFileSync(join(EXAMPLES, file!), 'utf8')]);
});

test('the lines of the guide show a person what they set', async () => {
  const token = signIdentityToken({ secretKey: world.demo.secretKey, subject: 'user_id:reader-of-the-guide' });
  shop.shows(pageOf(line!, person!), { '/account/identity-token': token });
  const page = await browser.open();
  await page.goto(shop.origin);
  await page.locator('assent-preferences').getByRole('heading', { name: 'Consents' }).waitFor();
});

describe('the template of a tag manager', () => {
  const template = readTemplate(readFileSync(join(EXAMPLES, 'tag-manager/assent.tpl'), 'utf8'));
  const fields = { key: 'pk_test_1', country: 'DE', locale: 'de' };

  test('denies before anything else, then loads the script with what its fields say', () => {
    expect(template.info).toMatchObject({ type: 'TAG', containerContexts: ['WEB'] });
    const [denied, ...rest] = runTemplate(template, fields);
    expect(denied).toEqual([
      'default',
      {
        ad_storage: 'denied',
        ad_user_data: 'denied',
        ad_personalization: 'denied',
        analytics_storage: 'denied',
        functionality_storage: 'denied',
        personalization_storage: 'denied',
        security_storage: 'denied',
        wait_for_update: 500,
      },
    ]);
    const address = 'https://consent.example/elements/v1/assent.js';
    expect(rest).toEqual([['script', `${address}?consent-mode=on&key=pk_test_1&country=DE&locale=de`], ['success']]);
  });

  test('does what its permissions allow, and a sandbox refuses everything else', () => {
    for (const code of [
      "require('sendPixel')",
      "require('injectScript')('https://other.example/x.js')",
      'document.title',
    ])
      expect(() => runTemplate({ ...template, code }, fields)).toThrow();
    expect(() => runTemplate({ ...template, permissions: [] }, fields)).toThrow('no permission');
  });

  test('a page that loads the script so, without attributes, has the banner', async () => {
    const [, script] = runTemplate(template, { ...fields, key: world.demo.publicKey });
    const address = script![1]!.toString().replace('https://consent.example', world.url);
    shop.shows(pageOf(`<script src="${address.replaceAll('&', '&amp;')}" async></script>`, '<h1>Shop</h1>'));
    const page = await browser.open();
    await page.goto(shop.origin);
    await page.getByRole('region', { name: 'Ihre Privatsphäre' }).waitFor();
    await page.locator('assent-banner').getByRole('button', { name: 'Alle annehmen' }).click();
    const updates = "[...dataLayer].filter((entry) => entry[0] === 'consent' && entry[1] === 'update')";
    await until(() => page.evaluate(`${updates}.at(-1)?.[2].analytics_storage === 'granted'`));
  });
});
