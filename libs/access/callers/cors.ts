import type { OperationAccess } from '../../context/operations.js';

/*
 * Cross-origin rules (Fetch standard, CORS protocol): an exact origin from the list of the key's site, echoed, never with
 * credentials. Answers to a secret key have no such header, so that no page can read them.
 */

const EXPOSED =
  'ETag, Retry-After, RateLimit, RateLimit-Policy, Link, Idempotent-Replayed, X-Request-Id, X-Log-Position, Deprecation, Sunset';
const REQUEST_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, Consent-Identity, X-Log-Position, X-Request-Id, Cache-Control';
/**
 * Limits of `Access-Control-Request-Headers`: names, and characters of each. Browsers send a few; monitoring scripts
 * add some.
 */
const WANTED_MAX = 64;
const WANTED_LENGTH_MAX = 2048;
/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
/** Two hours: the longest that every browser honours. */
const PREFLIGHT_MAX_AGE_S = '7200';

/** The part of a response that these functions write. */
export interface HeaderTarget {
  hasHeader(name: string): boolean;
  setHeader(name: string, value: string): unknown;
  removeHeader(name: string): void;
  vary(name: string): unknown;
}

/**
 * Answers of one URL differ by origin, and answers about a person by identity token. A browser must not show one page or
 * person an answer that it cached for another.
 */
export function varyByCaller(response: HeaderTarget, aboutSubject: boolean): void {
  const names = aboutSubject ? 'Origin, Consent-Identity' : 'Origin';
  // `vary` parses the present value; mostly there is none yet.
  if (response.hasHeader('Vary')) response.vary(names);
  else response.setHeader('Vary', names);
}

/**
 * Lets the page read the answer. Origins are compared as text: another port, scheme, case or sub-domain is another
 * origin.
 */
export function allowOrigin(response: HeaderTarget, origin: string): void {
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', EXPOSED);
}

export function forbidOrigin(response: HeaderTarget): void {
  response.removeHeader('Access-Control-Allow-Origin');
  response.removeHeader('Access-Control-Expose-Headers');
}

/** What a browser asks before a page's request. */
export interface Preflight {
  origin: string | undefined;
  /** `Access-Control-Request-Headers`. */
  wanted: string | undefined;
  /** Whether pages of every origin may read the answer. */
  isOpen: boolean;
  /** Whether a site lists the origin. */
  isListed: boolean;
}

/**
 * Headers of the answer to a preflight for a path with these operations; null if pages may not call it. The preflight
 * does not name the key, so an origin that any site lists is allowed here; the request itself is checked against its
 * own key's list. A page may send any header, because monitoring scripts add theirs to each request and the service
 * ignores headers that it does not know.
 */
export function preflight(
  at: readonly Pick<OperationAccess, 'method' | 'cors' | 'anyOrigin'>[],
  { origin, wanted, isOpen, isListed }: Preflight,
): Record<string, string> | null {
  const methods = at.filter(({ cors, anyOrigin }) => cors || anyOrigin).map(({ method }) => method);
  if (methods.length === 0) return null;
  if (origin === undefined || !(isListed || isOpen)) return { Vary: 'Origin' };
  return {
    Vary: 'Origin, Access-Control-Request-Headers',
    'Access-Control-Allow-Origin': isListed ? origin : '*',
    'Access-Control-Allow-Methods': [...new Set(methods)].join(', '),
    'Access-Control-Allow-Headers': allowedHeaders(wanted),
    'Access-Control-Max-Age': PREFLIGHT_MAX_AGE_S,
  };
}

/** The headers of the interface, and those that the page asks for, unless its text is no list of headers or too long. */
function allowedHeaders(wanted = ''): string {
  const names = wanted.split(',').map((name) => name.trim());
  if (wanted.length > WANTED_LENGTH_MAX || names.length > WANTED_MAX || !names.every((name) => TOKEN.test(name)))
    return REQUEST_HEADERS;
  const known = REQUEST_HEADERS.toLowerCase().split(', ');
  const others = names.filter((name) => !known.includes(name.toLowerCase()));
  return [REQUEST_HEADERS, ...new Set(others)].join(', ');
}
