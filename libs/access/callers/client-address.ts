import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Proxies whose `X-Forwarded-For` is believed. None by default: then only the socket names the caller. */
export function trustedProxies(cidrs: readonly string[]): BlockList {
  const trusted = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', bits] = cidr.split('/');
    const family = isIP(address);
    const most = family === 4 ? 32 : 128;
    const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : NaN;
    if (family === 0 || !(length <= most)) throw new RangeError(`"${cidr}" is not an address range such as 10.0.0.0/8`);
    trusted.addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6');
  }
  return trusted;
}

/**
 * The address of the caller: the peer of the socket, or, if the peer is a trusted proxy, the nearest address in
 * `X-Forwarded-For` that is no trusted proxy. The caller may have written everything left of that. Null if a trusted
 * proxy writes something else there, such as `unknown`: the proxy is not the caller.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusted: BlockList,
): string | null {
  let address = canonical(peer ?? '');
  if (address === null || forwardedFor === undefined || !isTrusted(address, trusted)) return address;
  const hops = forwardedFor.slice(-FORWARDED_MAX_LENGTH).split(',');
  for (let hop = hops.length - 1; hop >= 0; hop--) {
    const text = hops[hop]!.trim();
    // Skip an empty element of a list (RFC 9110, 5.6.1).
    if (text === '') continue;
    address = addressOfHop(text);
    if (address === null || !isTrusted(address, trusted)) return address;
  }
  return address;
}

/** Characters. Read from the right end, where our own proxies write. */
const FORWARDED_MAX_LENGTH = 1024;

/** Whether the service believes what a proxy at this address says about its callers. */
export const isTrusted = (address: string, trusted: BlockList): boolean =>
  trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');

/** Some gateways write the port behind the address, IPv6 in brackets, or quotes around both as `Forwarded` has them. */
function addressOfHop(text: string): string | null {
  const node = /^"(.*)"$/.exec(text)?.[1] ?? text;
  const bracketed = /^\[([^\]]*)\](:[^:]*)?$/.exec(node)?.[1];
  return canonical(bracketed ?? node) ?? canonical(node.replace(/:[^:]*$/, ''));
}

/**
 * One text for each address; the IPv4 out of `::ffff:192.0.2.1`, so that one caller has one address on every kind of
 * socket.
 */
function canonical(text: string): string | null {
  const address = text.replace(/%.*$/, '');
  return isIPv6(address) ? ipaddr.process(address).toString() : isIPv4(address) ? address : null;
}

/** The part of an address that may be stored: 24 bits of IPv4, 48 of IPv6. The rest is zero. */
export const truncatedAddress = (address: string): string =>
  isIPv4(address) ? `${address.slice(0, address.lastIndexOf('.'))}.0` : network(address, 3);

/** The unit of counting: the IPv4 address, or the /64 of IPv6 that one household or machine gets. */
export const countedAddress = (address: string): string => (isIPv4(address) ? address : network(address, 4));

/** The first `groups` groups of 16 bits, each written without leading zeros. */
function network(address: string, groups: number): string {
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  // A dotted IPv4 at the end stands for two groups.
  const written = left.length + right.length + (address.includes('.') ? 1 : 0);
  const all = tail === undefined ? left : [...left, ...new Array<string>(8 - written).fill('0'), ...right];
  const kept = all.slice(0, groups).map((group) => parseInt(group, 16).toString(16));
  while (kept.at(-1) === '0') kept.pop();
  return `${kept.join(':')}::`;
}
