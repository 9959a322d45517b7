import type { Request, Response } from 'express';
import { Compressible } from './compression.js';
import { ifNoneMatchHits } from './conditional.js';
import { sendTogether } from './sent-together.js';

/** An answer that is made once and given to many: what is public and the same for all who may ask. */
export class PreparedJson {
  /** Of the body, in bytes. */
  readonly length: number;
  /**
   * Each byte of the body as one character. Node puts headers and a text into one write to the system; a buffer is a second
   * piece, for which an answer of 2 KB took 4 to 9 µs more.
   */
  private readonly bytes: string;
  private readonly compressible: Compressible;

  /** `body`: JSON in UTF-8. */
  constructor(body: Buffer) {
    this.length = body.length;
    this.bytes = body.toString('latin1');
    this.compressible = new Compressible(body.length, () => Buffer.from(this.bytes, 'latin1'));
  }

  /** Answers with it, or 304 where the caller has it. All headers but those of the body are set before. */
  answer(request: Request, response: Response, etag: string): void {
    const isCompressed = this.compressible.isTaken(request, response);
    if (ifNoneMatchHits(request.headers['if-none-match'], etag)) {
      response.statusCode = 304;
      sendTogether(response);
      return;
    }
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    if (isCompressed) return this.compressible.send(response);
    response.setHeader('Content-Length', this.length);
    response.end(this.bytes, 'latin1');
  }
}
