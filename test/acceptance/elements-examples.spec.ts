import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startBrowser, type Browsing } from '../support/browser.js';
import { bundled, inPlace, startShop, type Shop } from '../support/client-examples.js';
import { pagesConform } from '../support/elements-conformance.js';
import { startWorld, type World } from '../support/world.js';

/* The examples of `docs/examples`, each as it stands there, on a page of another origin with a strict policy. */

const EXAMPLES = fileURLToPath(new URL('../../docs/examples', import.meta.url));
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

async function serve(name: Name): Promise<void> {
  const module = PAGES[name];
  const own = join(folder, name.toLowerCase());
  const ofShop = (text: string): string =>
    inPlace(text, world)
      .replaceAll('https://stats.example/x.js', '/stats.js')
      .replaceAll('https://video.example/1', '/video');
  const html = ofShop(readFileSync(join(own, 'index.html'), 'utf8'))
    .replace('<head>', `<head><meta http-equiv="Content-Security-Policy" content="${policy()}">`)
    .replace('/main.jsx', '/main.js');
  const scripts = module === null ? {} : { '/main.js': ofShop(await bundled(join(own, module))) };
  const inLanguages = ['en', 'de', 'ar'].map(
    (lang) => [`/${lang}`, html.replace('lang="en"', `lang="${lang}"`)] as const,
  );
  shop.shows(html, { ...Object.fromEntries(inLanguages), ...scripts, '/stats.js': STATS, '/video': VIDEO });
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

describe.each(Object.keys(PAGES) as Name[])('%s', (name) => {
  beforeAll(() => serve(name), 420_000);
  pagesConform(name, () => ({ browser, addressIn: (lang) => `${shop.origin}/${lang}`, inArabic }));
});
