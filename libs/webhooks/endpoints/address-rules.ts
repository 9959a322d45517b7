import { networkInterfaces } from 'node:os';
import type { Environment } from '../../kernel/index.js';
import { networkOf, type AddressRules, type Network, type OwnAddress } from './address.js';

/** Injection token of the AddressRulesOf. */
export const ADDRESS_RULES = Symbol('AddressRules');

/** Where webhooks of an environment may be sent. */
export type AddressRulesOf = (env: Environment) => AddressRules;

/** What the operator allows beyond public receivers. */
export interface WebhookReach {
  /** Networks in CIDR form. */
  allow: readonly string[];
  /** Ports beside 443 and 8443. */
  ports: readonly number[];
  /** The service runs with its bundled database, on the machine of a developer who tries it. */
  isBundled: boolean;
}

/** Where the service itself answers. */
export interface ServiceAddress {
  publicUrl: string;
  /** That it listens on. */
  port: number;
}

/** Hosts, as URLs have them, behind which other programs answer too. */
const LOOPBACK = /^((.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** `machine`: the addresses of this machine. Throws TypeError for what is no network. */
export function addressRules(
  { allow, ports, isBundled }: WebhookReach,
  service: ServiceAddress,
  machine: readonly string[] = addressesOfMachine(),
): AddressRulesOf {
  const rules = { allowed: allow.map(networkNamed), ports, own: ownAddress(service, machine) };
  const [live, test] = [
    { ...rules, namedOnThisMachine: false },
    { ...rules, namedOnThisMachine: isBundled },
  ];
  return (env) => (env === 'test' ? test : live);
}

/** On a machine of one's own a receiver stands beside the service: there only its port tells them apart. */
function ownAddress({ publicUrl, port }: ServiceAddress, machine: readonly string[]): OwnAddress {
  const { hostname, port: written, protocol } = new URL(publicUrl);
  if (!LOOPBACK.test(hostname)) return { host: hostname, ports: [port], machine };
  const published = written === '' ? (protocol === 'http:' ? 80 : 443) : Number(written);
  return { host: null, ports: [port, published], machine };
}

const addressesOfMachine = (): string[] =>
  Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address));

function networkNamed(text: string): Network {
  const network = networkOf(text);
  if (!network) throw new TypeError(`"${text}" is no network`);
  return network;
}
