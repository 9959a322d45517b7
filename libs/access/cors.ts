import type { OperationAccess } from '../context/operations.js';

/*
 * Cross-origin rules (Fetch standard, CORS protocol): an exact origin from the list of the key's site, echoed, never
 * with credentials. A secret key gets no such header at all, so that no page can read what one answers.
 */

const EXPOSED =
  'ETag, Retry-After, RateLimit, RateLimit-Policy, Link, Idempotent-Replayed, X-Request-Id, X-Log-Position, Deprecation, Sunset';
const REQUEST_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, Consent-Identity, X-Log-Position, X-Request-Id, Cache-Control';
/** Two hours: the longest that every browser honours. */
const PREFLIGHT_MAX_AGE_S = '7200';

/** The part of a response that is written to. */
export interface HeaderTarget {
  hasHeader(name: string): boolean;
  setHeader(name: string, value: string): unknown;
  removeHeader(name: string): void;
  vary(name: string): unknown;
}

/** Answers of one URL differ by origin, and about a person by who vouches: a browser must not show one page or person what was answered to another. */
export function varyByCaller(response: HeaderTarget, aboutSubject: boolean): void {
  const names = aboutSubject ? 'Origin, Consent-Identity' : 'Origin';
  // `vary` parses what is there; mostly there is nothing yet.
  if (response.hasHeader('Vary')) response.vary(names);
  else response.setHeader('Vary', names);
}

/** Lets the page read the answer. The list is matched as text: another port, scheme, case or sub-domain is another origin. */
export function allowOrigin(response: HeaderTarget, origin: string): void {
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', EXPOSED);
}

export function forbidOrigin(response: HeaderTarget): void {
  response.removeHeader('Access-Control-Allow-Origin');
  response.removeHeader('Access-Control-Expose-Headers');
}

/**
 * Headers of the answer to a preflight for a path, at which there are these operations; null where pages may not call it. Which key will come is not known
 * yet, so an origin is welcome that any site lists: the request itself is then held against its own key's list.
 */
export function preflight(
  at: readonly Pick<OperationAccess, 'method' | 'cors'>[],
  origin: string | undefined,
  isListed: (origin: string) => boolean,
): Record<string, string> | null {
  const methods = at.filter((operation) => operation.cors).map((operation) => operation.method);
  if (methods.length === 0) return null;
  if (origin === undefined || !isListed(origin)) return { Vary: 'Origin' };
  return {
    Vary: 'Origin',
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': [...new Set(methods)].join(', '),
    'Access-Control-Allow-Headers': REQUEST_HEADERS,
    'Access-Control-Max-Age': PREFLIGHT_MAX_AGE_S,
  };
}
