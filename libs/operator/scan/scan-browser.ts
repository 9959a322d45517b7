import { randomBytes } from 'node:crypto';
import type { Browser, BrowserContext, CDPSession, Frame, Locator, Page, Request, Response } from 'playwright-core';
import { parseUrl } from '../../kernel/index.js';
import { isPublicHost } from './address.js';
import { NotScanned } from './chromium.js';
import type { ConsentTool } from './consent-tools.js';
import { KEPT_IN_FRAME, LINKS, NAME_MAX, pause, watchWrites } from './in-page.js';
import { isOfSite, type Technology } from './sighting.js';
import { Traces, type Raw } from './traces.js';

/*
 * The only file that speaks to the browser. Playwright knows frames, shadow roots and how to press a button as a person
 * does. What it does not tell, who asked for something, comes from Chromium's own protocol.
 */

/** A page that was opened. */
export interface OpenedPage {
  /** Where it ended after redirects. */
  url: string;
  /** Of the answer; 0: there was none, as with `about:blank`. */
  status: number;
  isHtml: boolean;
  /** Registrable domain by the list of public suffixes that the browser has; empty: the host has none. */
  registrable: string;
}

/** The buttons of a banner that are to be seen. */
export interface FoundButtons {
  tool: ConsentTool;
  /** Host of the frame that they are in; null: they are in the page itself. */
  frameHost: string | null;
  accept: Locator | null;
  refuse: Locator | null;
}

export interface ScanBrowser {
  /** Of Chromium. */
  version: string;
  userAgent: string;
  /** A visitor with nothing on the device. */
  visitor(): Promise<Visitor>;
  close(): Promise<void>;
}

export interface BrowserOptions {
  /** The program. */
  chromium: string;
  /** What the user agent ends with. */
  robot: string;
  /** Whether requests to addresses that are not public are stopped. */
  onlyPublic: boolean;
  /** How long a page is watched once it has loaded, in milliseconds. */
  watchMs: number;
}

const START_MS = 120_000;
const OPEN_MS = 30_000;
const LOAD_MS = 20_000;
const PRESS_MS = 30_000;
/** Looks for a banner once a page is loaded and was watched: some five seconds. */
const BANNER_LOOKS = 50;
const GONE_LOOKS = 100;
/** Beside a load a page takes longer than it asked its timer for. */
const WATCH_AT_MOST_MS = 30_000;

