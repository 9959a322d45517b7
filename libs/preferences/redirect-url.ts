import { domainToUnicode } from 'node:url';
import type { Environment } from '../kernel/index.js';

const LENGTH_MAX = 2048;
/** What the URL parser quietly drops or repairs, and what a person does not see: two readers could understand it differently. */
const AMBIGUOUS = /[\p{Cc}\p{Cf}\p{Z}\\]/u;
const AUTHORITY = /^https?:\/\/([^/?#]+)(?:[/?#]|$)/i;
const HOST = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;
const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1'];

/**
 * Where a browser may be sent after the click, in the form in which it is stored; null where it may not be sent there.
 * https to a domain of the site, `*.shop.example` meaning every sub-domain; in test also http to this machine. Read by
 * the rules that browsers read it by (WHATWG), and refused where it is spelled otherwise than it is read.
 */
export function redirectUrl(text: string, domains: readonly string[], env: Environment): string | null {
  const authority = AUTHORITY.exec(text)?.[1]?.toLowerCase();
  if (
    authority === undefined ||
    text.length > LENGTH_MAX ||
    !text.isWellFormed() ||
    AMBIGUOUS.test(text) ||
    !URL.canParse(text)
  )
    return null;
  const url = new URL(text);
  if (
    url.username !== '' ||
    url.password !== '' ||
    !HOST.test(url.hostname) ||
    !isSpelledOut(authority, url) ||
    url.href.length > LENGTH_MAX
  )
    return null;
  if (url.protocol === 'http:') return env === 'test' && LOOPBACK.includes(url.hostname) ? url.href : null;
  return domains.some((domain) => isOf(domain, url)) ? url.href : null;
}

/** The same address, telling the page there how it went. The rest of its query stays as it was written. */
export function withStatus(href: string, status: 'confirmed'): string {
  const url = new URL(href);
  url.search = `${url.search === '' ? '?' : `${url.search}&`}status=${status}`;
  return url.href;
}

/** No user info, percent-encoding, look-alike or short form of a number stands where the host does. */
function isSpelledOut(authority: string, { protocol, host, hostname, port }: URL): boolean {
  const written = port === '' ? authority.replace(protocol === 'https:' ? /:443$/ : /:80$/, '') : authority;
  return written === host || written === `${domainToUnicode(hostname)}${port === '' ? '' : `:${port}`}`;
}

function isOf(domain: string, { hostname, port }: URL): boolean {
  const [name = '', registered = ''] = domain.split(':');
  if (port !== (registered === '443' ? '' : registered)) return false;
  if (!name.startsWith('*.')) return hostname === name;
  const suffix = name.slice(1);
  return hostname.length > suffix.length && hostname.endsWith(suffix);
}
