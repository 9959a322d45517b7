import { createPublicKey, verify } from 'node:crypto';
import { canonicalJson } from '../../libs/kernel/index.js';

interface PublicKey {
  kid: string;
  x: string;
}

/** What somebody who holds a receipt and the published keys does, offline: the signature, by the key that is named, over the very receipt. */
export function verifies(jws: string, receipt: unknown, keys: readonly PublicKey[]): boolean {
  const [header = '', payload = '', signature = '', ...more] = jws.split('.');
  if (more.length > 0 || Buffer.from(payload, 'base64url').toString() !== canonicalJson(receipt)) return false;
  const { alg, kid, typ } = JSON.parse(Buffer.from(header, 'base64url').toString()) as Record<string, unknown>;
  const key = keys.find((each) => each.kid === kid);
  if (alg !== 'EdDSA' || typ !== 'consent-receipt+jws' || !key) return false;
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.x }, format: 'jwk' });
  return verify(null, Buffer.from(`${header}.${payload}`), publicKey, Buffer.from(signature, 'base64url'));
}
