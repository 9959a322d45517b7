import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, brotliDecompressSync, constants, gunzip } from 'node:zlib';
import { LIST_BYTES_MAX } from './read-list.js';

/**
 * Characters of packed content in base64: an event with it must fit into one append. A list of 1,100 vendors takes
 * 150,000.
 */
export const PACKED_MAX = 900_000;

const pack = promisify(brotliCompress);

/** JSON as an event holds it; null if it is too large for one. */
export async function packed(content: unknown): Promise<string | null> {
  const json = Buffer.from(JSON.stringify(content));
  const bytes = await pack(json, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: json.length },
  });
  const text = bytes.toString('base64');
  return text.length > PACKED_MAX ? null : text;
}

export const unpacked = (text: string): unknown =>
  JSON.parse(brotliDecompressSync(Buffer.from(text, 'base64')).toString('utf8'));

const DECODERS: Readonly<Record<string, (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>>> =
  { br: promisify(brotliDecompress), gzip: promisify(gunzip), 'x-gzip': promisify(gunzip) };

/** Value for `Accept-Encoding`. */
export const ENCODINGS = 'br, gzip';

/**
 * Decompresses the body of an answer. `encoding` in lower case, '' for none. Never returns more than a list may have: a
 * longer, broken or otherwise compressed body is a fault in words.
 */
export async function decoded(
  body: Buffer,
  encoding: string,
): Promise<Buffer | { fault: 'too_large' | 'bad_encoding' }> {
  if (encoding === '' || encoding === 'identity') return body.length > LIST_BYTES_MAX ? { fault: 'too_large' } : body;
  const decode = DECODERS[encoding];
  if (!decode) return { fault: 'bad_encoding' };
  try {
    return await decode(body, { maxOutputLength: LIST_BYTES_MAX });
  } catch (error) {
    return { fault: (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'bad_encoding' };
  }
}
