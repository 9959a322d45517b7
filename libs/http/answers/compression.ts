import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** Size of a body, in bytes, from which compression pays: a smaller one fits into few packets. */
const COMPRESSED_FROM_BYTES = 8_192;

/**
 * A body and its compressed form, which the first caller that takes it makes. Only for public answers that are the same
 * for all callers: compression shows the length of a secret that stands beside a caller's text (BREACH).
 */
export class Compressible {
  private gzip: Buffer | null = null;

  /** @param length of the body, in bytes */
  constructor(
    private readonly length: number,
    private readonly body: () => Buffer,
  ) {}

  /** Whether the caller takes the compressed form. Sets `Vary`, also for a 304. */
  isTaken({ headers }: IncomingMessage, response: ServerResponse): boolean {
    if (this.length < COMPRESSED_FROM_BYTES) return false;
    const before = response.getHeader('Vary');
    response.setHeader('Vary', before === undefined ? 'Accept-Encoding' : `${String(before)}, Accept-Encoding`);
    return takesGzip(headers['accept-encoding'] as string | undefined);
  }

  send(response: ServerResponse): void {
    this.gzip ??= gzipSync(this.body());
    response.setHeader('Content-Encoding', 'gzip');
    response.setHeader('Content-Length', this.gzip.length);
    response.end(this.gzip);
  }
}

/** Whether the header wants gzip no less than the body as it is (RFC 9110, 12.5.3). */
export function takesGzip(accepted: string | undefined): boolean {
  const weights = new Map(
    (accepted ?? '')
      .slice(0, 1024)
      .split(',')
      .map((each) => {
        const [coding = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
        const weight = parameters.find((parameter) => parameter.startsWith('q='));
        return [coding, weight === undefined ? 1 : Number(weight.slice(2))];
      }),
  );
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
}
