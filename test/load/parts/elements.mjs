import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { startAssent } from '../assent.mjs';

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** A phone of the middle class on a slow mobile network, as Lighthouse takes it. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 };
const CPU_SLOWED = 4;
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const KLARO = 'klaro@0.7.22';
/** For one load, in milliseconds. */
const PATIENCE_MS = 60_000;

export const ELEMENTS = [
  {
    name: 'elements-rendered',
    title: 'time to visible of a banner in the first HTML, beside the faster peer',
    floor: { most: 0.334 },
  },
  { name: 'elements-one-line', title: 'time to visible of the one line, beside the faster peer', floor: { most: 1 } },
];

/**
 * From the start of the navigation to the first frame with the banner in it, with an empty cache, in one browser, one page
 * after the other: with and without a server, vanilla-cookieconsent and klaro as their documentation says.
 */
export async function measureElements({ folder }, { rounds }, progress, measured) {
  const assent = await startAssent(join(folder, 'assent'));
  const { pages, server, origin } = await startShop(folder, assent);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox'],
  });
  const times = Object.fromEntries(Object.keys(pages).map((name) => [name, []]));
  try {
    progress.expect(rounds * Object.keys(pages).length);
    for (let round = 0; round <= rounds; round++)
      for (const [name, { seen }] of Object.entries(pages)) {
        const ms = await visibleAfter(browser, `${origin}/${name}`, seen);
        // The first round only warms up: servers and browser have run nothing yet.
        if (round === 0) continue;
        times[name].push(ms);
        progress.step(name, `${Math.round(ms)} ms`);
      }
  } finally {
    await browser.close();
    server.close();
    await assent.stop();
  }
  const medians = Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]));
  const faster = Math.min(medians['cookieconsent'], medians['klaro']);
  measured(
    ELEMENTS.map((each, i) => ({
      ...each,
      unit: 'of the faster peer',
      value: medians[i === 0 ? 'rendered' : 'one-line'] / faster,
      detail: { medians, times },
    })),
  );
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)];

async function visibleAfter(browser, url, seen) {
  const context = await browser.newContext(PHONE);
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.addInitScript(`
      window.shownAt = null;
      (function look(at) {
        const found = (${seen})();
        if (found?.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && found.getBoundingClientRect().height > 0)
          window.shownAt ??= at;
        else requestAnimationFrame(look);
      })(0);`);
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', NETWORK);
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWED });
    await page.goto(url, { waitUntil: 'commit' });
    return await (await page.waitForFunction('window.shownAt')).jsonValue();
  } finally {
    await context.close();
  }
}

