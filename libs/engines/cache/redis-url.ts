import { parseUrl } from '../../kernel/index.js';

/** Where Redis is: one server, or some servers of a cluster, which name the others. */
export interface RedisAddress {
  clustered: boolean;
  /** At least one. Hosts without brackets. */
  nodes: { host: string; port: number }[];
  tls: boolean;
  username: string | null;
  password: string | null;
}

const PORT = 6379;
const SCHEME = /^(rediss?)(\+cluster)?:\/\//;

/**
 * Reads `redis://user:password@host:6379`, and `redis+cluster://user:password@a:6379,b:6379` of a Redis Cluster; `rediss`
 * for TLS. User and password are percent-encoded. Null where it is none of these.
 */
export function parseRedisUrl(text: string): RedisAddress | null {
  const [begin, scheme, cluster] = SCHEME.exec(text) ?? [];
  if (begin === undefined) return null;
  // A URL holds one address by the standard: each of several is parsed alone.
  const rest = text.slice(begin.length);
  const at = rest.lastIndexOf('@');
  const [hosts, path] = /^([^/?#]*)(.*)$/.exec(rest.slice(at + 1))!.slice(1) as [string, string];
  const urls = hosts.split(',').map((host) => `redis://${rest.slice(0, at + 1)}${host}${path}`);
  const parsed = urls.map(parseUrl).filter((url) => url !== null);
  if (parsed.length < urls.length || parsed.some(({ hostname }) => hostname === '') || (parsed.length > 1 && !cluster))
    return null;
  // A cluster has one database only.
  if (cluster && !['', '/', '/0'].includes(path)) return null;
  const { username, password } = parsed[0]!;
  return {
    clustered: cluster !== undefined,
    nodes: parsed.map(({ hostname, port }) => ({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? PORT : Number(port),
    })),
    tls: scheme === 'rediss',
    username: username === '' ? null : decodeURIComponent(username),
    password: password === '' ? null : decodeURIComponent(password),
  };
}
