import { createHmac } from 'node:crypto';

export const SECRET_PREFIX = 'whsec_';
export const SECRET_BYTES = 32;

/** The secret as its owner sees it. */
export const secretText = (key: Uint8Array): string => `${SECRET_PREFIX}${Buffer.from(key).toString('base64')}`;

/** The bytes of a secret as its owner sees it; null where it is none. */
export function readSecret(text: string): Buffer | null {
  const key = Buffer.from(text.slice(SECRET_PREFIX.length), 'base64');
  return key.length === SECRET_BYTES && secretText(key) === text ? key : null;
}

/** What is signed: a body under its id, at a time. */
export interface Signed {
  /** `evt_…` */
  id: string;
  /** When this attempt is made, in seconds since 1970. */
  timestampS: number;
  body: Uint8Array;
}

/**
 * The headers that prove where a delivery comes from, in both forms. `keys`: one or, while the secret is rotated, two; a
 * receiver that knows either accepts it. Each attempt is signed anew.
 */
export function signatureHeaders(signed: Signed, keys: readonly Uint8Array[]): Record<string, string> {
  const { id, timestampS, body } = signed;
  const own = keys.map((key) => `,v1=${mac(key, `${timestampS}.`, body, 'hex')}`);
  const standard = keys.map((key) => `v1,${mac(key, `${id}.${timestampS}.`, body, 'base64')}`);
  return {
    'Consent-Signature': `t=${timestampS}${own.join('')}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': standard.join(' '),
  };
}

/** HMAC-SHA-256 over a prefix and the bytes that are sent. */
const mac = (key: Uint8Array, prefix: string, body: Uint8Array, encoding: 'hex' | 'base64'): string =>
  createHmac('sha256', key).update(prefix).update(body).digest(encoding);
