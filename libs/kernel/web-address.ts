import { domainToUnicode } from 'node:url';
import { parseUrl } from './parse-url.js';

const LENGTH_MAX = 2048;
/** Characters that the URL parser drops or repairs, and invisible ones: two readers could take them for two addresses. */
const AMBIGUOUS = /[\p{Cc}\p{Cf}\p{Z}\\]/u;
const AUTHORITY = /^https?:\/\/([^/?#]+)(?:[/?#]|$)/i;
const HOST = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;

/**
 * An absolute http or https address of at most 2,048 characters, read by the rules that browsers read it by (WHATWG).
 * Null where it holds user info, or is spelled otherwise than it is read.
 */
export function webAddress(text: string): URL | null {
  const authority = AUTHORITY.exec(text)?.[1]?.toLowerCase();
  if (authority === undefined || text.length > LENGTH_MAX || !text.isWellFormed() || AMBIGUOUS.test(text)) return null;
  const url = parseUrl(text);
  if (!url) return null;
  const isPlain = url.username === '' && url.password === '' && HOST.test(url.hostname) && isSpelledOut(authority, url);
  return isPlain && url.href.length <= LENGTH_MAX ? url : null;
}

/** Whether the host is written as it is read: no percent-encoding, look-alike letter or short form of a number. */
function isSpelledOut(authority: string, { protocol, host, hostname, port }: URL): boolean {
  const written = port === '' ? authority.replace(protocol === 'https:' ? /:443$/ : /:80$/, '') : authority;
  return written === host || written === `${domainToUnicode(hostname)}${port === '' ? '' : `:${port}`}`;
}

/** Whether an address is on a domain of a site, `*.shop.example` meaning every sub-domain, and at its port. */
export function isOnDomain(domain: string, { hostname, port }: URL): boolean {
  const [name = '', registered = ''] = domain.split(':');
  if (port !== (registered === '443' ? '' : registered)) return false;
  if (!name.startsWith('*.')) return hostname === name;
  const suffix = name.slice(1);
  return hostname.length > suffix.length && hostname.endsWith(suffix);
}
