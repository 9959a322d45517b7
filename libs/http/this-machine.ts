import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { parseUrl } from '../kernel/index.js';

/** Names and addresses that lead to the same machine. */
const isLoopback = (host: string): boolean => {
  const bare = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/^::ffff:/, '');
  return (
    bare === 'localhost' ||
    bare.endsWith('.localhost') ||
    bare === '::1' ||
    (isIP(bare) === 4 && bare.startsWith('127.'))
  );
};

/** Whether only this machine reaches the service: by its host, and by its public URL, which names a proxy in front of it. */
export const isPrivate = ({ host, publicUrl }: { host: string; publicUrl: string }): boolean =>
  isLoopback(host) && isLoopback(new URL(publicUrl).hostname);

const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** Whether a proxy says that it passed the request on. */
export const isForwarded = ({ headers }: IncomingMessage): boolean =>
  FORWARDED.some((name) => headers[name] !== undefined);

/**
 * Whether a browser on this machine came directly: not through a proxy, and not by the name of another host that was made
 * to point here (DNS rebinding).
 */
export function cameDirectly(request: IncomingMessage): boolean {
  const { headers, socket } = request;
  const host = parseUrl(`http://${headers.host ?? ''}`)?.hostname;
  return isLoopback(socket.remoteAddress ?? '') && host !== undefined && isLoopback(host) && !isForwarded(request);
}
