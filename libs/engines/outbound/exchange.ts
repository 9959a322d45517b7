import { request as plainRequest, type Agent, type ClientRequest, type IncomingHttpHeaders } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Socket } from 'node:net';
import { OutboundFailure, type OutboundFault } from './fault.js';
import { judgedLookup, type IsAllowed } from './judged-lookup.js';
import type { Resolve } from './resolve.js';

export interface Get {
  /** `http:` or `https:`, without user and password. */
  url: URL;
  /** `Accept-Encoding` is `identity` unless it stands here. */
  headers: Readonly<Record<string, string>>;
  /** Asked of every address before it is dialled, and before a kept connection to it is used again. */
  isAllowed: IsAllowed;
  /** Ends it early, as `timed_out`. */
  signal?: AbortSignal;
}

export interface Post extends Get {
  body: Uint8Array;
}

export interface ExchangeLimits {
  resolve: Resolve;
  /** Until a connection stands: name, TCP and TLS. */
  connectMs: number;
  /** Bytes of the body of an answer that are read; then the connection is closed. */
  readBytes: number;
  /** Bytes of it that are handed on. */
  keptBytes: number;
}

/** What came of one request on one connection. */
export interface Exchanged {
  /** Null: none came. */
  status: number | null;
  headers: IncomingHttpHeaders;
  /** As they came: nothing is decompressed. */
  firstBytes: Buffer;
  /** Null: the whole answer came, or as much of it as is read. */
  fault: OutboundFault | null;
  /** The kept connection could not be used any more: this says nothing about the receiver. */
  isStale: boolean;
}

/** Status line and headers of an answer, in bytes. */
const HEAD_BYTES = 16_384;
/** Most interim answers (such as 103) before the real one. Without this limit a stream of them takes the whole time. */
const INTERIM_MAX = 16;

/** Posts or gets once and reads what comes. Never rejects. Aborting the signal ends it as `timed_out`. */
export function exchange(
  sent: Get | Post,
  agent: Agent,
  limits: ExchangeLimits,
  signal: AbortSignal,
): Promise<Exchanged> {
  const { url, headers, isAllowed } = sent;
  const body = 'body' in sent ? sent.body : null;
  const isPlain = url.protocol === 'http:';
  const port = Number(url.port) || (isPlain ? 80 : 443);
  return new Promise((resolve) => {
    const request = (isPlain ? plainRequest : secureRequest)(url, {
      method: body === null ? 'GET' : 'POST',
      agent,
      headers: { 'Accept-Encoding': 'identity', ...headers, ...(body !== null && { 'Content-Length': body.length }) },
      lookup: judgedLookup(limits.resolve, isAllowed, { port, isPlain }),
      maxHeaderSize: HEAD_BYTES,
      signal,
    });
    const chunks: Buffer[] = [];
    let read = 0;
    let head: Pick<Exchanged, 'status' | 'headers'> = { status: null, headers: {} };
    const end = (fault: OutboundFault | null): void => {
      const firstBytes = Buffer.concat(chunks, Math.min(read, limits.keptBytes));
      const isStale = fault === 'connection_lost' && request.reusedSocket && head.status === null;
      resolve({ ...head, firstBytes, fault, isStale });
    };
    const faultOf = followed(request, sent, limits.connectMs);
    const fail = (error: unknown): void => end(signal.aborted ? 'timed_out' : faultOf(error));

    request.on('error', fail);
    // 'close' comes last. It comes alone where the answer breaks off and where the server switches protocols.
    request.on('close', () => fail(new OutboundFailure(head.status === null ? 'not_http' : 'connection_lost')));
    request.on('response', (answer) => {
      head = { status: answer.statusCode!, headers: answer.headers };
      answer.on('data', (chunk: Buffer) => {
        if (read < limits.keptBytes) chunks.push(chunk);
        read += chunk.length;
        if (read <= limits.readBytes) return;
        end(null);
        request.destroy();
      });
      answer.on('end', () => end(null));
      answer.on('error', fail);
    });
    request.end(body ?? undefined);
  });
}

/** Notes how far a request has come, and says what an error at that point means. */
function followed(
  request: ClientRequest,
  { url, isAllowed }: Get,
  connectMs: number,
): (error: unknown) => OutboundFault {
  const isPlain = url.protocol === 'http:';
  let stage: 'dialling' | 'handshake' | 'connected' = 'dialling';
  let interim = 0;
  request.on('socket', (socket: Socket) => {
    if (request.reusedSocket) {
      stage = 'connected';
      const { remoteAddress: address = '', remotePort: port = 0 } = socket;
      // Checked again on a kept connection before anything is written: the rules may have changed since it was dialled.
      if (!isAllowed({ address, port, isPlain })) request.destroy(new OutboundFailure('connection_lost'));
      return;
    }
    const timer = setTimeout(() => request.destroy(new OutboundFailure('connect_timed_out')), connectMs);
    socket.once('close', () => clearTimeout(timer));
    socket.once('connect', () => (stage = 'handshake'));
    socket.once(isPlain ? 'connect' : 'secureConnect', () => {
      stage = 'connected';
      clearTimeout(timer);
    });
  });
  request.on('information', () => {
    if (++interim > INTERIM_MAX) request.destroy(new OutboundFailure('not_http'));
  });
  return (error) => {
    if (error instanceof OutboundFailure) return error.fault;
    if (stage === 'dialling') return 'connection_failed';
    if (stage === 'handshake') return 'tls_failed';
    const { code = '' } = error as NodeJS.ErrnoException;
    return code.startsWith('HPE_') ? 'not_http' : 'connection_lost';
  };
}
