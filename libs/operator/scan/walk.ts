import { setTimeout as rest } from 'node:timers/promises';
import { NotScanned } from './chromium.js';
import { CONSENT_TOOLS, REQUESTS, toolOf, type ConsentTool } from './consent-tools.js';
import { pageOf, robotsOf, sitemapPages } from './page-finding.js';
import { EVERYTHING } from './robots.js';
import type { OpenedPage, ScanBrowser, Visitor } from './scan-browser.js';
import { isOfSite, PHASES, Sightings, type Phase, type Sighting, type Thing } from './sighting.js';
import type { Raw } from './traces.js';

/** What was done with the banner of a site. */
export interface BannerSeen {
  tool: string;
  refused: Pressed;
  accepted: Pressed;
}

/** PRESSED: the phase after it is claimed. NO_BUTTON: the first layer has none. STAYED: pressed, and the button is still there. */
export type Pressed = 'PRESSED' | 'STAYED' | 'NO_BUTTON';

export interface SiteSeen {
  origin: string;
  /** Registrable domain, or the host where it has none. */
  site: string;
  /** Null: none was found. */
  banner: BannerSeen | null;
  /** That were opened in every phase. */
  pages: string[];
  /** Found pages that were not looked at, and why. */
  skipped: { url: string; why: string }[];
  things: Thing[];
  /** Seen beyond the limit, and left out. */
  dropped: number;
}

export interface WalkOptions {
  /** Most pages that are opened in each phase. */
  pages: number;
  ignoreRobots: boolean;
  /** CSS selectors of the user; null: the buttons of known products are looked for. */
  accept: string | null;
  refuse: string | null;
  /** Called before each page is opened. `share`: from 0 to 1. */
  progress: (share: number, opened: number) => void;
}

/** One page at a time, with a rest between two. */
const REST_MS = 300;
const SKIPPED_MAX = 200;

/**
 * Looks at the pages of one site three times: before a choice, after refusing all and after accepting all. `named`: pages
 * that the user named, of one origin. Throws NotScanned where one of them cannot be read.
 */
export async function walkSite(
  browser: ScanBrowser,
  named: readonly string[],
  options: WalkOptions,
): Promise<SiteSeen> {
  const walk = new Walk(browser, named, options);
  await walk.before();
  await walk.after('REFUSED');
  await walk.after('ACCEPTED');
  return walk.result();
}

class Walk {
  /** The tool that a host serves, by host. */
  private readonly servedBy = new Map<string, string>();
  private readonly sightings = new Sightings();
  private readonly skipped: SiteSeen['skipped'] = [];
  private readonly pages: string[] = [];
  private readonly tools: readonly ConsentTool[];
  private robots = EVERYTHING;
  private origin = '';
  private site = '';
  private banner: BannerSeen | null = null;
  private phase: Phase = 'BEFORE';
  private opened = 0;
  private openedInPhase = 0;

  constructor(
    private readonly browser: ScanBrowser,
    private readonly named: readonly string[],
    private readonly options: WalkOptions,
  ) {
    const { accept, refuse } = options;
    const own = { name: 'as named', keeps: [], domains: [] };
    const all = (kind: 'accept' | 'refuse'): string[] => CONSENT_TOOLS.flatMap((tool) => tool[kind]);
    this.tools =
      accept === null && refuse === null
        ? CONSENT_TOOLS
        : [{ ...own, accept: accept ? [accept] : all('accept'), refuse: refuse ? [refuse] : all('refuse') }];
  }

  /** Finds the pages, and what is there before a choice. */
  before(): Promise<void> {
    return this.visit(async (visitor) => {
      for (const selector of [this.options.accept, this.options.refuse])
        if (selector !== null && !(await visitor.isSelector(selector)))
          throw new NotScanned('no_selector', `${selector} is no CSS selector.`, "Write it like '#cookies .yes'.");
      const isNamed = new Set(this.named);
      /** Grows while it is walked through. */
      const waiting = new Set(this.named);
      for (const url of waiting) {
        const page = await this.open(visitor, url, 'BEFORE');
        const fault = this.faultOf(page);
        if (typeof page === 'string' || fault !== null) {
          const why = fault ?? String(page);
          if (isNamed.has(url))
            throw new NotScanned('page_not_read', `${url} ${why}.`, 'Look at the page in a browser of this machine.');
          this.skipped.push({ url, why });
          if (typeof page !== 'string') await this.forget(visitor, page);
          continue;
        }
        if (this.pages.length === 0) {
          this.origin = new URL(page.url).origin;
          this.site = page.registrable || new URL(page.url).hostname;
        }
        this.pages.push(url);
        await this.look(visitor, url, 'BEFORE');
        if (this.pages.length >= this.options.pages) break;
        for (const each of await this.found(visitor)) if (waiting.size < 5 * this.options.pages) waiting.add(each);
      }
    });
  }

