import { crc32, deflateSync } from 'node:zlib';

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(named) >>> 0);
  return Buffer.concat([length, named, checksum]);
}

export interface Drawing {
  width?: number;
  height?: number;
  /** Chunks behind the header, by name. */
  more?: Record<string, Buffer>;
  /** Whether a pixel has the colour; the others are transparent. */
  draws?: (x: number, y: number) => boolean;
  color?: readonly [number, number, number];
}

/** A PNG with an alpha channel, as a drawing program would save it. */
export function png({
  width = 64,
  height = 32,
  more = {},
  draws = () => true,
  color = [11, 87, 176],
}: Drawing = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: width }, (__, x) => [...color, draws(x, y) ? 255 : 0]).flat()]),
  );
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    ...Object.entries(more).map(([name, content]) => chunk(name, content)),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The head of a JPEG, which says how large it is, and its end. */
export function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const before = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 6, 1, 2, 3, 4]);
  return Buffer.concat([before, frame, Buffer.from([0xff, 0xd9])]);
}

/** A WebP container with one chunk. */
export function webp(name: 'VP8 ' | 'VP8L' | 'VP8X', content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(`WEBP${name}`, 'latin1'), Buffer.alloc(4), content]);
  body.writeUInt32LE(content.length, 8);
  const riff = Buffer.alloc(8);
  riff.write('RIFF', 'latin1');
  riff.writeUInt32LE(body.length, 4);
  return Buffer.concat([riff, body]);
}
