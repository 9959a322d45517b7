import nacl from 'tweetnacl/nacl.js';

/** Order of the group, the most significant byte first (RFC 8032 section 5.1). */
const L = '1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed';

/**
 * Ed25519 without WebCrypto. tweetnacl accepts signatures whose S is not below the order of the group. Anyone could
 * make such a second signature from a true one (RFC 8032 section 5.1.7), so this function refuses them.
 */
export function tweetnaclHolds(signature: Uint8Array, signed: Uint8Array, key: Uint8Array): boolean {
  if (signature.length !== 64) return false;
  const s = Array.from(signature.subarray(32), (byte) => byte.toString(16).padStart(2, '0'));
  return s.reverse().join('') < L && nacl.sign.detached.verify(signed, signature, key);
}
