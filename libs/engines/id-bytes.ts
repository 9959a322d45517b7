import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 4096;
const pool = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;

/**
 * Random bytes for values that only have to be unique, at most 4 KB: ids, and the IVs of sealed fields. Drawn from the
 * system a page at a time, as `randomUUID` does: a call for each id was a fourteenth of the time of a 304. Not for keys:
 * bytes that were handed out stay in memory until the page is filled again.
 */
export function idBytes(count: number): Uint8Array {
  if (used + count > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  used += count;
  return Uint8Array.prototype.slice.call(pool, used - count, used);
}