/** A shop whose pages are the same but for the banner. */
async function startShop(folder, { url }) {
  const { publicKey } = JSON.parse(readFileSync(join(folder, 'assent', 'demo.json'), 'utf8'));
  if (spawnSync(process.execPath, [join(ROOT, 'pack-elements.mjs')], { stdio: 'inherit' }).status !== 0)
    throw new Error('the package of the elements was not made');
  const { renderBanner } = await import(join(ROOT, 'dist', 'elements', 'server.js'));
  const answer = await fetch(`${url}/v1/banner/manifest`, { headers: { Authorization: `Bearer ${publicKey}` } });
  const manifest = await answer.json();
  manifest.style = url + new URL(manifest.style).pathname;

  const cookieConsent = dirname(createRequire(import.meta.url).resolve('vanilla-cookieconsent'));
  const klaro = unpacked(KLARO, folder);
  const files = {
    '/cookieconsent.css': readFileSync(join(cookieConsent, 'cookieconsent.css')),
    '/cookieconsent.js': readFileSync(join(cookieConsent, 'cookieconsent.umd.js')),
    '/cookieconsent-config.js': COOKIECONSENT,
    '/klaro.js': readFileSync(join(klaro, 'dist', 'klaro.js')),
    '/klaro-config.js': KLARO_CONFIG,
    '/page.css': 'body{margin:0;font:16px/1.5 system-ui,sans-serif}main{max-width:60rem;margin:auto;padding:1rem}',
  };
  const line = (more) => `<script src="${url}/elements/v1/assent.js" data-key="${publicKey}" ${more} async></script>`;
  const ofAssent = "() => document.querySelector('assent-banner')?.shadowRoot?.querySelector('.first')";
  const pages = {
    rendered: { head: line(''), first: renderBanner(manifest, { country: 'DE', locale: 'en' }), seen: ofAssent },
    'one-line': { head: line('data-country="DE"'), first: '', seen: ofAssent },
    cookieconsent: {
      head: '<link rel="stylesheet" href="/cookieconsent.css"><script defer src="/cookieconsent.js"></script><script defer src="/cookieconsent-config.js"></script>',
      first: '',
      seen: "() => document.querySelector('#cc-main .cm')",
    },
    klaro: {
      head: '<script defer src="/klaro-config.js"></script><script defer src="/klaro.js"></script>',
      first: '',
      seen: "() => document.querySelector('.klaro .cookie-notice')",
    },
  };
  const text = '<p>Lamps, blankets, and a kettle that does not whistle.</p>'.repeat(40);
  const html = ({ head, first }) =>
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Shop</title><link rel="stylesheet" href="/page.css">${head}</head><body>${first}<main><h1>Shop</h1>${text}</main></body></html>`;
  const types = { '.css': 'text/css', '.js': 'text/javascript', '': 'text/html; charset=utf-8' };
  const server = createServer(({ url: path }, response) => {
    const page = pages[path.slice(1)];
    const body = page ? html(page) : files[path];
    response.statusCode = body === undefined ? 404 : 200;
    response.setHeader('Content-Type', types[extname(path)] ?? 'text/plain');
    response.setHeader('Content-Encoding', 'gzip');
    response.end(gzipSync(body ?? ''));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { pages, server, origin: `http://localhost:${server.address().port}` };
}

/** A package of the registry in the folder, without those that it names. */
function unpacked(name, folder) {
  const { stdout, status } = spawnSync('npm', ['pack', name, '--pack-destination', folder, '--json'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${name} could not be fetched`);
  spawnSync('tar', ['-xzf', join(folder, JSON.parse(stdout)[0].filename), '-C', folder]);
  return join(folder, 'package');
}

const TEXTS = ['May we count visits and show advertising?', 'Accept all', 'Reject all', 'Choose'];
// A browser that a program drives counts as a bot there.
const COOKIECONSENT = `CookieConsent.run({ hideFromBots: false,
  categories: { necessary: { enabled: true, readOnly: true }, analytics: {}, marketing: {} },
  language: { default: 'en', translations: { en: {
    consentModal: { title: 'Your privacy', description: '${TEXTS[0]}', acceptAllBtn: '${TEXTS[1]}', acceptNecessaryBtn: '${TEXTS[2]}', showPreferencesBtn: '${TEXTS[3]}' },
    preferencesModal: { title: 'Choices', acceptAllBtn: '${TEXTS[1]}', acceptNecessaryBtn: '${TEXTS[2]}', savePreferencesBtn: 'Save', sections: [
      { title: 'Statistics', description: 'Counts visits.', linkedCategory: 'analytics' },
      { title: 'Advertising', description: 'Shows advertising.', linkedCategory: 'marketing' } ] },
  } } } });`;
const KLARO_CONFIG = `var klaroConfig = { version: 1, elementID: 'klaro', lang: 'en', default: false, mustConsent: false, acceptAll: true,
  translations: { en: { consentNotice: { description: '${TEXTS[0]}' }, purposes: { analytics: 'Statistics', marketing: 'Advertising' }, privacyPolicyUrl: '/privacy' } },
  services: [ { name: 'stats', title: 'Statistics', purposes: ['analytics'] }, { name: 'ads', title: 'Advertising', purposes: ['marketing'] } ] };`;
