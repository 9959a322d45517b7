/*
 * SHA-256 (FIPS 180-4), HMAC (RFC 2104) and HKDF (RFC 5869) in plain JavaScript, because a check that returns a boolean
 * must not be asynchronous: a promise is true in every condition. No step depends on the content of a secret.
 */

export const HASH_BYTES = 32;
const BLOCK_BYTES = 64;

const [INITIAL, K] = constants();

/** The first 32 bits of the fractional parts of the square roots of 8 primes, and of the cube roots of 64. */
function constants(): [Uint32Array, Uint32Array] {
  const [squares, cubes]: [number[], number[]] = [[], []];
  const fraction = (root: number): number => (root % 1) * 2 ** 32;
  for (let candidate = 2; cubes.length < 64; candidate++) {
    let isPrime = true;
    for (let factor = 2; factor * factor <= candidate; factor++) if (candidate % factor === 0) isPrime = false;
    if (!isPrime) continue;
    if (squares.length < 8) squares.push(fraction(candidate ** (1 / 2)));
    cubes.push(fraction(candidate ** (1 / 3)));
  }
  return [Uint32Array.from(squares), Uint32Array.from(cubes)];
}

export function sha256(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const blocks = Math.ceil((message.length + 9) / BLOCK_BYTES);
  const padded = new Uint8Array(blocks * BLOCK_BYTES);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(padded.length - 4, message.length << 3);
  const state = INITIAL.slice();
  const words = new Int32Array(64);
  for (let block = 0; block < blocks; block++) {
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(block * BLOCK_BYTES + i * 4);
    compress(state, words);
  }
  const hash = new Uint8Array(HASH_BYTES);
  const out = new DataView(hash.buffer);
  state.forEach((word, i) => out.setUint32(i * 4, word));
  return hash;
}

const rotated = (x: number, by: number): number => (x >>> by) | (x << (32 - by));

function compress(state: Uint32Array, words: Int32Array): void {
  for (let i = 16; i < 64; i++) {
    const [w15, w2] = [words[i - 15]!, words[i - 2]!];
    const s0 = rotated(w15, 7) ^ rotated(w15, 18) ^ (w15 >>> 3);
    const s1 = rotated(w2, 17) ^ rotated(w2, 19) ^ (w2 >>> 10);
    words[i] = words[i - 16]! + s0 + words[i - 7]! + s1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const t1 = (h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + K[i]! + words[i]!) | 0;
    const t2 = ((rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] = state[i]! + word;
  });
}

export function hmacSha256(key: Uint8Array, ...message: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(key.length > BLOCK_BYTES ? sha256(key) : key);
  const inner = sha256(joined([block.map((byte) => byte ^ 0x36), ...message]));
  return sha256(joined([block.map((byte) => byte ^ 0x5c), inner]));
}

/** 32 bytes by HKDF with an empty salt. */
export function hkdfSha256(secret: Uint8Array, info: Uint8Array): Uint8Array<ArrayBuffer> {
  return hmacSha256(hmacSha256(new Uint8Array(HASH_BYTES), secret), info, Uint8Array.of(1));
}

/** Compares in constant time. */
export function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a[i]! ^ (b[i] ?? 0);
  return difference === 0;
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
