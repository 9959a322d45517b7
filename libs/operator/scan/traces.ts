import { NAME_MAX } from './in-page.js';
import { bareUrl, together, type Origin, type Technology } from './sighting.js';

/** Kept on the device, or asked for from any host. */
export interface Raw {
  technology: Technology;
  name: string;
  domain: string;
  path: string | null;
  maxAgeSeconds: number | null;
  httpOnly: boolean | null;
  by: Origin[];
}

/** Where a script was, as Chromium's protocol tells it: the innermost call first, then what set it going. */
export interface Stack {
  callFrames: { url: string }[];
  parent?: Stack;
}

/** Most requests and names of a visitor that are kept. */
const TRACES_MAX = 20_000;

/** Who wrote what, and who asked for what, while one visitor looked at pages. */
export class Traces {
  private requests: { url: string; technology: Technology; page: Origin[] }[] = [];
  /** By address, who asked for it first. */
  private readonly askers = new Map<string, Origin>();
  /** By technology and name. */
  private readonly writers = new Map<string, Origin[]>();
  /** Hosts that the elements of an Assent service came from. */
  readonly servedElements = new Set<string>();

  wrote(technology: string, name: string, kind: Origin['kind'], url: string): void {
    const key = `${technology} ${name.slice(0, NAME_MAX)}`;
    if (this.writers.size < TRACES_MAX)
      this.writers.set(key, together(this.writers.get(key) ?? [], [{ kind, url: bareUrl(url) }]));
  }

  writersOf(technology: Technology, name: string): Origin[] {
    return this.writers.get(`${technology} ${name}`) ?? [];
  }

  /** Who asked: the script of the stack, else the page. */
  asks(url: string, stack: Stack | undefined, page: string): void {
    if (this.askers.has(url) || this.askers.size >= TRACES_MAX) return;
    const script = stack && scriptOf(stack);
    const asker: Origin = script ? { kind: 'SCRIPT', url: bareUrl(script) } : { kind: 'PAGE', url: bareUrl(page) };
    this.askers.set(url, asker);
  }

  /** `type`: as browsers call it, such as `image`. `page`: of the frame; null: not known. */
  request(url: string, type: string, page: string | null): void {
    if (!/^(https?|wss?):/.test(url) || this.requests.length >= TRACES_MAX) return;
    if (/\/elements\/v1\/assent\.js(\?|$)/.test(url)) this.servedElements.add(new URL(url).hostname);
    const technology = type === 'script' ? 'SCRIPT' : type === 'document' ? 'IFRAME' : 'PIXEL';
    this.requests.push({ url, technology, page: page === null ? [] : [{ kind: 'PAGE', url: bareUrl(page) }] });
  }

  /** What was asked for since the last call, from any host. */
  takeRequests(): Raw[] {
    const taken = this.requests;
    this.requests = [];
    return taken.map(({ url, technology, page }) => {
      const { hostname } = new URL(url);
      const asker = this.askers.get(url);
      const by = asker ? [asker] : page;
      return { technology, name: hostname, domain: hostname, path: null, maxAgeSeconds: null, httpOnly: null, by };
    });
  }
}

/** The script that ran, or the one that set it going. */
function scriptOf(stack: Stack): string | null {
  for (let at: Stack | undefined = stack; at; at = at.parent) {
    const found = at.callFrames.find(({ url }) => /^https?:/.test(url));
    if (found) return found.url;
  }
  return null;
}