/** Starts Chromium without a window. Throws NotScanned where it, or what speaks to it, is not there. */
export async function startScanBrowser(options: BrowserOptions): Promise<ScanBrowser> {
  const { chromium } = await import('playwright-core').catch(() => {
    throw new NotScanned(
      'no_chromium',
      'A scan needs the optional package playwright-core, which is not installed here.',
      'Run the scan where the service was installed by "npm ci", not in the container image.',
    );
  });
  const browser = await chromium
    .launch({
      executablePath: options.chromium,
      timeout: START_MS,
      // Root has no sandbox in Chromium.
      chromiumSandbox: process.getuid?.() !== 0,
      args: [
        // Many banners stay away where navigator.webdriver says that a program is looking. The user agent says it still.
        '--disable-blink-features=AutomationControlled',
        '--disable-dev-shm-usage',
        '--disable-background-networking',
        '--disable-component-update',
        '--no-first-run',
      ],
    })
    .catch((error: Error) => {
      throw new NotScanned(
        'no_chromium',
        `${options.chromium} does not start: ${error.message.split('\n')[0]}`,
        /sandbox/i.test(error.message)
          ? 'It found no sandbox. Take Chrome or Chromium from a package, which brings the profile that allows one, or allow unprivileged user namespaces.'
          : 'Name another Chromium by ASSENT_CHROMIUM.',
      );
    });
  const version = browser.version();
  const userAgent = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Safari/537.36 ${options.robot}`;
  return { version, userAgent, visitor: () => Visitor.come(browser, userAgent, options), close: () => browser.close() };
}

/** One visitor: a browser context with one page, and all that it keeps and asks for. */
export class Visitor {
  private readonly traces = new Traces();
  /** Answers whose headers are being read. */
  private readonly reading = new Set<Promise<unknown>>();

  private constructor(
    private readonly context: BrowserContext,
    private readonly page: Page,
    private readonly devtools: CDPSession,
    private readonly watchMs: number,
  ) {}

  static async come(browser: Browser, userAgent: string, { onlyPublic, watchMs }: BrowserOptions): Promise<Visitor> {
    const context = await browser.newContext({ userAgent, viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    const visitor = new Visitor(context, page, await context.newCDPSession(page), watchMs);
    await visitor.watch(onlyPublic);
    return visitor;
  }

  private async watch(onlyPublic: boolean): Promise<void> {
    const { context, devtools, page, traces } = this;
    const binding = `__${randomBytes(8).toString('hex')}`;
    await context.exposeFunction(binding, (technology: unknown, name: unknown, url: unknown) =>
      traces.wrote(String(technology), String(name), 'SCRIPT', String(url)),
    );
    await context.addInitScript(watchWrites(binding));
    context.on('request', (request) => this.noteRequest(request));
    context.on('response', (response) => this.read(response));
    page.on('websocket', (socket) => traces.request(socket.url(), 'websocket', page.url()));
    // A question of the page would stop it; that before leaving is answered with yes.
    page.on('dialog', (dialog) => {
      const answered = dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss();
      void answered.catch(() => undefined);
    });
    context.on('page', (other) => void other.close().catch(() => undefined));
    devtools.on('Network.requestWillBeSent', ({ request, initiator, documentURL }) =>
      traces.asks(request.url, initiator.stack, initiator.url ?? documentURL),
    );
    await devtools.send('Network.enable');
    // What a script has put off, such as the load of an image, is ascribed to it all the same.
    await devtools.send('Runtime.enable');
    await devtools.send('Runtime.setAsyncCallStackDepth', { maxDepth: 8 }).catch(() => undefined);
    if (onlyPublic)
      await context.route('**/*', async (route) => {
        const { hostname } = new URL(route.request().url());
        await ((await isPublicHost(hostname)) ? route.continue() : route.abort('addressunreachable')).catch(
          () => undefined,
        );
      });
  }

  /** Opens a page as a person would, and watches it. Throws an Error that says why it could not be opened. */
  async open(url: string): Promise<OpenedPage> {
    const { page } = this;
    const answer = await page.goto(url, { waitUntil: 'commit', timeout: OPEN_MS });
    await page.waitForLoadState('load', { timeout: LOAD_MS }).catch(() => undefined);
    await this.pause();
    const { frameTree } = await this.devtools.send('Page.getFrameTree');
    return {
      url: page.url(),
      status: answer?.status() ?? 0,
      isHtml: /html/.test(answer?.headers()['content-type'] ?? 'text/html'),
      registrable: frameTree.frame.domainAndRegistry,
    };
  }

  /** Lets the page go on for as long as pages are watched, by the clock of the page. */
  private async pause(): Promise<void> {
    const deadline = performance.now() + this.watchMs + WATCH_AT_MOST_MS;
    while (performance.now() < deadline) {
      const passed = await within(this.page.evaluate(pause(this.watchMs)), deadline - performance.now());
      if (passed) return;
      // The page went elsewhere by itself.
      await this.page.waitForLoadState('load', { timeout: LOAD_MS }).catch(() => undefined);
      if (this.page.isClosed()) return;
    }
  }

  /** Addresses that the page links to. */
  async links(): Promise<string[]> {
    return this.page.evaluate<string[]>(LINKS).catch(() => []);
  }

  /** Whether a text can be taken for a CSS selector. */
  async isSelector(text: string): Promise<boolean> {
    return this.page
      .locator(text)
      .count()
      .then(
        () => true,
        ({ message }: Error) => !/while parsing|not a valid selector/.test(message),
      );
  }

  /** The buttons of a banner that is to be seen, of the first of the tools that has one; null: of none of them. */
  async buttons(tools: readonly ConsentTool[]): Promise<FoundButtons | null> {
    const any = tools.flatMap(({ accept, refuse }) => [...accept, ...refuse]);
    let found: FoundButtons | null = null;
    await this.lookUntil(BANNER_LOOKS, async () => (found = await this.buttonsNow(tools, any)) !== null);
    return found;
  }

  private async buttonsNow(tools: readonly ConsentTool[], any: readonly string[]): Promise<FoundButtons | null> {
    for (const frame of this.page.frames()) {
      if ((await visible(frame, any)) === null) continue;
      for (const tool of tools) {
        const [accept, refuse] = [await visible(frame, tool.accept), await visible(frame, tool.refuse)];
        if (accept || refuse) return { tool, frameHost: hostOf(frame), accept, refuse };
      }
    }
    return null;
  }

  /** Presses a button, and watches what comes of it. Answers whether the button went away. */
  async press(button: Locator): Promise<boolean> {
    await button
      .click({ timeout: PRESS_MS })
      // Something lies over it, such as another banner.
      .catch(() => button.dispatchEvent('click', undefined, { timeout: PRESS_MS }));
    // Where the frame of the button is gone, so is the button.
    const isGone = await this.lookUntil(GONE_LOOKS, async () => !(await button.isVisible().catch(() => false)));
    await this.pause();
    return isGone;
  }

  /** Looks so many times, a tenth of a second of the page apart: longer where the machine is busy, and the page with it. */
  private async lookUntil(times: number, look: () => Promise<boolean>): Promise<boolean> {
    for (let looked = 0; looked < times; looked++) {
      if (await look()) return true;
      await within(this.page.evaluate(pause(100)), 5_000);
    }
    return false;
  }

  /** What is kept on the device now. */
  async kept(): Promise<Raw[]> {
    await within(Promise.allSettled(this.reading), LOAD_MS);
    const cookies = (await this.context.cookies()).map(({ name, domain, path, expires, httpOnly }) => ({
      technology: 'COOKIE' as const,
      name: name.slice(0, NAME_MAX),
      domain: domain.replace(/^\./, ''),
      path,
      maxAgeSeconds: expires < 0 ? null : Math.max(1, Math.round(expires - Date.now() / 1000)),
      httpOnly,
    }));
    const stored = await Promise.all(this.page.frames().map((frame) => keptIn(frame)));
    return [...cookies, ...stored.flat()].map((each) => ({
      ...each,
      by: this.traces.writersOf(each.technology, each.name),
    }));
  }

  /** What was asked for since the last call, from any host. */
  requests(): Raw[] {
    return this.traces.takeRequests();
  }

  get servedElements(): ReadonlySet<string> {
    return this.traces.servedElements;
  }

  /** After a page that led to another site: as if it had not been opened. */
  async forget(site: string): Promise<void> {
    this.requests();
    for (const { name, domain, path } of await this.context.cookies())
      if (isOfSite(domain.replace(/^\./, ''), site)) await this.context.clearCookies({ name, domain, path });
  }

  async leave(): Promise<void> {
    await this.context.close();
  }

  private noteRequest(request: Request): void {
    const frame = frameOf(request);
    const type = request.resourceType();
    // The page itself is none.
    if (type === 'document' && (frame === null || frame.parentFrame() === null)) return;
    const page = type === 'document' ? frame?.parentFrame() : frame;
    this.traces.request(request.url(), type, page?.url() ?? null);
  }

  private read(response: Response): void {
    const reading = response
      .headersArray()
      .then((headers) => {
        for (const { name, value } of headers)
          if (name.toLowerCase() === 'set-cookie')
            for (const line of value.split('\n'))
              this.traces.wrote('COOKIE', line.split(/[=;]/)[0]!.trim(), 'ANSWER', response.url());
      })
      // The page was left before the answer had come.
      .catch(() => undefined)
      .finally(() => this.reading.delete(reading));
    this.reading.add(reading);
  }
}

const hostOf = (frame: Frame): string | null =>
  frame.parentFrame() === null ? null : parseUrl(frame.url())?.hostname || null;

const frameOf = (request: Request): Frame | null => {
  try {
    return request.frame();
  } catch {
    // Of a service worker, or of a page that is only beginning.
    return null;
  }
};

/** Whether the work ended well in time. Never throws. */
async function within(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((done) => (timer = setTimeout(done, Math.max(0, ms), false)));
  const ended = work.then(
    () => true,
    () => false,
  );
  return Promise.race([ended, late]).finally(() => clearTimeout(timer));
}

async function visible(frame: Frame, selectors: readonly string[]): Promise<Locator | null> {
  if (selectors.length === 0) return null;
  const found = frame.locator(selectors.join(', ')).filter({ visible: true });
  return (await found.count().catch(() => 0)) > 0 ? found.first() : null;
}

async function keptIn(frame: Frame): Promise<Omit<Raw, 'by'>[]> {
  const url = parseUrl(frame.url());
  if (!url || !/^https?:$/.test(url.protocol)) return [];
  const found = frame.evaluate<Partial<Record<Technology, unknown[]>>>(KEPT_IN_FRAME).catch(() => ({}));
  return Object.entries(await found).flatMap(([technology, names]) =>
    (names ?? []).map((name) => ({
      technology: technology as Technology,
      name: String(name).slice(0, NAME_MAX),
      domain: url.hostname,
      path: null,
      maxAgeSeconds: null,
      httpOnly: null,
    })),
  );
}
