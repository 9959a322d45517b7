import { gunzipSync } from 'node:zlib';
import { parseUrl } from '../../kernel/index.js';
import { EVERYTHING, NOTHING, readRobots, type Robots } from './robots.js';
import { readSitemap } from './sitemap.js';

/** The name that robots.txt calls this program by. */
export const ROBOT = 'AssentScan';

const TEXT_MAX = 5_000_000;
const PATIENCE_MS = 10_000;
const REDIRECTS_MAX = 3;
const SITEMAPS_MAX = 10;

/** What is no page: opening it would download it. */
const NO_PAGE = /\.(?!html?$|php$|aspx?$|jsp$)[a-z0-9]{2,5}$/i;

/** An address of the site that can be opened as a page, without its fragment; null: it is none. */
export function pageOf(address: string, origin: string): string | null {
  const url = parseUrl(address);
  if (url?.origin !== origin || NO_PAGE.test(url.pathname)) return null;
  url.hash = '';
  return url.href;
}

/** The rules of a site for this program. A site that fails to answer allows nothing (RFC 9309, 2.3.1.4). */
export async function robotsOf(origin: string, userAgent: string): Promise<Robots> {
  const answer = await textOf(`${origin}/robots.txt`, origin, userAgent);
  if (answer === null || answer.status >= 500) return NOTHING;
  return answer.status === 200 ? readRobots(answer.text, ROBOT) : EVERYTHING;
}

/** Pages that the sitemaps of a site name, at most `max`. */
export async function sitemapPages(
  origin: string,
  robots: Robots,
  userAgent: string,
  max: number,
): Promise<Set<string>> {
  const waiting = robots.sitemaps.length > 0 ? [...robots.sitemaps] : [`${origin}/sitemap.xml`];
  const pages = new Set<string>();
  for (let read = 0; waiting.length > 0 && read < SITEMAPS_MAX && pages.size < max; read++) {
    const url = parseUrl(waiting.shift()!);
    // An address elsewhere was not named by the user.
    const answer = url?.origin === origin ? await textOf(url.href, origin, userAgent) : null;
    if (answer?.status !== 200) continue;
    const sitemap = readSitemap(answer.text, 50_000);
    waiting.push(...sitemap.sitemaps.slice(0, SITEMAPS_MAX));
    for (const address of sitemap.pages) {
      const page = pageOf(address, origin);
      if (page !== null && pages.size < max) pages.add(page);
    }
  }
  return pages;
}

/** The text at an address of the site; null where none came in time. Redirects are followed inside the site only. */
async function textOf(
  address: string,
  origin: string,
  userAgent: string,
): Promise<{ status: number; text: string } | null> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  let next = address;
  for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
    const answer = await fetch(next, { headers: { 'User-Agent': userAgent }, redirect: 'manual', signal }).catch(
      () => null,
    );
    if (!answer) return null;
    const to = answer.headers.get('location');
    if (answer.status < 300 || answer.status >= 400 || to === null)
      return { status: answer.status, text: await bodyOf(answer).catch(() => '') };
    await answer.body?.cancel();
    const target = resolved(to, next);
    if (target?.origin !== origin) return { status: 404, text: '' };
    next = target.href;
  }
  return { status: 404, text: '' };
}

function resolved(address: string, base: string): URL | null {
  try {
    return new URL(address, base);
  } catch {
    return null;
  }
}

async function bodyOf(answer: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    parts.push(part);
    if ((length += part.length) > TEXT_MAX) break;
  }
  const bytes = Buffer.concat(parts).subarray(0, TEXT_MAX);
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return (isGzip ? gunzipSync(bytes, { maxOutputLength: 10 * TEXT_MAX }) : bytes).toString('utf8');
}
