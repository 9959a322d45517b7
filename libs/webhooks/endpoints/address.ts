import ipaddr from 'ipaddr.js';
import { parseUrl } from '../../kernel/parse-url.js';

/** Why no delivery may go somewhere. */
export type AddressFault =
  'NOT_A_URL' | 'USER_INFO' | 'OWN_ADDRESS' | 'LOCAL_NAME' | 'LOCAL_PORT' | 'NOT_PUBLIC' | 'NOT_HTTPS' | 'PORT';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** A network in CIDR notation, parsed. */
export type Network = [address: Address, bits: number];

/** What the operator allows beyond public receivers over https. */
export interface AddressRules {
  /** Networks that deliveries may reach although they are not public, over plain http and at any port too. */
  allowed: readonly Network[];
  /** Ports beside 443 and 8443. */
  ports: readonly number[];
  /** Whether programs on this machine may be reached, over plain http too, at the ports that are named and at no other. */
  namedOnThisMachine: boolean;
  own: OwnAddress;
}

/** Where the service itself answers: nothing is sent there. */
export interface OwnAddress {
  /** Public host, in lower case, at whichever port; null where only this machine reaches the service. */
  host: string | null;
  /** Ports on this machine. */
  ports: readonly number[];
  /** Addresses of this machine beside loopback. */
  machine: readonly string[];
}

/** Where a connection is about to go. */
export interface Target {
  /** IPv4 or IPv6, as a resolver answers it. */
  address: string;
  port: number;
  isPlain: boolean;
}

const PORTS: readonly number[] = [443, 8443];
const URL_LENGTH_MAX = 2048;
/** What the URL parser drops or repairs: two readers could understand it differently. */
const AMBIGUOUS = /[\s\p{Cc}\p{Cf}\\]/u;
/**
 * Names that no public resolver answers (RFC 6761, 6762 with its appendix G, 7686, 8375, 9476, and `internal`), and those
 * of a single label.
 */
const LOCAL_NAME =
  /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa|test|invalid|onion|alt)$|^[^.]+$/;
/** Names that lead to this machine whatever a resolver says (RFC 6761, 6.3). */
const LOCALHOST = /(^|\.)localhost$/;
const LOOPBACK = ['127.0.0.1', '::1'] as const;
/** All of IPv6 that is given out (IANA): the rest is reserved, whatever it is not called. */
const GLOBAL_V6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
/** Within public ranges, but answers inside of a cloud only: the host of Azure's virtual machines. */
const METADATA = ['168.63.129.16'];

/** `10.0.0.0/8` or `fd00::/8`; null where that is no network. */
export function networkOf(text: string): Network | null {
  const isSpelledOut = /^(\d{1,3}(\.\d{1,3}){3}|[0-9a-f:]*:[0-9a-f:.]*)\/\d{1,3}$/i.test(text);
  return isSpelledOut && ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : null;
}

/**
 * What the address of an endpoint is faulted for as it is written; null: nothing. A literal is judged here in whatever
 * notation it comes, since the URL parser brings all of them into one. A name is judged by what it resolves to, at every
 * connect, by `faultOfTarget`.
 */
export function faultOfUrl(text: string, rules: AddressRules): AddressFault | null {
  const url =
    text.length <= URL_LENGTH_MAX && /^https?:\/\//i.test(text) && !AMBIGUOUS.test(text) ? parseUrl(text) : null;
  if (!url) return 'NOT_A_URL';
  if (/^https?:\/\/[^/?#]*@/i.test(text)) return 'USER_INFO';
  const host = url.hostname.replace(/\.+$/, '');
  const isPlain = url.protocol === 'http:';
  const port = url.port === '' ? (isPlain ? 80 : 443) : Number(url.port);
  if (host === rules.own.host) return 'OWN_ADDRESS';
  const literal = host.startsWith('[') ? host.slice(1, -1) : host;
  if (ipaddr.isValid(literal)) return faultOfTarget({ address: literal, port, isPlain }, rules);
  if (LOCALHOST.test(host)) return faultOfLocalhost({ port, isPlain }, rules);
  const reachesOthers = rules.allowed.some(([address]) => !isLoopback(address));
  if (isLocalName(host) && !reachesOthers) return 'LOCAL_NAME';
  // Any other name may resolve into a network that is allowed.
  return rules.allowed.length > 0 || rules.namedOnThisMachine ? null : faultOfWay({ port, isPlain }, rules);
}

/** It is both loopback addresses, and one that may be dialled is enough. */
function faultOfLocalhost(way: Omit<Target, 'address'>, rules: AddressRules): AddressFault | null {
  const faults = LOOPBACK.map((address) => faultOfTarget({ ...way, address }, rules));
  if (faults.includes(null)) return null;
  return faults[0] === 'NOT_PUBLIC' ? 'LOCAL_NAME' : faults[0]!;
}

/** What a connection is faulted for that is about to be made; null: nothing. The address that is judged is the one to dial. */
export function faultOfTarget({ address, port, isPlain }: Target, rules: AddressRules): AddressFault | null {
  if (!ipaddr.isValid(address)) return 'NOT_PUBLIC';
  const parsed = ipaddr.parse(address);
  // IPv4 that is mapped into IPv6 reaches the same address; the library reads `::10.1.2.3` as that too, which is not.
  const isMapped = /^::ffff:/i.test(address) && parsed.range() === 'ipv4Mapped';
  const dialled = isMapped ? (parsed as ipaddr.IPv6).toIPv4Address() : parsed;
  if (rules.own.ports.includes(port) && isThisMachine(dialled, rules.own)) return 'OWN_ADDRESS';
  if (rules.allowed.some((network) => isWithin(dialled, network))) return null;
  if (rules.namedOnThisMachine && isLoopback(dialled)) return rules.ports.includes(port) ? null : 'LOCAL_PORT';
  return isPublic(parsed) ? faultOfWay({ port, isPlain }, rules) : 'NOT_PUBLIC';
}

/** Whether only this machine or its network can know the host. */
export const isLocalName = (host: string): boolean => LOCAL_NAME.test(host.replace(/\.+$/, ''));

const isLoopback = (address: Address): boolean => address.range() === 'loopback';

/** The unspecified address leads to loopback where it is dialled. */
const isThisMachine = (address: Address, { machine }: OwnAddress): boolean =>
  isLoopback(address) || address.range() === 'unspecified' || machine.includes(address.toString());

function faultOfWay({ port, isPlain }: Omit<Target, 'address'>, { ports }: AddressRules): AddressFault | null {
  if (isPlain) return 'NOT_HTTPS';
  return PORTS.includes(port) || ports.includes(port) ? null : 'PORT';
}

/**
 * Whether everybody on the internet means the same by it. What carries an IPv4 address inside (mapped, compatible, NAT64,
 * 6to4, Teredo) is not public, whichever that is: where it leads depends on the network.
 */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || METADATA.includes(address.toString())) return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(GLOBAL_V6);
}

const isWithin = (address: Address, network: Network): boolean =>
  address.kind() === network[0].kind() && address.match(network as never);
