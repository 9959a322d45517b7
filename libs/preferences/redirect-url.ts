import { isOnDomain, refusal, webAddress, type Environment, type Refusal } from '../kernel/index.js';

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1'];

/**
 * Where a browser may be sent after the click, in the form in which it is stored; null where it may not be sent there.
 * https to a domain of the site, `*.shop.example` meaning every sub-domain; in test also http to this machine.
 */
export function redirectUrl(text: string, domains: readonly string[], env: Environment): string | null {
  const url = webAddress(text);
  if (url === null) return null;
  if (url.protocol === 'http:') return env === 'test' && LOOPBACK.includes(url.hostname) ? url.href : null;
  return domains.some((domain) => isOnDomain(domain, url)) ? url.href : null;
}

export const redirectNotAllowed = (env: string): Refusal =>
  refusal(
    'redirect_url_not_allowed',
    'The browser may not be sent there.',
    `Send an https address on a domain of the site, without user, other port or anything unusual in it${env === 'test' ? '; in test http://localhost and http://127.0.0.1 are taken too' : ''}. The operator registers domains with: assent sites register … --domain.`,
    [{ path: 'redirectUrl', message: 'is on no domain of the site' }],
  );

/** The same address, telling the page there how it went. The rest of its query stays as it was written. */
export function withStatus(href: string, status: 'confirmed'): string {
  const url = new URL(href);
  url.search = `${url.search === '' ? '?' : `${url.search}&`}status=${status}`;
  return url.href;
}
