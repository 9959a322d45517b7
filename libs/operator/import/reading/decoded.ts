import { createGunzip } from 'node:zlib';
import { Readable } from 'node:stream';

const GZIP = [0x1f, 0x8b];
/** What a file may begin with to say its encoding. */
const MARKS: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

const beginsWith = (bytes: Uint8Array, mark: readonly number[]): boolean => mark.every((byte, i) => bytes[i] === byte);

/** Whether `label` names an encoding of the Encoding Standard, such as `windows-1252`. */
export function isEncoding(label: string): boolean {
  try {
    new TextDecoder(label);
    return true;
  } catch {
    return false;
  }
}

/**
 * The text of a file, part by part: gzip is undone, which its first bytes tell, and the mark at the beginning decides
 * before `encoding` does. Bytes that the encoding does not have become U+FFFD, so that they cost one row and not the
 * file. `onRead` hears how many bytes of the file were read. Rejects where gzip is damaged.
 */
export async function* decoded(
  file: AsyncIterable<Uint8Array>,
  encoding: string | null,
  onRead: (bytes: number) => void = () => undefined,
): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  for await (const bytes of unpacked(counted(file, onRead))) {
    decoder ??= new TextDecoder(MARKS.find(([, mark]) => beginsWith(bytes, mark))?.[0] ?? encoding ?? 'utf-8');
    const text = decoder.decode(bytes, { stream: true });
    if (text !== '') yield text;
  }
  const rest = decoder?.decode() ?? '';
  if (rest !== '') yield rest;
}

async function* counted(
  file: AsyncIterable<Uint8Array>,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array, undefined> {
  for await (const bytes of file) {
    onRead(bytes.length);
    yield bytes;
  }
}

/** The first part has at least three bytes where the file has them: it says what the file is. */
async function* unpacked(file: AsyncGenerator<Uint8Array, undefined>): AsyncGenerator<Uint8Array> {
  let first: Uint8Array = new Uint8Array();
  while (first.length < 3) {
    const next = await file.next();
    if (next.done) break;
    first = Buffer.concat([first, next.value]);
  }
  if (first.length === 0) return;
  const whole = concatenated(first, file);
  if (!beginsWith(first, GZIP)) {
    yield* whole;
    return;
  }
  const unzip = createGunzip();
  const source = Readable.from(whole);
  source.once('error', (error) => unzip.destroy(error));
  try {
    yield* withLongBeginning(source.pipe(unzip));
  } finally {
    // A caller that has seen enough leaves no file open.
    source.destroy();
  }
}

async function* concatenated(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

/** What gzip gives first may be a single byte. */
async function* withLongBeginning(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array | null = new Uint8Array();
  for await (const part of parts) {
    if (held === null) {
      yield part;
      continue;
    }
    held = Buffer.concat([held, part]);
    if (held.length < 3) continue;
    yield held;
    held = null;
  }
  if (held !== null) yield held;
}
