import { isIP, type LookupFunction } from 'node:net';
import { OutboundFailure } from './fault.js';
import type { Resolve } from './resolve.js';

/** Where a connection is about to go. */
export interface Target {
  /** IPv4 or IPv6, as a resolver answers it. */
  address: string;
  port: number;
  /** Without TLS. */
  isPlain: boolean;
}

export type IsAllowed = (target: Target) => boolean;

/**
 * The look-up of a socket. It dials the addresses that this answers and asks no name server again, so that no address can
 * change between the check and the connection. Answers the allowed addresses of a host. Forbidden ones beside them are
 * left out, since some networks add one to every host (DNS64).
 */
export function judgedLookup(
  resolve: Resolve,
  isAllowed: IsAllowed,
  { port, isPlain }: Omit<Target, 'address'>,
): LookupFunction {
  const judged = async (host: string): Promise<{ address: string; family: number }[]> => {
    const addresses = await resolve(host).catch(() => []);
    const allowed = addresses.filter((address) => isAllowed({ address, port, isPlain }));
    if (allowed.length === 0)
      throw new OutboundFailure(addresses.length > 0 ? 'address_not_allowed' : 'host_not_found');
    return allowed.map((address) => ({ address, family: isIP(address) }));
  };
  return (host, { all }, done) =>
    void judged(host).then(
      (addresses) => (all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family)),
      (failure: OutboundFailure) => done(failure, []),
    );
}
