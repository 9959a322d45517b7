import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';

/** What stands behind the proxy: each list takes its turns. */
export interface Backends {
  write: string[];
  read: string[];
}

/** How often an instance is asked whether it wants traffic, in ms; much less than it drains. */
const HEALTH_EVERY_MS = 250;

/**
 * A reverse proxy as docker-compose.yml has one: questions go to the read side, everything else to the write side, one
 * instance after the other. An instance that says it is not ready gets nothing; one that cannot be connected to is
 * passed over. Where none is ready all are tried: they can say best themselves what is wrong.
 */
export async function startProxy(port: number, backends: Backends): Promise<{ close(): Promise<void> }> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 256 });
  let turn = 0;
  const leaving = new Set<string>();
  const look = setInterval(() => {
    for (const url of [...backends.write, ...backends.read]) {
      http
        .get(`${url}/readyz`, { agent: false }, (answer) => {
          answer.resume();
          if (answer.statusCode === 200) leaving.delete(url);
          else leaving.add(url);
        })
        .on('error', () => leaving.add(url));
    }
  }, HEALTH_EVERY_MS);
  const sideOf = ({ method = 'GET', url = '/' }: IncomingMessage): string[] => {
    const side =
      (method === 'GET' || method === 'HEAD') && !/^\/(admin|console)\b/.test(url) ? backends.read : backends.write;
    const ready = side.filter((instance) => !leaving.has(instance));
    return ready.length > 0 ? ready : side;
  };

  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => forward(request, response, Buffer.concat(chunks), turn++, sideOf(request).length));
  });

  const forward = (
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
    instance: number,
    tries: number,
  ): void => {
    const side = sideOf(request);
    const target = new URL(side[instance % side.length]!);
    const asked = http.request(
      {
        host: target.hostname,
        port: target.port,
        method: request.method,
        path: request.url,
        headers: request.headers,
        agent,
      },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.rawHeaders);
        // Where one side breaks off, the other one is told, and keeps nothing open.
        pipeline(answer, response, () => undefined);
      },
    );
    asked.on('error', (error: NodeJS.ErrnoException) => {
      if (response.headersSent) return void response.destroy();
      // Refused: nothing was sent, another instance may have it. Reset: the outcome is not known, the client must ask again.
      if (error.code === 'ECONNREFUSED' && tries > 1) return forward(request, response, body, instance + 1, tries - 1);
      response.socket?.destroy();
    });
    asked.end(body);
  };

  // Clients here keep their connections for longer than Node's five seconds: whoever closes first loses a request.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    close: () =>
      new Promise((resolve) => {
        clearInterval(look);
        agent.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
