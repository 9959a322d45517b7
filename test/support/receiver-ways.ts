import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

/** What a request came over. */
export interface Line {
  socket: Socket;
  /** Counts the requests of this connection, from 1. */
  nth: number;
  /** Cuts it off without saying goodbye (RST). */
  reset(): void;
}

/** Answers a request that has come whole. */
export type Way = (response: ServerResponse, line: Line) => void;

const MB = 1_048_576;

/** Zeros, a thousand times smaller on the wire. */
export const BOMB = gzipSync(Buffer.alloc(40 * MB));

const answer =
  (status: number, headers: Record<string, string> = {}, body: string | Buffer = ''): Way =>
  (response) =>
    void response.writeHead(status, headers).end(body);

/** Writes past Node's idea of an answer. */
const raw =
  (text: string): Way =>
  (_, { socket }) =>
    void socket.write(text);

/** Writes again and again, as fast as it is read. */
const flood =
  (head: string, chunk: string): Way =>
  (_, { socket }) => {
    const more = (): boolean => socket.write(chunk, (error) => error || setImmediate(more));
    socket.write(head);
    more();
  };

const drip =
  (head: string, chunk: string): Way =>
  (_, { socket }) => {
    socket.write(head);
    const dripping = setInterval(() => socket.write(chunk), 20);
    socket.once('close', () => clearInterval(dripping));
  };

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNK = 'a'.repeat(65_536);

/** How a receiver answers, by the path that it is asked at. */
export const WAYS: Record<string, Way> = {
  '/thanks': answer(200, {}, 'thanks'),
  '/until-closed': (_, { socket }) => void socket.end(`${OK}Connection: close\r\n\r\nthanks`),
  '/500': answer(500, {}, 'out of order'),
  '/400': answer(400),
  '/429': answer(429, { 'Retry-After': '120' }),
  '/503': (response, line) =>
    answer(503, { 'Retry-After': new Date(Date.now() + 600_000).toUTCString() })(response, line),
  '/410': answer(410),
  '/410-dripping': drip('HTTP/1.1 410 Gone\r\nContent-Length: 1000\r\n\r\n', '.'),
  '/hangs': () => undefined,
  '/drips': drip(`${OK}Content-Length: 100000\r\n\r\n`, '.'),
  '/drips-headers': drip(OK, 'X: y\r\n'),
  '/resets': (_, { reset }) => reset(),
  '/resets-midway': (_, { socket, reset }) =>
    void socket.write(`${OK}Content-Length: 100\r\n\r\nhalf of`, () => setTimeout(reset, 50)),
  '/closes': (_, { socket }) => void socket.destroy(),
  '/closes-midway': (_, { socket }) => void socket.end(`${OK}Content-Length: 100\r\n\r\nhalf of`),
  '/100-mb': flood(`${OK}Content-Length: ${100 * MB}\r\n\r\n`, CHUNK),
  '/endless': flood(`${OK}Transfer-Encoding: chunked\r\n\r\n`, `10000\r\n${CHUNK}\r\n`),
  '/bomb': answer(200, { 'Content-Encoding': 'gzip' }, BOMB),
  '/endless-headers': flood(OK, `X: ${'y'.repeat(1_000)}\r\n`),
  '/endless-header': flood(`${OK}X: `, CHUNK),
  '/not-http': raw('SSH-2.0-OpenSSH_9.2p1\r\n'),
  '/two-lengths': raw(`${OK}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
  '/interim': (response) => {
    response.writeContinue();
    response.writeEarlyHints({ link: '</a>; rel=preload' });
    response.writeHead(200).end();
  },
  '/endless-interim': flood('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'),
  '/drips-interim': drip('', 'HTTP/1.1 102 Processing\r\n\r\n'),
  '/switches': raw('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
  '/resets-when-kept': (response, { nth, reset }) => (nth > 1 ? reset() : void response.writeHead(200).end()),
};
