import type { IncomingHttpHeaders } from 'node:http';
import type { KeyState } from '../state.js';

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Origins of the service's own pages: its public address; if that is this machine, under each name of this machine. */
export function ownOrigins(publicUrl: string): ReadonlySet<string> {
  const { protocol, hostname, port, origin } = new URL(publicUrl);
  if (!LOOPBACK.includes(hostname)) return new Set([origin]);
  return new Set(LOOPBACK.map((name) => `${protocol}//${name}${port && `:${port}`}`));
}

/**
 * Whether a page of the service itself sent the request. The browser sets `Sec-Fetch-Site`, which no page can change, and
 * sends it only to https and to this machine. Operators may also reach the service by a port of their own machine, such
 * as the end of a tunnel.
 */
export function isOwnPage(headers: IncomingHttpHeaders, own: ReadonlySet<string>): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin === undefined || (site !== undefined && site !== 'same-origin')) return false;
  return own.has(origin) || isOfThisMachine(origin, headers.host);
}

/** Whether both name this machine and one port: no name that a page could point elsewhere (DNS rebinding). */
const isOfThisMachine = (origin: string, host: string | undefined): boolean =>
  host !== undefined && origin === `http://${host}` && LOOPBACK.includes(host.replace(/:\d+$/, ''));

/** The same for a request that may be a GET: a browser sends no `Origin` with one from a page of the same origin. */
export const sentByOwnPage = (headers: IncomingHttpHeaders, own: ReadonlySet<string>): boolean =>
  headers.origin === undefined ? headers['sec-fetch-site'] === 'same-origin' : isOwnPage(headers, own);

/**
 * Public keys are made for pages. Every user of the page can read a secret key, so only keys of `test` may be used
 * there.
 */
export const mayUseOnOwnPage = ({ type, env }: Pick<KeyState, 'type' | 'env'>): boolean =>
  type === 'pk' || env === 'test';
