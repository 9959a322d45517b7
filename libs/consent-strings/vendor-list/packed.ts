import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, brotliDecompressSync, constants, gunzip } from 'node:zlib';
import { LIST_BYTES_MAX } from './read-list.js';

/** Of what is packed, in base64: an event with it has to fit into one append. A list of 1,100 vendors takes 150,000. */
export const PACKED_MAX = 900_000;

const pack = promisify(brotliCompress);

/** JSON as an event holds it; null where it is too large for one. */
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

/** What `Accept-Encoding` may offer. */
export const ENCODINGS = 'br, gzip';

/**
 * The body of an answer without its compression, whose name is in lower case, '' for none. Never more than a list may
 * have: what would be longer, what is broken, and what is compressed in another way is a fault in words.
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
