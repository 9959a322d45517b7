import { parseUrl, type Environment } from '../../kernel/index.js';

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Whether the text is the origin of a page on the developer's own machine, on any port. */
export const isLocalOrigin = (text: string): boolean =>
  isOrigin(text, 'test') && LOOPBACK.includes(new URL(text).hostname);

/**
 * Whether the text is an origin as a browser sends it (RFC 6454 section 6.1): scheme, host and port only, in the one
 * normalised spelling, so that origins can be compared as text. https; http for pages on the developer's own machine, and
 * in `test` for any host, since development stages often have no certificate. Never `null`, never a wildcard.
 */
export function isOrigin(text: string, env: Environment): boolean {
  const url = text.length > 300 ? null : parseUrl(text);
  if (!url || url.origin !== text || text.includes('*')) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && (env === 'test' || LOOPBACK.includes(url.hostname)));
}
