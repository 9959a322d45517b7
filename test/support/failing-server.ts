import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** How one request is treated. */
export type Way = (response: ServerResponse, asked: Asked) => unknown;

export interface FailingServer {
  url: string;
  /** Every request so far. */
  asked: Asked[];
  /** The next requests are treated so, one after the other; those behind them like the last one. */
  next(...ways: readonly Way[]): void;
  stop(): Promise<void>;
}

export const answers =
  (status: number, body: unknown, headers: Record<string, string> = {}): Way =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));

export const refuses = (status: number, code: string, headers: Record<string, string> = {}): Way =>
  answers(status, { code, message: 'No.', hint: 'Do not.', issues: [], requestId: 'req_1', docUrl: '/docs' }, headers);

export const resets: Way = (response) => response.socket?.resetAndDestroy();
export const hangs: Way = () => undefined;
/** The head and half of the body, and then nothing more. */
export const breaksOff: Way = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' }).write('{"purposes": {');
  setTimeout(() => response.socket?.destroy(), 5);
};

/** A server that fails as it is told. */
export async function startFailingServer(): Promise<FailingServer> {
  const asked: Asked[] = [];
  let ways: Way[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const one = { method, path, headers, body: Buffer.concat(chunks).toString(), at: Date.now() };
      asked.push(one);
      const way = ways.length > 1 ? ways.shift()! : ways[0]!;
      way(response, one);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    next: (...following) => {
      asked.length = 0;
      ways = [...following];
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
