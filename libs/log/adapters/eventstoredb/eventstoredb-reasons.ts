import { readFileSync } from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';
import { TimedOut, within } from '../within.js';

/** How long a caller waits for the check of the nodes. A connection that is refused shows at once. */
const AWAITED_MS_MAX = 150;
/** How long the check of one node may take: TLS alone takes several round trips. */
const LOOK_MS_MAX = 2000;
/** How long a finished check answers later callers. */
const FOUND_MS = 1000;
/** How long its faults stand for nodes that the next check has not reached yet: callers may be seconds apart. */
const REMEMBERED_MS = 10_000;
/** Of gRPC. */
const UNAUTHENTICATED = 16;
/** What Node.js says of certificates that it does not accept. */
const CERTIFICATE =
  /self.signed certificate[a-z ]*|unable to (?:verify|get)[a-z ]*|certificate (?:has expired|is not yet valid)|does not match certificate's altnames/i;
const NO_TLS = /wrong version number|packet length too long/i;

/** Whether no address named a leader to the client. Its error does not say why. */
export const isUndiscovered = (error: unknown): boolean =>
  /^Failed to discover after/.test((error as { message?: string }).message ?? '');

/** Finds why the server cannot be used, in words that an operator can act on. */
export class Reasons {
  private last: Look | null = null;
  private readonly isCluster: boolean;

  constructor(private readonly url: string) {
    this.isCluster = /^[a-z]+\+discover:/i.test(url) || addressesOf(url).length > 1;
  }

  /** The cause to report in place of the client's error; the error itself where that says enough. */
  async of(error: unknown): Promise<unknown> {
    const { code, type, message = '' } = error as { code?: number; type?: string; message?: string };
    if (type === 'access-denied' || code === UNAUTHENTICATED)
      return new Error('EventStoreDB refuses the user or the password in ESDB_URL');
    // The client may still be looking for a leader when our own time is over.
    const isLooking = error instanceof TimedOut && this.isCluster;
    if (isUndiscovered(error) || isLooking) {
      const fault = await this.nodes();
      if (fault !== null || !isLooking)
        return new Error(`no node in ESDB_URL tells of a leader: ${fault ?? 'of those that answer none leads'}`);
    }
    const reason = reasonOfConnection(message);
    return reason === null ? error : new Error(`EventStoreDB ${reason}`);
  }

  /**
   * The fault of the first node, where each node has one; else null. Callers share a check. One that takes longer than
   * they wait goes on, and answers the next callers.
   */
  private async nodes(): Promise<string | null> {
    if (this.last === null || performance.now() - this.last.endedAt > FOUND_MS) this.last = this.look();
    const { faults, ended } = this.last;
    await within(AWAITED_MS_MAX, ended).catch(() => undefined);
    return faults.every((fault) => fault !== null) ? faults[0]! : null;
  }

  private look(): Look {
    const secure = !/[?&]tls=false/i.test(this.url);
    const file = /[?&]tlsCAFile=([^&]+)/i.exec(this.url)?.[1];
    const now = performance.now();
    const before = this.last !== null && now - this.last.endedAt < REMEMBERED_MS ? this.last.faults : [];
    const look: Look = { faults: [], ended: Promise.resolve(), endedAt: now };
    let ca: Buffer | undefined;
    try {
      ca = secure && file !== undefined ? readFileSync(decodeURIComponent(file)) : undefined;
    } catch (error) {
      look.faults = [`the file in tlsCAFile cannot be read (${(error as NodeJS.ErrnoException).code})`];
      return look;
    }
    const places = addressesOf(this.url).map((address) => {
      const [host = '', port = '2113'] = address.split(':');
      return { host, port };
    });
    // The fault of nodes that have not answered yet.
    look.faults = places.map(({ host, port }, i) => before[i] ?? `${host}:${port} does not answer`);
    look.endedAt = Infinity;
    const looked = places.map(async ({ host, port }, i) => {
      const fault = await faultOf({ host, port: Number(port), secure, ca });
      look.faults[i] = fault && `${host}:${port} ${fault}`;
    });
    look.ended = Promise.all(looked).then(() => void (look.endedAt = performance.now()));
    return look;
  }
}

/** One check of all nodes. */
interface Look {
  /** The fault of each node as far as it is known; null: none. */
  faults: (string | null)[];
  ended: Promise<void>;
  /** Of `performance.now()`; Infinity while it goes on. */
  endedAt: number;
}

function addressesOf(url: string): string[] {
  const [, addresses = ''] = /^[^:]+:\/\/(?:[^@/]*@)?([^/?]+)/.exec(url) ?? [];
  return addresses.split(',').map((address) => address.trim());
}

/** A plain reason for a message of the connection; null where the message itself says more. */
function reasonOfConnection(message: string): string | null {
  const certificate = CERTIFICATE.exec(message)?.[0];
  if (certificate !== undefined)
    return `shows a certificate that is not accepted (${certificate.trim()}): see tlsCAFile in ESDB_URL`;
  return NO_TLS.test(message) ? 'does not speak TLS: see tls in ESDB_URL' : null;
}

interface Node {
  host: string;
  port: number;
  secure: boolean;
  ca: Buffer | undefined;
}

/** Null where a connection can be made. */
function faultOf({ host, port, secure, ca }: Node): Promise<string | null> {
  return new Promise((resolve) => {
    const servername = net.isIP(host) ? '' : host;
    const socket = secure ? tls.connect({ host, port, servername, ...(ca && { ca }) }) : net.connect({ host, port });
    socket.unref();
    const settle = (fault: string | null): void => {
      socket.destroy();
      resolve(fault);
    };
    socket.setTimeout(LOOK_MS_MAX, () => settle('does not answer'));
    socket.once(secure ? 'secureConnect' : 'connect', () => settle(null));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      settle(reasonOfConnection(error.message) ?? `cannot be reached (${error.code ?? error.message})`),
    );
  });
}
