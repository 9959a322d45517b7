/**
 * Arrays of text in the binary form of Postgres (array_recv): nothing is escaped on either side, which takes a sixth of
 * the time that writing rows costs the process otherwise.
 */
const OIDS: Readonly<Record<string, number>> = { text: 25, json: 114, jsonb: 3802 };
/** Binary jsonb begins with its version. */
const JSONB_VERSION = 1;
const HEADER_BYTES = 20;

/** Whether arrays of this type can be given so. */
export const hasBinaryForm = (type: string): boolean => type in OIDS;

/** The array as a parameter of a statement, which must name its type: `$1::text[]`. */
export function binaryArray(type: string, values: readonly (string | null)[]): Buffer {
  const extra = type === 'jsonb' ? 1 : 0;
  let bytes = HEADER_BYTES;
  for (const value of values) bytes += 4 + (value === null ? 0 : extra + Buffer.byteLength(value));
  const buffer = Buffer.allocUnsafe(bytes);
  // Dimensions, whether there are nulls, type of the elements; then how many elements, counted from 1.
  buffer.writeInt32BE(values.length === 0 ? 0 : 1, 0);
  buffer.writeInt32BE(values.includes(null) ? 1 : 0, 4);
  buffer.writeInt32BE(OIDS[type]!, 8);
  if (values.length === 0) return buffer.subarray(0, 12);
  buffer.writeInt32BE(values.length, 12);
  buffer.writeInt32BE(1, 16);
  let at = HEADER_BYTES;
  for (const value of values) {
    if (value === null) {
      at = buffer.writeInt32BE(-1, at);
      continue;
    }
    if (extra) buffer[at + 4] = JSONB_VERSION;
    const length = extra + buffer.write(value, at + 4 + extra);
    at = buffer.writeInt32BE(length, at) + length;
  }
  return buffer;
}
