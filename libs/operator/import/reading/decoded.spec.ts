import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { decoded, isEncoding } from './decoded.js';

async function* inParts(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function textOf(bytes: Buffer, encoding: string | null = null, size = 1): Promise<string> {
  let text = '';
  for await (const part of decoded(inParts(bytes, size), encoding)) text += part;
  return text;
}
const TEXT = 'Möller, 東京 \u{1f600}\n';
const swapped = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

describe('the text of a file', () => {
  it.each<[string, Buffer, string | null]>([
    ['UTF-8', Buffer.from(TEXT), null],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${TEXT}`), null],
    ['UTF-8 with a mark, and another name', Buffer.from(`\ufeff${TEXT}`), 'windows-1252'],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${TEXT}`, 'utf16le'), null],
    ['UTF-16 with a mark, the other way', swapped(`\ufeff${TEXT}`), null],
    ['UTF-16 by name', Buffer.from(TEXT, 'utf16le'), 'utf-16le'],
  ])('is read as %s, packed too, byte by byte', async (_, bytes, encoding) => {
    for (const size of [1, 7, 1000]) {
      expect(await textOf(bytes, encoding, size)).toBe(TEXT);
      expect(await textOf(gzipSync(bytes), encoding, size)).toBe(TEXT);
    }
  });

  it('is read as windows-1252 by name', async () => {
    expect(await textOf(Buffer.from([0x4d, 0xf6, 0x80]), 'windows-1252')).toBe('Mö€');
    expect([isEncoding('windows-1252'), isEncoding('klingon')]).toEqual([true, false]);
  });

  it('holds U+FFFD where bytes are of no character, and goes on', async () => {
    expect(await textOf(Buffer.from([0x61, 0xf6, 0x62]))).toBe('a\ufffdb');
  });

  it('is empty of an empty file, and short of a short one', async () => {
    expect([await textOf(Buffer.alloc(0)), await textOf(Buffer.from('a'))]).toEqual(['', 'a']);
  });

  it('rejects where gzip ends too early', async () => {
    await expect(textOf(gzipSync('a'.repeat(1000)).subarray(0, 15))).rejects.toMatchObject({ code: 'Z_BUF_ERROR' });
  });
});
