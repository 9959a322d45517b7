import type { Environment } from '../kernel/index.js';
import { networkOf, type AddressRules, type Network } from './address.js';

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
  /** The service runs with its bundled database, on the machine of somebody who tries it. */
  isBundled: boolean;
}

const THIS_MACHINE = ['127.0.0.0/8', '::1/128'];
/** Hosts, as URLs have them, behind which other programs answer too. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** `publicUrl`: where the service itself answers. Throws TypeError for what is no network. */
export function addressRules({ allow, ports, isBundled }: WebhookReach, publicUrl: string): AddressRulesOf {
  const ownHosts = hostsOf(new URL(publicUrl));
  const allowing = (networks: readonly string[]): AddressRules => ({
    allowed: networks.map(networkNamed),
    ports,
    ownHosts,
  });
  const [live, test] = [allowing(allow), allowing(isBundled ? [...allow, ...THIS_MACHINE] : allow)];
  return (env) => (env === 'test' ? test : live);
}

/** On a machine of one's own a receiver stands beside the service: there only its port tells them apart. */
function hostsOf({ hostname, port, protocol }: URL): string[] {
  if (!LOOPBACK.test(hostname)) return [hostname];
  const own = port === '' ? (protocol === 'http:' ? 80 : 443) : port;
  return ['localhost', '127.0.0.1', '[::1]', hostname].map((host) => `${host}:${own}`);
}

function networkNamed(text: string): Network {
  const network = networkOf(text);
  if (!network) throw new TypeError(`"${text}" is no network`);
  return network;
}