  /** Pages that may be opened: at the first page those of the sitemaps, then those that the page links to. */
  private async found(visitor: Visitor): Promise<string[]> {
    const { origin, options } = this;
    const { userAgent } = this.browser;
    const isFirst = this.pages.length === 1;
    if (isFirst && !options.ignoreRobots) this.robots = await robotsOf(origin, userAgent);
    // More than are opened, for those that cannot be.
    const mapped = isFirst ? await sitemapPages(origin, this.robots, userAgent, 2 * options.pages) : [];
    const linked = (await visitor.links()).flatMap((link) => pageOf(link, origin) ?? []);
    return [...mapped, ...linked].filter((url) => {
      const { pathname, search } = new URL(url);
      const isAllowed = this.robots.allows(pathname + search);
      const isKnown = isAllowed || this.skipped.some((skipped) => skipped.url === url);
      if (!isKnown && this.skipped.length < SKIPPED_MAX) this.skipped.push({ url, why: this.robots.why });
      return isAllowed;
    });
  }

  /** What another site keeps of its own, once it was opened, is no matter of this one. */
  private async forget(visitor: Visitor, { url, registrable }: OpenedPage): Promise<void> {
    const { hostname } = new URL(url);
    if (!isOfSite(hostname, this.site)) await visitor.forget(registrable || hostname);
  }

  /** Chooses on the first page, and looks at all of them again. */
  async after(phase: 'REFUSED' | 'ACCEPTED'): Promise<void> {
    if (phase === 'ACCEPTED' && this.banner === null) return;
    await this.visit(async (visitor) => {
      const [first] = this.pages;
      const page = await this.open(visitor, first!, phase);
      if (typeof page === 'string')
        throw new NotScanned('page_not_read', `${first} ${page} when it was opened again.`, 'Try again.');
      const found = await visitor.buttons(this.tools);
      if (found?.frameHost) this.servedBy.set(found.frameHost, found.tool.name);
      if (found) this.banner ??= { tool: found.tool.name, refused: 'NO_BUTTON', accepted: 'NO_BUTTON' };
      const [button, name] =
        phase === 'REFUSED' ? [found?.refuse, 'refused' as const] : [found?.accept, 'accepted' as const];
      if (!button) return;
      // What was asked for until now came before the choice.
      visitor.requests();
      this.banner![name] = (await visitor.press(button)) ? 'PRESSED' : 'STAYED';
      await this.look(visitor, first!, phase);
      for (const url of this.pages)
        if (typeof (await this.open(visitor, url, phase)) !== 'string') await this.look(visitor, url, phase);
    });
  }

  result(): SiteSeen {
    const { origin, site, banner, pages, skipped } = this;
    return {
      origin,
      site,
      banner,
      pages,
      skipped,
      things: this.sightings.all((each) => toolOf(each, this.servedBy, banner?.tool ?? null)),
      dropped: this.sightings.dropped,
    };
  }

  private async visit(work: (visitor: Visitor) => Promise<void>): Promise<void> {
    const visitor = await this.browser.visitor();
    try {
      await work(visitor);
    } finally {
      await visitor.leave();
    }
  }

  /** A page; or, where it did not open, why, as it goes on behind its address. */
  private async open(visitor: Visitor, url: string, phase: Phase): Promise<OpenedPage | string> {
    if (this.opened++ > 0) await rest(REST_MS);
    if (this.phase !== phase) [this.phase, this.openedInPhase] = [phase, 0];
    const pages = phase === 'BEFORE' ? this.options.pages : this.pages.length + 1;
    this.options.progress(
      (PHASES.indexOf(phase) + Math.min(1, this.openedInPhase++ / pages)) / PHASES.length,
      this.opened,
    );
    return visitor.open(url).catch((error: Error) => `did not open (${reasonOf(error)})`);
  }

  /** Why what was opened is no page of this site; null: it is one. */
  private faultOf(page: OpenedPage | string): string | null {
    if (typeof page === 'string') return page;
    if (page.status >= 400) return `answers ${page.status}`;
    if (!page.isHtml) return 'is no HTML';
    const { hostname } = new URL(page.url);
    const [first] = this.named;
    const site = this.site || page.registrable || hostname;
    if (!isOfSite(hostname, site) || (this.site === '' && !isOfSite(new URL(first!).hostname, site)))
      return `leads to ${hostname}, which is another site`;
    return null;
  }

  /** Notes what is kept now, and what was asked for since the last look. */
  private async look(visitor: Visitor, page: string, phase: Phase): Promise<void> {
    const kept = await visitor.kept();
    const requests = visitor.requests();
    for (const host of visitor.servedElements) this.servedBy.set(host, 'Assent');
    const all = [...kept, ...requests].map((raw) => this.sighting(raw));
    this.sightings.add(
      phase,
      page,
      all.filter(({ technology, party }) => party === 'THIRD' || !REQUESTS.has(technology)),
    );
  }

  private sighting(raw: Raw): Sighting {
    return { ...raw, party: isOfSite(raw.domain, this.site) ? 'FIRST' : 'THIRD' };
  }
}

/** `net::ERR_NAME_NOT_RESOLVED`, or the first line of the message. */
const reasonOf = ({ message }: Error): string =>
  /net::(\w+)/.exec(message)?.[1] ?? (/Timeout/.test(message) ? 'no answer in time' : message.split('\n')[0]!);
