import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { canonicalJson } from '../kernel/index.js';

/** A public key as RFC 8037 writes it. Without `alg`: verifiers that know only "EdDSA" (RFC 8037) or only "Ed25519" (RFC 9864) both take it. */
export interface PublicJwk {
  kty: 'OKP';
  crv: 'Ed25519';
  /** 32 bytes, base64url. */
  x: string;
  kid: string;
  use: 'sig';
}

export interface SigningKey {
  jwk: PublicJwk;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

export const SEED_BYTES = 32;
/** PKCS #8 of an Ed25519 private key up to its seed (RFC 8410 section 7). */
const PKCS8_BEFORE_SEED = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The Ed25519 key (RFC 8032) of a seed: all that has to be kept of it. */
export function signingKey(seed: Uint8Array): SigningKey {
  if (seed.length !== SEED_BYTES) throw new RangeError(`the seed of a signing key has ${SEED_BYTES} bytes`);
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_BEFORE_SEED, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  return { privateKey, publicKey, jwk: publicJwk(publicKey.export({ format: 'jwk' }).x!) };
}

/** The public half as it is published. */
export const publicJwk = (x: string): PublicJwk => ({ kty: 'OKP', crv: 'Ed25519', x, kid: thumbprint(x), use: 'sig' });

const publicKeys = new Map<string, KeyObject>();

/** The public half as it verifies. Kept by its id: there are few, and making one costs as much as a signature. */
export function publicKeyOf({ kty, crv, x, kid }: PublicJwk): KeyObject {
  let key = publicKeys.get(kid);
  if (!key) publicKeys.set(kid, (key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' })));
  return key;
}

/** RFC 7638 of an Ed25519 key: SHA-256 over the members that make the key, base64url. */
export const thumbprint = (x: string): string =>
  createHash('sha256')
    .update(canonicalJson({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');
