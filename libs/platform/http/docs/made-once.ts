import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ifNoneMatchHits, weakETag } from '../conditional.js';

export const hashOf = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 16);

/** Sets the tag, and answers 304 where the caller has it already. */
export function answeredUnchanged(req: IncomingMessage, res: ServerResponse, etag: string): boolean {
  res.setHeader('ETag', etag);
  if (!ifNoneMatchHits(req.headers['if-none-match'], etag)) return false;
  res.statusCode = 304;
  res.end();
  return true;
}

/** Texts that stay the same as long as the process runs: each is made at its first request, and answered with a tag. */
export class MadeOnce {
  private readonly made = new Map<string, { body: string; etag: string }>();

  send(req: IncomingMessage, res: ServerResponse, name: string, type: string, make: () => string): void {
    let served = this.made.get(name);
    if (!served) {
      const body = make();
      this.made.set(name, (served = { body, etag: weakETag(hashOf(body)) }));
    }
    res.setHeader('Cache-Control', 'public, max-age=300');
    if (answeredUnchanged(req, res, served.etag)) return;
    res.setHeader('Content-Type', type);
    res.setHeader('Content-Length', Buffer.byteLength(served.body));
    res.end(served.body);
  }
}
