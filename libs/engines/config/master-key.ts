const BYTES = 32;
const HINT = 'make one with: openssl rand -base64 32';

/** Reads 32 random bytes from base64, base64url or hex; or answers what is wrong with them. */
export function readMasterKey(text: string): Buffer | string {
  const key = /^[0-9a-f]{64}$/i.test(text)
    ? Buffer.from(text, 'hex')
    : /^[\w+/-]{43}=?$/.test(text)
      ? Buffer.from(text, 'base64')
      : null;
  if (key?.length !== BYTES) return `is not ${BYTES} bytes as base64 or ${BYTES * 2} hex digits: ${HINT}`;
  if (isWeak(key)) return `can be guessed: it is not random; ${HINT}`;
  return key;
}

/** Whether a key was typed, repeated or counted. A random key looks like that less than once in 10^13 times. */
function isWeak(key: Buffer): boolean {
  const steps = new Set(key.map((byte, i) => (byte - key[(i + key.length - 1) % key.length]!) & 0xff));
  const isTyped = key.every((byte) => byte >= 0x20 && byte < 0x7f);
  return new Set(key).size < 16 || steps.size < 8 || isTyped;
}
