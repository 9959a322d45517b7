import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

const isPublicAddress = (address: string): boolean => ipaddr.process(address).range() === 'unicast';

const known = new LRUCache<string, Promise<boolean>>({ max: 5_000, ttl: 60_000 });

/**
 * Whether a host is reached by public addresses alone. A host that this machine cannot resolve counts as public: a proxy
 * may know it, and then it is not of this network.
 */
export function isPublicHost(hostname: string): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '');
  let answer = known.get(host);
  if (!answer) known.set(host, (answer = look(host)));
  return answer;
}

async function look(host: string): Promise<boolean> {
  if (host === 'localhost' || host.endsWith('.localhost')) return false;
  if (isIP(host) !== 0) return isPublicAddress(host);
  const addresses = await lookup(host, { all: true }).catch(() => []);
  return addresses.every(({ address }) => isPublicAddress(address));
}
