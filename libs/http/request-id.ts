import type { IncomingMessage, ServerResponse } from 'node:http';
import { newId } from '../kernel/index.js';
import { idBytes } from '../engines/id-bytes.js';

declare module 'node:http' {
  interface IncomingMessage {
    /** Set before anything else sees the request; stands in every log line, error and in the event's metadata. */
    requestId?: string;
  }
}

const SAFE = /^[A-Za-z0-9._-]{1,64}$/;

export const newRequestId = (): string => newId('req', Date.now(), idBytes);

/**
 * Comes first: names the request and sets the headers that every answer carries. A caller's own id is taken over
 * where it is safe to print. `no-store` is the default because most answers are personal; handlers override it.
 */
export function nameRequest(req: IncomingMessage, res: ServerResponse): void {
  const sent = req.headers['x-request-id'];
  const id = typeof sent === 'string' && SAFE.test(sent) ? sent : newRequestId();
  req.requestId = id;
  res.setHeader('X-Request-Id', id);
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Referrer-Policy', 'no-referrer');
  res.setHeader('Cache-Control', 'no-store');
}
