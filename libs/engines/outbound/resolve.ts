import { lookup, Resolver } from 'node:dns/promises';
import { inTime } from '../in-time.js';

/** Every address of a host, IPv4 before IPv6; empty where no name server knows it. Rejects where none answers. */
export type Resolve = (host: string) => Promise<string[]>;

export interface ResolveOptions {
  /** Names that only the machine or its network knows, such as `localhost`: the system is asked, and no name server. */
  isLocal: (host: string) => boolean;
  /** `127.0.0.1:53`. Default: those of the system. */
  servers?: readonly string[];
}

const ASK = { timeout: 1_500, tries: 2 };
/** How long IPv6 may come after IPv4 (RFC 8305, 3). There are name servers that never answer about IPv6. */
const IPV6_LATER_MS = 50;

/**
 * Asks the name servers directly. The system's getaddrinfo waits in one of two threads of the process: two receivers
 * whose name servers hang would make every connection wait. It asks the system for local names, and for names that the
 * name servers do not know, since a hosts file or a search domain may.
 */
export function resolver({ isLocal, servers }: ResolveOptions): Resolve {
  return async (host) => {
    if (isLocal(host)) return bySystem(host);
    // A new one each time: a Resolver reads the machine's name servers once, and they can change.
    const asked = new Resolver(ASK);
    if (servers) asked.setServers(servers);
    const [ipv4, ipv6] = [known(asked.resolve4(host)), known(asked.resolve6(host))];
    // Without a handler a rejection that comes before the await would end the process.
    ipv6.catch(() => undefined);
    const first = await ipv4;
    const second = first?.length
      ? await inTime(
          ipv6.catch(() => null),
          IPV6_LATER_MS,
        )
      : await ipv6;
    return first || second ? [...(first ?? []), ...(second ?? [])] : bySystem(host);
  };
}

/** Empty where the host has no address of this family; null where no name server knows it, or there is none. */
async function known(addresses: Promise<string[]>): Promise<string[] | null> {
  try {
    return await addresses;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENODATA') return [];
    if (code === 'ENOTFOUND' || code === 'ECONNREFUSED') return null;
    throw error;
  }
}

const bySystem = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true, order: 'ipv4first' })).map(({ address }) => address);
