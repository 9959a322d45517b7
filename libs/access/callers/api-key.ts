import { hash, hkdfSync, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyType } from '../../context/scopes.js';
import type { Environment, RandomBytes } from '../../kernel/index.js';

/**
 * A key as a caller presents it: `<pk|sk>_<test|live>_<12 id><32 secret><6 checksum>`, all base62. The secret holds 190
 * bits, so a fast hash of it is enough. The checksum finds a typing error without a look-up.
 */
export interface ApiKey {
  type: KeyType;
  env: Environment;
  /** `key_` and the 12 characters inside the key. Not a secret. */
  id: string;
  secret: string;
  text: string;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 12;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const PREFIX_LENGTH = 'pk_test_'.length;
const KEY_LENGTH = PREFIX_LENGTH + ID_LENGTH + SECRET_LENGTH + CHECKSUM_LENGTH;
const KEY = /^(pk|sk)_(test|live)_[0-9A-Za-z]{50}$/;

/** Makes a new key. It is shown once; store only `id`, `hashOfSecret(secret)` and `lastFour(key)`. */
export function mintKey(type: KeyType, env: Environment, random: RandomBytes): ApiKey {
  const id = base62(ID_LENGTH, random);
  const secret = base62(SECRET_LENGTH, random);
  const body = `${type}_${env}_${id}${secret}`;
  return { type, env, id: `key_${id}`, secret, text: body + checksum(body) };
}

/** Parses a presented key; null if the text is no key of ours or was mistyped. Does not tell whether the key exists. */
export function parseKey(text: string): ApiKey | null {
  if (text.length !== KEY_LENGTH || !KEY.test(text)) return null;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  if (checksum(body) !== text.slice(-CHECKSUM_LENGTH)) return null;
  const secretAt = PREFIX_LENGTH + ID_LENGTH;
  return {
    type: text.slice(0, 2) as KeyType,
    env: text.slice(3, 7) as Environment,
    id: `key_${text.slice(PREFIX_LENGTH, secretAt)}`,
    secret: text.slice(secretAt, -CHECKSUM_LENGTH),
    text,
  };
}

/**
 * An operator's token as a caller presents it: `op_<12 id><32 secret><6 checksum>`, all base62, made like a key. The
 * token of the first start has another form, see `operator-tokens.ts`.
 */
export interface OperatorToken {
  /** `opt_` and the 12 characters inside the token. Not a secret. */
  id: string;
  secret: string;
  text: string;
}

const TOKEN = /^op_[0-9A-Za-z]{50}$/;
const TOKEN_PREFIX = 'op_';

/** Makes a new token. It is shown once; store only `id`, `hashOfSecret(secret)` and the last four characters. */
export function mintOperatorToken(random: RandomBytes): OperatorToken {
  const id = base62(ID_LENGTH, random);
  const secret = base62(SECRET_LENGTH, random);
  const body = `${TOKEN_PREFIX}${id}${secret}`;
  return { id: `opt_${id}`, secret, text: body + checksum(body) };
}

/**
 * Parses a presented token; null if the text has another form or was mistyped. Does not tell whether the token exists.
 */
export function parseOperatorToken(text: string): OperatorToken | null {
  if (!TOKEN.test(text)) return null;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  if (checksum(body) !== text.slice(-CHECKSUM_LENGTH)) return null;
  const secretAt = TOKEN_PREFIX.length + ID_LENGTH;
  return {
    id: `opt_${text.slice(TOKEN_PREFIX.length, secretAt)}`,
    secret: text.slice(secretAt, -CHECKSUM_LENGTH),
    text,
  };
}

/** SHA-256 in hex: the log stores this instead of the secret. */
export const hashOfSecret = (secret: string): string => hash('sha256', secret, 'hex');

/**
 * The last four characters, by which an owner recognises a key in a list. They are of the checksum, so no part of the
 * secret is stored.
 */
export const lastFour = (key: Pick<ApiKey, 'text'>): string => key.text.slice(-4);

/** Compares a presented secret with a stored hash (64 hex digits) in constant time. */
export const isSecret = (secret: string, storedHash: string): boolean =>
  timingSafeEqual(hash('sha256', secret, 'buffer'), Buffer.from(storedHash, 'hex'));

/**
 * The MAC key of the identity tokens that the owner of this secret key signs: HKDF-SHA-256 (RFC 5869) over the whole key
 * text, no salt, 32 bytes. Needs the key text, which exists only at the issue, so the service seals the MAC key then.
 */
export const identityMacKey = (secretKeyText: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secretKeyText, '', 'consent-identity-token/v1', 32));

/** CRC-32 (ISO-HDLC, as in zlib) over everything before it, base62, padded to six characters. */
function checksum(body: string): string {
  let digits = '';
  for (let rest = crc32(body), i = 0; i < CHECKSUM_LENGTH; i++, rest = Math.floor(rest / 62))
    digits = BASE62[rest % 62]! + digits;
  return digits;
}

/** Drops bytes above 247: modulo 62 they would favour the first eight characters. */
function base62(length: number, random: RandomBytes): string {
  let text = '';
  while (text.length < length)
    for (const byte of random(length - text.length)) if (byte < 248) text += BASE62[byte % 62]!;
  return text;
}
