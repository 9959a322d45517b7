import type { IncomingHttpHeaders } from 'node:http';
import type { KeyState } from '../state.js';

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** The origins that the service's own pages have: that of its public address, under each of its names where that is this machine. */
export function ownOrigins(publicUrl: string): ReadonlySet<string> {
  const { protocol, hostname, port, origin } = new URL(publicUrl);
  if (!LOOPBACK.includes(hostname)) return new Set([origin]);
  return new Set(LOOPBACK.map((name) => `${protocol}//${name}${port && `:${port}`}`));
}

/**
 * Whether a page of the service itself is asking, which is one of its documentation: no other of its pages runs scripts. A
 * browser says in `Sec-Fetch-Site` whether page and target have one origin, and no page can change that; it says so to https
 * and to this machine only.
 */
export function isOwnPage(headers: IncomingHttpHeaders, own: ReadonlySet<string>): boolean {
  const site = headers['sec-fetch-site'];
  return headers.origin !== undefined && own.has(headers.origin) && (site === undefined || site === 'same-origin');
}

/** Public keys are made for pages. A secret key is seen by whoever looks at the page, which only those of `test` can bear. */
export const mayUseOnOwnPage = ({ type, env }: Pick<KeyState, 'type' | 'env'>): boolean =>
  type === 'pk' || env === 'test';
