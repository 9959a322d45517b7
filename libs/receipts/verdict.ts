import { verify } from 'node:crypto';
import { canonicalJson, type Instant } from '../kernel/index.js';
import { RECEIPT_JWS_TYPE } from './jws.js';
import { publicJwk, publicKeyOf, thumbprint } from './signing-key.js';

/** What a holder of a receipt and the key set can conclude without asking the service. */
export const VERDICTS = [
  'VALID',
  'TAMPERED',
  'UNKNOWN_KEY',
  'REVOKED_KEY',
  'KEY_NOT_YET_VALID',
  'NOT_A_RECEIPT',
] as const;

export interface Verdict {
  verdict: (typeof VERDICTS)[number];
  /** Why, in a sentence. */
  because: string;
  /** Id of the key that the receipt names; null where it names none. */
  kid: string | null;
  /** Since when the key counts as compromised. */
  revokedAt: Instant | null;
  /** What was signed; null where the signature does not hold. */
  receipt: Readonly<Record<string, unknown>> | null;
}

/** A key of the key set, as far as it counts here. */
export interface VerifyingKey {
  x: string;
  /** It signs what is recorded from then on; absent: from the beginning. */
  signsFrom?: Instant;
  revokedAt?: Instant;
}

/** By the RFC 7638 thumbprint, which is computed here: an id that a file claims for a key proves nothing. */
export type KeysAtHand = ReadonlyMap<string, VerifyingKey>;

const BASE64URL_32 = /^[A-Za-z0-9_-]{43}$/;

/** The Ed25519 keys of a key set (RFC 7517); null where it is none, or holds a key under an id that is not its own. */
export function keysAtHand(keySet: unknown): KeysAtHand | null {
  const { keys } = (keySet ?? {}) as { keys?: unknown };
  if (!Array.isArray(keys)) return null;
  const known = new Map<string, VerifyingKey>();
  for (const key of keys as (Record<string, unknown> | null)[]) {
    if (key?.['kty'] !== 'OKP' || key['crv'] !== 'Ed25519') continue;
    const { x, kid, signsFrom, revokedAt } = key;
    if (typeof x !== 'string' || !BASE64URL_32.test(x) || kid !== thumbprint(x)) return null;
    known.set(thumbprint(x), {
      x,
      ...(typeof signsFrom === 'string' && { signsFrom }),
      ...(typeof revokedAt === 'string' && { revokedAt }),
    });
  }
  return known;
}

/** Judges the text of a file: `{ receipt, jws }` as the service answers it, or the bare JWS. */
export function verdictOn(text: string, keys: KeysAtHand): Verdict {
  const presented = presentedIn(text);
  if (presented === null) return refused('NOT_A_RECEIPT', 'It holds neither { "receipt", "jws" } nor a compact JWS.');
  const parts = partsOf(presented.jws);
  if (parts === null) return refused('NOT_A_RECEIPT', 'It is no compact JWS of three parts in base64url.');
  const { header, payload, signature, signed } = parts;
  const kid = typeof header['kid'] === 'string' ? header['kid'] : null;
  if ((header['alg'] !== 'EdDSA' && header['alg'] !== 'Ed25519') || header['typ'] !== RECEIPT_JWS_TYPE)
    return refused('NOT_A_RECEIPT', `Its header must name EdDSA and ${RECEIPT_JWS_TYPE}.`, kid);
  const key = kid === null ? undefined : keys.get(kid);
  if (!key) return refused('UNKNOWN_KEY', 'The key set at hand does not hold the key that it names.', kid);
  if (!verify(null, Buffer.from(signed), publicKeyOf(publicJwk(key.x)), signature))
    return refused('TAMPERED', 'The signature does not hold: header, content or signature were changed.', kid);
  const receipt = canonicalObject(payload);
  if (receipt === null) return refused('NOT_A_RECEIPT', 'What was signed is not the canonical JSON of an object.', kid);
  if (presented.receipt !== undefined && canonicalOrNull(presented.receipt) !== payload)
    return refused('TAMPERED', 'The receipt beside the JWS is not the one that was signed.', kid);
  return { ...ofTime(receipt, key), kid, revokedAt: key.revokedAt ?? null, receipt };
}

/** What the times say of a receipt whose signature holds. */
function ofTime(
  receipt: Readonly<Record<string, unknown>>,
  { signsFrom, revokedAt }: VerifyingKey,
): Pick<Verdict, 'verdict' | 'because'> {
  const recordedAt = recordedAtOf(receipt);
  if (signsFrom !== undefined && recordedAt !== null && recordedAt < signsFrom)
    return {
      verdict: 'KEY_NOT_YET_VALID',
      because: `The key signs what is recorded from ${signsFrom} on, and this says that it was recorded before.`,
    };
  if (revokedAt !== undefined)
    return {
      verdict: 'REVOKED_KEY',
      because: `The signature holds, but others may have the key since ${revokedAt} or before: alone it proves nothing.`,
    };
  return { verdict: 'VALID', because: 'The key of the key set signed exactly this.' };
}

/** In milliseconds UTC, whose texts stand in the order of time; Kantara's form tells when it was said, not when it was recorded. */
function recordedAtOf({ event }: Readonly<Record<string, unknown>>): Instant | null {
  const { recordedAt, at } = (event ?? {}) as { recordedAt?: unknown; at?: unknown };
  const instant = recordedAt ?? at;
  return typeof instant === 'string' ? instant : null;
}

const refused = (verdict: Verdict['verdict'], because: string, kid: string | null = null): Verdict => ({
  verdict,
  because,
  kid,
  revokedAt: null,
  receipt: null,
});

/** `receipt` is undefined where the file holds the bare JWS. */
function presentedIn(text: string): { jws: string; receipt?: unknown } | null {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{')) return trimmed === '' ? null : { jws: trimmed };
  const { jws, receipt } = (parsed(trimmed) ?? {}) as { jws?: unknown; receipt?: unknown };
  return typeof jws === 'string' && receipt !== undefined ? { jws, receipt } : null;
}

function partsOf(
  jws: string,
): { header: Record<string, unknown>; payload: string; signature: Buffer; signed: string } | null {
  const [header, payload, signature, ...rest] = jws.split('.');
  if (payload === undefined || signature === undefined || rest.length > 0) return null;
  const [headerBytes, payloadBytes, signatureBytes] = [header!, payload, signature].map(fromBase64url);
  if (!headerBytes || !payloadBytes || !signatureBytes) return null;
  const read = parsed(headerBytes.toString());
  if (typeof read !== 'object' || read === null) return null;
  return {
    header: read as Record<string, unknown>,
    payload: payloadBytes.toString(),
    signature: signatureBytes,
    signed: `${header}.${payload}`,
  };
}

/** Base64url has several texts for some bytes; only the one that is made counts. */
function fromBase64url(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}

function canonicalObject(text: string): Readonly<Record<string, unknown>> | null {
  const read = parsed(text);
  return typeof read === 'object' && read !== null && canonicalOrNull(read) === text
    ? (read as Record<string, unknown>)
    : null;
}

function canonicalOrNull(value: unknown): string | null {
  try {
    return canonicalJson(value);
  } catch {
    // Lone surrogates: nothing that was ever signed.
    return null;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
