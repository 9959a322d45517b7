import { createHash } from 'node:crypto';

/** Pages carry the logo inside them, so that they load nothing: it must be small. */
export const LOGO_BYTES_MAX = 32 * 1024;
/** Of width and height. A picture of few bytes can unpack to gigabytes. */
export const LOGO_PIXELS = { min: 16, max: 1024 } as const;
export const LOGO_MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type LogoMediaType = (typeof LOGO_MEDIA_TYPES)[number];

export interface Logo {
  mediaType: LogoMediaType;
  /** Pixels. */
  width: number;
  height: number;
  /** Of the bytes, hex. */
  sha256: string;
  /** The picture itself, base64. */
  content: string;
}

interface Picture {
  mediaType: LogoMediaType;
  width: number;
  height: number;
  isAnimated: boolean;
}

/**
 * Reads a picture as a logo; a text says why it cannot be one. The bytes decide its type, not its name. SVG is refused:
 * it can hold scripts and load from other hosts, and has no size in pixels.
 */
export function readLogo(bytes: Buffer): Logo | string {
  if (bytes.length > LOGO_BYTES_MAX)
    return `must have at most ${LOGO_BYTES_MAX} bytes: this has ${bytes.length}; save it smaller, 480 pixels wide are enough`;
  const picture = pngOf(bytes) ?? jpegOf(bytes) ?? webpOf(bytes);
  if (!picture) return looksLikeSvg(bytes) ? NO_SVG : 'must be a whole PNG, JPEG or WebP picture';
  const { mediaType, width, height, isAnimated } = picture;
  if (isAnimated) return 'must not move: a visitor could not stop it (WCAG 2.2, 2.2.2)';
  const { min, max } = LOGO_PIXELS;
  if ([width, height].some((pixels) => pixels < min || pixels > max))
    return `must be ${min} to ${max} pixels wide and high: this is ${width} by ${height}`;
  return {
    mediaType,
    width,
    height,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    content: bytes.toString('base64'),
  };
}

const NO_SVG = 'must be PNG, JPEG or WebP: an SVG can hold scripts; save it as a PNG of twice the size it is shown at';
const looksLikeSvg = (bytes: Buffer): boolean => /<svg[\s/>]/i.test(bytes.subarray(0, 4096).toString('latin1'));

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** PNG (ISO/IEC 15948): chunks of length, name, content and checksum, from IHDR to IEND. */
function pngOf(bytes: Buffer): Picture | null {
  if (!bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return null;
  let size: { width: number; height: number } | null = null;
  let isAnimated = false;
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    const end = at + 12 + length;
    if (end > bytes.length) return null;
    if (name === 'IHDR' && length === 13)
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    if (name === 'acTL') isAnimated = true;
    if (name === 'IEND') return size && end === bytes.length ? { mediaType: 'image/png', ...size, isAnimated } : null;
    at = end;
  }
  return null;
}

/** Frames of JPEG (ITU-T T.81): SOF0 to SOF15, except three codes between them with another meaning. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

function jpegOf(bytes: Buffer): Picture | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8 || bytes.readUInt16BE(bytes.length - 2) !== 0xffd9)
    return null;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1]!;
    if (isFrame(marker)) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      return { mediaType: 'image/jpeg', width, height, isAnimated: false };
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** WebP (RFC 9649): a RIFF container whose first chunk says how large the picture is. */
function webpOf(bytes: Buffer): Picture | null {
  const text = (from: number): string => bytes.toString('latin1', from, from + 4);
  if (bytes.length < 30 || text(0) !== 'RIFF' || text(8) !== 'WEBP') return null;
  const whole = bytes.readUInt32LE(4) + 8;
  if (whole !== bytes.length) return null;
  const of = (width: number, height: number, isAnimated = false): Picture => ({
    mediaType: 'image/webp',
    width,
    height,
    isAnimated,
  });
  switch (text(12)) {
    case 'VP8 ':
      return of(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
    case 'VP8L': {
      const packed = bytes.readUInt32LE(21);
      return of((packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      return of(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1, (bytes[20]! & 0x02) !== 0);
    default:
      return null;
  }
}
