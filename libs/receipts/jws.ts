import { sign, type KeyObject } from 'node:crypto';
import { canonicalJson } from '../kernel/index.js';
import type { SigningKey } from './signing-key.js';

/** `typ` of a receipt: what was signed as one cannot be presented as a token. */
export const RECEIPT_JWS_TYPE = 'consent-receipt+jws';

/** The receipt as a compact JWS over its RFC 8785 bytes. `EdDSA` and not the newer `Ed25519`, which many verifiers do not know yet. */
export const receiptJws = (receipt: object, { jwk, privateKey }: SigningKey): string =>
  compactJws({ alg: 'EdDSA', kid: jwk.kid, typ: RECEIPT_JWS_TYPE }, canonicalJson(receipt), privateKey);

/** RFC 7515 section 7.1 with an Ed25519 key (RFC 8037): the same input gives the same text. */
export function compactJws(header: object, payload: string, key: KeyObject): string {
  const signed = `${base64url(canonicalJson(header))}.${base64url(payload)}`;
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
}

const base64url = (text: string): string => Buffer.from(text).toString('base64url');
