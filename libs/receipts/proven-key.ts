import { sign } from 'node:crypto';
import nacl from 'tweetnacl';
import { signingKey, type SigningKey } from './signing-key.js';

/**
 * The key of a seed, once two implementations agree on it: tweetnacl makes the same public half, signs the same bytes
 * (Ed25519 is deterministic, RFC 8032), and takes the signature. Throws where they differ: nothing may be signed then
 * that has to verify for years. Some 10 ms.
 */
export function provenKey(seed: Uint8Array): SigningKey {
  const key = signingKey(seed);
  const other = nacl.sign.keyPair.fromSeed(seed);
  const message = Buffer.from(key.jwk.kid);
  const signature = sign(null, message, key.privateKey);
  if (
    Buffer.from(other.publicKey).toString('base64url') !== key.jwk.x ||
    !signature.equals(nacl.sign.detached(message, other.secretKey)) ||
    !nacl.sign.detached.verify(message, signature, other.publicKey)
  )
    throw new Error('the signing key does not verify what it signs');
  return key;
}
