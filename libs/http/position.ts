import type { IncomingHttpHeaders } from 'node:http';
import { invalid } from './errors/refused.js';

/** Where a write stands in the log. A read that sends it back sees at least that write. */
export const LOG_POSITION_HEADER = 'X-Log-Position';

/** Positions of every log we know fit in 64 bits. */
const POSITION = /^(?:0|[1-9]\d{0,19})$/;
const MAX = 2n ** 64n - 1n;

export const formatPosition = (position: bigint): string => position.toString();

/** The position that a read sends back: null where it sends none. Refuses what is not a position. */
export const positionIn = (headers: IncomingHttpHeaders): bigint | null =>
  parsePosition(headers[LOG_POSITION_HEADER.toLowerCase()]);

/** Null where the header was not sent; refuses what is not a position. */
export function parsePosition(header: string | string[] | undefined): bigint | null {
  if (header === undefined) return null;
  if (typeof header === 'string' && POSITION.test(header) && BigInt(header) <= MAX) return BigInt(header);
  throw invalid(
    [{ path: LOG_POSITION_HEADER, message: 'must be a decimal position' }],
    'Send the header as a write answered it, or leave it out.',
  );
}
