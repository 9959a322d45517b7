import { createHash } from 'node:crypto';
import { jpeg, png, webp } from '../../../test/support/pictures.js';
import { LOGO_BYTES_MAX, readLogo } from './logo.js';

describe('a logo', () => {
  it('is what its bytes say, with its size, its hash and the very bytes', () => {
    const bytes = png({ width: 480, height: 120 });
    expect(readLogo(bytes)).toEqual({
      mediaType: 'image/png',
      width: 480,
      height: 120,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      content: bytes.toString('base64'),
    });
  });

  const lossy = Buffer.alloc(10);
  lossy.writeUInt16LE(300, 6);
  lossy.writeUInt16LE(200, 8);
  const lossless = Buffer.alloc(21);
  lossless[0] = 0x2f;
  lossless.writeUInt32LE((300 - 1) | ((200 - 1) << 14), 1);
  const extended = Buffer.alloc(10);
  extended.writeUIntLE(300 - 1, 4, 3);
  extended.writeUIntLE(200 - 1, 7, 3);
  it.each([
    ['image/jpeg', 'JPEG', jpeg(300, 200)],
    ['image/webp', 'lossy WebP', webp('VP8 ', lossy)],
    ['image/webp', 'lossless WebP', webp('VP8L', lossless)],
    ['image/webp', 'extended WebP', webp('VP8X', extended)],
  ])('can be %s: %s', (mediaType, _, bytes) => {
    expect(readLogo(bytes)).toMatchObject({ mediaType, width: 300, height: 200 });
  });

  const moving = Buffer.from(extended);
  moving[0] = 0x02;
  const whole = png();
  const longer = Buffer.concat([whole, Buffer.from('<script>alert(1)</script>')]);
  const shortened = webp('VP8 ', lossy).subarray(0, -1);
  it.each([
    ['SVG', Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'), /SVG can hold scripts.*PNG/],
    ['a GIF', Buffer.from('GIF89a0000000000000000000000000000'), /PNG, JPEG or WebP/],
    ['nothing', Buffer.alloc(0), /PNG, JPEG or WebP/],
    ['a PNG that is cut off', whole.subarray(0, -5), /whole PNG/],
    ['a PNG with something behind it', longer, /whole PNG/],
    ['a WebP that is cut off', shortened, /whole PNG/],
    ['a JPEG that is cut off', jpeg(300, 200).subarray(0, -1), /whole PNG/],
    ['what only begins like a PNG', whole.subarray(0, 8), /whole PNG/],
    ['a PNG that moves', png({ more: { acTL: Buffer.alloc(8) } }), /must not move/],
    ['a WebP that moves', webp('VP8X', moving), /must not move/],
    ['one that is too narrow', png({ width: 15 }), /16 to 1024 pixels wide and high: this is 15 by 32/],
    ['one that unpacks to too much', jpeg(1025, 40), /this is 1025 by 40/],
    ['one of too many bytes', png({ more: { tEXt: Buffer.alloc(LOGO_BYTES_MAX) } }), /at most 32768 bytes: this has/],
  ])('is not %s', (_, bytes, why) => {
    expect(readLogo(bytes)).toMatch(why);
  });

  it('is refused, and nothing worse, whatever the bytes are', () => {
    for (const bytes of [png(), jpeg(300, 200), webp('VP8L', lossless), webp('VP8X', extended)])
      for (let at = 0; at < Math.min(bytes.length, 200); at++)
        for (const value of [0, 0xff]) {
          const broken = Buffer.from(bytes);
          broken[at] = value;
          for (const part of [broken, broken.subarray(0, at)])
            expect(['string', 'object']).toContain(typeof readLogo(part));
        }
  });
});
