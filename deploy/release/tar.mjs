import { gzipSync } from 'node:zlib';

const BLOCK = 512;
/** Of a name in a header, and of the folder before it, in bytes. */
const [NAME_MAX, FOLDER_MAX] = [100, 155];

/**
 * A gzipped archive (POSIX ustar) of files, `[path, content]`: the same bytes for the same files, whatever the clock, the
 * user and the file system. A file is executable where it begins with `#!`.
 * @param {Iterable<readonly [path: string, content: Buffer]>} files
 * @param {number} atS of all files, in seconds since 1970
 */
export function tarOf(files, atS) {
  const blocks = [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, content]) => [header(path, content, atS), content, Buffer.alloc(-content.length & (BLOCK - 1))]);
  const zipped = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 });
  // The system that zipped it: unknown, since zlib writes another one on each.
  zipped[9] = 255;
  return zipped;
}

function header(path, content, atS) {
  const block = Buffer.alloc(BLOCK);
  const cut = path.length > NAME_MAX ? path.indexOf('/', path.length - NAME_MAX - 1) : -1;
  const [folder, name] = [path.slice(0, Math.max(cut, 0)), path.slice(cut + 1)];
  if (Buffer.byteLength(name) > NAME_MAX || Buffer.byteLength(folder) > FOLDER_MAX)
    throw new Error(`${path}: the path is too long for an archive; shorten it`);
  const octal = (value, digits) => value.toString(8).padStart(digits, '0');
  block.write(name, 0);
  block.write(octal(content.subarray(0, 2).toString() === '#!' ? 0o755 : 0o644, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(content.length, 11), 124);
  block.write(octal(atS, 11), 136);
  block.write('        ', 148);
  block.write('0', 156);
  block.write('ustar\0' + '00', 257);
  block.write(folder, 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)}\0 `, 148);
  return block;
}
