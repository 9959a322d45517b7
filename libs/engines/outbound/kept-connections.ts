import { Agent as PlainAgent, type AgentOptions } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { Duplex } from 'node:stream';

export interface KeptLimits {
  /** PEM of the authorities that are trusted. Default: those of Node, and of NODE_EXTRA_CA_CERTS. */
  ca?: string;
  /** Idle connections to one host and port. Default 8. */
  perReceiver?: number;
  /** Idle connections in all; of more than that, the one that was idle for longest is closed. Default 256. */
  inAll?: number;
  /** How long a connection may be idle; less where the receiver says so (`Keep-Alive: timeout=5`). Default 30 s. */
  idleMs?: number;
  /** How old a connection may become. After that the host is looked up again, since it may have moved. Default 5 minutes. */
  ageMs?: number;
}

/** How long the next address of a host waits for the one before it (RFC 8305). Node's 250 ms are too short for far hosts. */
const NEXT_ADDRESS_MS = 1_000;

/** The agents ask it before they keep a connection; the types of Node forget the answer. */
type Keeping = PlainAgent & { keepSocketAlive(socket: Duplex): unknown };

/**
 * Connections that are kept idle between two requests. The agents do not bound connections in use: a bound would let one
 * request wait for another's slow receiver at the same host. The sender bounds the number of its requests.
 */
export class KeptConnections {
  private readonly plain: PlainAgent;
  private readonly secure: SecureAgent;
  /** The one that has been idle for longest comes first. */
  private readonly idle = new Set<Duplex>();
  private readonly openedAt = new WeakMap<Duplex, number>();
  private readonly inAll: number;
  private readonly ageMs: number;

  constructor({ ca, perReceiver = 8, inAll = 256, idleMs = 30_000, ageMs = 300_000 }: KeptLimits = {}) {
    this.inAll = inAll;
    this.ageMs = ageMs;
    // Agents of one's own read no proxy from the environment. Node's default agent does where NODE_USE_ENV_PROXY is set.
    const options: AgentOptions = {
      keepAlive: true,
      maxFreeSockets: perReceiver,
      timeout: idleMs,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    };
    this.plain = this.bounded(new PlainAgent(options));
    // Set here, so that NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect.
    const trusted = { rejectUnauthorized: true, ...(ca !== undefined && { ca }) };
    this.secure = this.bounded(new SecureAgent({ ...options, ...trusted }));
  }

  /** Which agent makes the connection. */
  agent(isPlain: boolean): PlainAgent {
    return isPlain ? this.plain : this.secure;
  }

  /** How many are idle. */
  get size(): number {
    return this.idle.size;
  }

  /** Closes all, those in use too. */
  close(): void {
    this.plain.destroy();
    this.secure.destroy();
  }

  /** Methods that Node documents so that agents can replace them. */
  private bounded<A extends Keeping>(agent: A): A {
    const createConnection = agent.createConnection.bind(agent);
    const keepSocketAlive = agent.keepSocketAlive.bind(agent);
    const reuseSocket = agent.reuseSocket.bind(agent);
    agent.createConnection = (options, done) => this.opened(createConnection(options, done)!);
    agent.keepSocketAlive = (socket) => this.isYoung(socket) && keepSocketAlive(socket) && this.keep(socket);
    agent.reuseSocket = (socket, request) => {
      this.idle.delete(socket);
      reuseSocket(socket, request);
    };
    return agent;
  }

  private opened(socket: Duplex): Duplex {
    this.openedAt.set(socket, performance.now());
    return socket.once('close', () => this.idle.delete(socket));
  }

  private isYoung(socket: Duplex): boolean {
    return performance.now() - this.openedAt.get(socket)! < this.ageMs;
  }

  private keep(socket: Duplex): true {
    const [longest] = this.idle;
    if (longest && this.idle.size >= this.inAll) longest.destroy();
    this.idle.add(socket);
    return true;
  }
}
