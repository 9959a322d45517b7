import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { allowOrigin } from './client-examples.js';
import type { Browsing } from './browser.js';
import type { World } from './world.js';

/** Pages of a shop that include the elements of a service, under a strict policy, and what they are seen to do. */
export interface ElementsPages {
  origin: string;
  /** Everything that pages asked the shop for, as `METHOD path`, the oldest first. */
  asked: string[];
  /** Puts files beside the page, by their paths. */
  serves(files: Readonly<Record<string, string>>): void;
  /** Opens the page with the one line in its head. Faults that the browser reports are kept in `faults`. */
  visit(options?: VisitOptions): Promise<Page>;
  /** What the console and the policy of the page complained about. */
  faults: string[];
  stop(): Promise<void>;
}

export interface VisitOptions {
  /** Attributes of the script, without `data-`. */
  attributes?: Readonly<Record<string, string>>;
  body?: string;
  head?: string;
  /** Language of the page. */
  lang?: string;
  /** What stands first in the body. */
  first?: string;
  path?: string;
  context?: BrowserContextOptions;
  /** Another tab of the same browser. */
  beside?: Page;
  /** When the page counts as opened; default: when all that it names is loaded. */
  opened?: 'load' | 'commit';
  /** Called before anything of the page is loaded. */
  before?: (page: Page) => Promise<unknown>;
}

/** For what is waited for in a page, in milliseconds. */
const PATIENCE_MS = 60_000;
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  css: 'text/css',
  gif: 'image/gif',
  mjs: 'text/javascript',
};
const PAGE_CSS = 'body{margin:0;font:16px/1.5 system-ui,sans-serif}main{max-width:60rem;margin:auto;padding:1rem}';
const CONTENT =
  '<h1>Autumn at the shop</h1><p>Lamps, blankets, and a kettle that does not whistle.</p><p><a href="#more" id="link">More</a></p>';

export async function startElementsPages(world: World, browser: Browsing): Promise<ElementsPages> {
  let files: Readonly<Record<string, string>> = {};
  let html = '';
  const [asked, faults]: [string[], string[]] = [[], []];
  // Scripts and styles come from the service and the shop alone, and text becomes a script by one policy only.
  const csp = `default-src 'none'; script-src ${world.url} 'self' 'nonce-of-the-page'; style-src 'self' ${world.url}; connect-src ${world.url} 'self'; img-src 'self'; frame-src 'self'; require-trusted-types-for 'script'; trusted-types assent`;
  const server = createServer(({ url, method }, response) => {
    const path = new URL(url!, 'http://shop').pathname;
    if (path !== '/favicon.ico') asked.push(`${method} ${path}`);
    const file = path === '/page.css' ? PAGE_CSS : files[path];
    const type = TYPES[path.slice(path.lastIndexOf('.') + 1)];
    if (type === undefined || file !== undefined) {
      response.setHeader('Content-Type', type ?? 'text/html; charset=utf-8');
      if (file === undefined) response.setHeader('Content-Security-Policy', csp);
      return void response.end(file ?? html);
    }
    response.statusCode = 404;
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await allowOrigin(world, origin);
  return {
    origin,
    asked,
    faults,
    serves: (more) => void (files = more),
    visit: async ({
      attributes = {},
      body = CONTENT,
      head = '',
      lang = 'en',
      first = '',
      path = '/',
      context,
      beside,
      opened = 'load',
      before,
    } = {}) => {
      const page = beside ? await beside.context().newPage() : await browser.open(context);
      page.setDefaultTimeout(PATIENCE_MS);
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
      page.on('pageerror', ({ message }) => faults.push(message));
      await before?.(page);
      const named = Object.entries({ key: world.demo.publicKey, country: 'DE', ...attributes });
      const line = `<script src="${world.url}/elements/v1/assent.js" ${named.map(([name, value]) => `data-${name}="${value}"`).join(' ')} async></script>`;
      html = `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Shop</title><link rel="stylesheet" href="/page.css">${head}${line}</head><body>${first}<main>${body}</main></body></html>`;
      await page.goto(origin + path, { waitUntil: opened });
      return page;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** A function of the page by its source, for what Playwright calls with an element of it: tests are compiled without the types of browsers. */
export const inPage = <T>(source: string): ((found: never) => T) =>
  new Function('found', `return (${source})(found)`) as (found: never) => T;
