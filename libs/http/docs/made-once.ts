import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Compressible } from '../answers/compression.js';
import { ifNoneMatchHits, weakETag } from '../answers/conditional.js';

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

const FOR_FIVE_MINUTES = 'public, max-age=300';
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Texts and pictures that stay the same as long as the process runs: each is made at its first request, and answered with a tag. */
export class MadeOnce {
  private readonly made = new Map<string, { body: Buffer; compressible: Compressible; etag: string }>();

  /** `max`: how many are kept; the oldest is made anew. Absent: all. */
  constructor(private readonly max = Infinity) {}

  /** `isForEver`: the address names the content, so that a copy is never out of date. */
  send(
    req: IncomingMessage,
    res: ServerResponse,
    name: string,
    type: string,
    make: () => string | Buffer,
    isForEver = false,
  ): void {
    let served = this.made.get(name);
    if (!served) {
      const body = Buffer.from(make() as Buffer);
      served = { body, compressible: new Compressible(body.length, () => body), etag: weakETag(hashOf(body)) };
      if (this.made.size >= this.max) this.made.delete(this.made.keys().next().value!);
      this.made.set(name, served);
    }
    const { body, compressible, etag } = served;
    res.setHeader('Cache-Control', isForEver ? FOR_EVER : FOR_FIVE_MINUTES);
    const isCompressed = compressible.isTaken(req, res);
    if (answeredUnchanged(req, res, etag)) return;
    res.setHeader('Content-Type', type);
    if (isCompressed) return compressible.send(res);
    res.setHeader('Content-Length', body.length);
    res.end(body);
  }
}
