import { sign, verify, type KeyObject } from 'node:crypto';
import { canonicalJson } from '../kernel/index.js';
import type { SigningKey } from './signing-key.js';

/** `typ` of a receipt: what was signed as one cannot be presented as a token. */
export const RECEIPT_JWS_TYPE = 'consent-receipt+jws';

/** The receipt as a compact JWS over its RFC 8785 bytes. `EdDSA` and not the newer `Ed25519`, which many verifiers do not know yet. */
export const receiptJws = (receipt: object, key: SigningKey): string => signedJws(RECEIPT_JWS_TYPE, receipt, key);

/** Content as a compact JWS of a type of its own over its RFC 8785 bytes. The same content gives the same text. */
export const signedJws = (type: string, content: object, { jwk, privateKey }: SigningKey): string =>
  compactJws(headerOf(type, jwk.kid), canonicalJson(content), privateKey);

const headerOf = (type: string, kid: string): object => ({ alg: 'EdDSA', kid, typ: type });

/**
 * The key that signed a text as one of this type, and what it says; null where none of the keys did. Only the very text
 * that `signedJws` writes counts: base64url has several texts for some bytes, and JSON has several for most values.
 */
export function readJws<K extends Pick<SigningKey, 'jwk' | 'publicKey'>>(
  type: string,
  text: string,
  keys: readonly K[],
): { key: K; content: unknown } | null {
  const [header, payload, signature, ...rest] = text.split('.');
  if (payload === undefined || signature === undefined || rest.length > 0) return null;
  const key = keys.find(({ jwk }) => header === base64url(canonicalJson(headerOf(type, jwk.kid))));
  const bytes = Buffer.from(signature, 'base64url');
  if (!key || bytes.toString('base64url') !== signature) return null;
  if (!verify(null, Buffer.from(`${header}.${payload}`), key.publicKey, bytes)) return null;
  return { key, content: JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown };
}

/** RFC 7515 section 7.1 with an Ed25519 key (RFC 8037): the same input gives the same text. */
export function compactJws(header: object, payload: string, key: KeyObject): string {
  const signed = `${base64url(canonicalJson(header))}.${base64url(payload)}`;
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
}

const base64url = (text: string): string => Buffer.from(text).toString('base64url');
