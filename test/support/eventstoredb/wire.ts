import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import { freePort } from '../free-port.js';

/**
 * A TCP connection between clients and a server that can fail as networks do. It keeps its port, whatever becomes of
 * the server behind it; nobody else is given that port while nothing listens on it.
 */
export class Wire {
  /** Connections made so far. */
  connections = 0;
  private readonly pairs = new Set<[client: Socket, server: Socket]>();
  private server: net.Server | null = null;
  private frozen = false;

  constructor(
    private readonly targetPort: () => number,
    public port = 0,
  ) {}

  /** How many of them are there now. */
  get connected(): number {
    return this.pairs.size;
  }

  /** Accepts connections, again on the same port after `refuse`. */
  async open(): Promise<void> {
    const server = net.createServer((client) => {
      this.connections++;
      const upstream = net.connect(this.targetPort(), '127.0.0.1');
      const pair: [Socket, Socket] = [client, upstream];
      this.pairs.add(pair);
      const end = () => {
        client.destroy();
        upstream.destroy();
        this.pairs.delete(pair);
      };
      for (const socket of pair) socket.setNoDelay(true).on('error', end).on('close', end);
      client.pipe(upstream).pipe(client);
      if (this.frozen) hold(pair);
    });
    this.port ||= await freePort();
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    this.server = server;
  }

  /** Ends every connection, as a dying server or a proxy does. */
  cut(): void {
    for (const [client, server] of this.pairs) {
      reset(client);
      server.destroy();
    }
  }

  /** Nobody listens any more. Connections that exist stay. */
  async refuse(): Promise<void> {
    const closing = this.server;
    this.server = null;
    closing?.close();
  }

  /** Connections stay open, and nothing passes in either direction. */
  freeze(): void {
    this.frozen = true;
    for (const pair of this.pairs) hold(pair);
  }

  thaw(): void {
    this.frozen = false;
    for (const [client, server] of this.pairs) client.pipe(server).pipe(client);
  }

  async close(): Promise<void> {
    await this.refuse();
    this.cut();
  }
}

function hold([client, server]: [Socket, Socket]): void {
  for (const socket of [client, server]) socket.unpipe().pause();
}

/**
 * Sends a reset at once. `resetAndDestroy` first ends what is written; where the socket is destroyed meanwhile, as by the
 * other side of its pair, Node 20 cannot reset it any more and leaves its handle open for ever.
 */
function reset(socket: Socket & { resetAndClosing?: boolean }): void {
  socket.resetAndClosing = true;
  socket.destroy();
}
