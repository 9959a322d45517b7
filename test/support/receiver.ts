import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import type { Certificate } from './certificate.js';
import { WAYS, type Way } from './receiver-ways.js';

/** A request that came whole. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A connection that was made to it. */
export interface ReceiverConnection {
  /** The address that was dialled, where the receiver listens on several. */
  to: string;
  isOpen: boolean;
  /** The requests that came over it. */
  paths: string[];
  /** Once it is closed. */
  bytesWritten: number;
}

export interface Receiver {
  /** Without a path: `https://127.0.0.1:4443`. */
  url: string;
  port: number;
  received: Received[];
  connections: ReceiverConnection[];
  stop(): Promise<void>;
}

const REDIRECTS = ['301', '302', '307', '308'];

/**
 * A receiver of webhooks on this machine. The path says how it answers: one of `WAYS`; `/301` and the like lead to
 * `redirectTo`; any other is answered 204.
 */
export async function startReceiver({
  tls,
  redirectTo = '/',
  host = '127.0.0.1',
}: { tls?: Certificate; redirectTo?: string; host?: string } = {}): Promise<Receiver> {
  const received: Received[] = [];
  const connections = new Map<Socket, ReceiverConnection>();
  /** Below TLS, where there is TLS. */
  const sockets = new Set<Socket>();
  const resetOf = ({ remotePort }: Socket): void =>
    [...sockets].filter((socket) => socket.remotePort === remotePort).forEach((socket) => socket.resetAndDestroy());
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    const connection = connections.get(request.socket)!;
    const path = request.url!;
    connection.paths.push(path);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ path, headers: request.headers, body: Buffer.concat(chunks) });
      const status = path.slice(1);
      const redirects: Way = (answer) => void answer.writeHead(Number(status), { Location: redirectTo }).end();
      const noContent: Way = (answer) => void answer.writeHead(204).end();
      const way = REDIRECTS.includes(status) ? redirects : (WAYS[path] ?? noContent);
      const { socket } = request;
      way(response, { socket, nth: connection.paths.length, reset: () => resetOf(socket) });
    });
  };
  const server = tls ? https.createServer(tls, onRequest) : http.createServer(onRequest);
  server.keepAliveTimeout = 0;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    const connection = { to: socket.localAddress!, isOpen: true, paths: [], bytesWritten: 0 };
    connections.set(socket, connection);
    socket.on('error', () => undefined);
    socket.once('close', () => Object.assign(connection, { isOpen: false, bytesWritten: socket.bytesWritten }));
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://${host}:${port}`,
    port,
    received,
    get connections() {
      return [...connections.values()];
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Takes connections and never says anything, so that neither a greeting nor a TLS handshake comes about. */
export async function startSilence(): Promise<{ port: number; stop(): Promise<void> }> {
  const open = new Set<Socket>();
  const server = net.createServer((socket) => {
    open.add(socket.on('error', () => undefined));
    socket.once('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        open.forEach((socket) => socket.destroy());
      }),
  };
}
