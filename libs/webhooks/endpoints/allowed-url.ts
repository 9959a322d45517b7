import { refusal, type Environment, type Refusal } from '../../kernel/index.js';
import { faultOfUrl, type AddressFault } from './address.js';
import type { AddressRulesOf } from './address-rules.js';

/** What is wrong with an address, and what to do about it. */
const FAULTS: Readonly<Record<AddressFault, [message: string, hint: string]>> = {
  NOT_A_URL: [
    'must be an absolute URL without spaces, control characters or backslashes',
    'Send an address such as https://hooks.shop.example/assent.',
  ],
  USER_INFO: [
    'must not hold a user or a password',
    'Leave them out: the signature proves where a delivery comes from.',
  ],
  OWN_ADDRESS: ['is the address of this service', 'Send the address of your receiver.'],
  LOCAL_NAME: [
    'names a host that only its own network knows',
    'Send a public host, or let the operator allow the network of the receiver with ASSENT_WEBHOOK_ALLOW.',
  ],
  LOCAL_PORT: [
    'leads to this machine, at a port that is not named in ASSENT_WEBHOOK_PORTS',
    'Start the service with the port of your receiver, such as ASSENT_WEBHOOK_PORTS=3000. Without an endpoint, `assent webhooks listen --forward-to <url>` hands events on to a receiver on your machine.',
  ],
  NOT_PUBLIC: [
    'leads to an address that not everybody can reach',
    'Send a public address, or let the operator allow the network of the receiver with ASSENT_WEBHOOK_ALLOW.',
  ],
  NOT_HTTPS: ['must be https', 'Let the receiver answer over https, with a certificate that is publicly trusted.'],
  PORT: [
    'must be at port 443 or 8443',
    'Let the receiver answer at one of these, or let the operator allow its port with ASSENT_WEBHOOK_PORTS.',
  ],
};

/** Why webhooks of this environment may not be sent to an address, as far as it can be seen from how it is written; null: they may. */
export function refusalOfUrl(url: string, env: Environment, rulesOf: AddressRulesOf): Refusal | null {
  const fault = faultOfUrl(url, rulesOf(env));
  if (fault === null) return null;
  const [message, hint] = FAULTS[fault];
  return refusal('webhook_url_not_allowed', 'Webhooks may not be sent to that address.', hint, [
    { path: 'url', message },
  ]);
}
