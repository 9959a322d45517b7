import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  epochMs,
  instantOf,
  isRefusal,
  parseReference,
  type Environment,
  type Instant,
  type Issue,
  type Reference,
} from '../../kernel/index.js';
import { scanJson } from '../../http/contract/json-scan.js';
import { isScope, type AccessScope } from '../../context/scopes.js';

/*
 * Identity tokens: compact JWS (RFC 7515) with HS256, by which a site's server vouches for a person to the holder of a
 * public key. Everything that a JWT leaves open is pinned (RFC 8725): one algorithm, one type, one audience, no key but
 * that of the named secret key, no header member beside the three.
 */

/** Characters. A reference of the greatest length fits, in any script. */
export const IDENTITY_TOKEN_MAX_LENGTH = 4096;
/** Tolerated difference between two clocks. */
const LEEWAY_S = 60;
const LIFE_MAX_S = 24 * 60 * 60;
const TOKEN = /^([\w-]+)\.([\w-]+)\.([\w-]{43})$/;
const KEY_ID = /^key_[0-9A-Za-z]{12}$/;

/** A token with the right form and header. Its claims are not verified yet. */
export interface PresentedToken {
  /** Id of the secret key that the token names as its signer. */
  keyId: string;
  /** The text that the MAC covers: header and claims as they came. */
  signed: string;
  claims: string;
  mac: Buffer;
}

export interface VerifiedIdentity {
  reference: Reference;
  keyId: string;
  issuedAt: Instant;
  /** Limits of the token; null: those of its key. Scopes that this release does not know allow nothing. */
  scopes: readonly AccessScope[] | null;
}

/** `issues` exist only if the MAC was right, so only the holder of a real token reads them. */
export type IdentityOutcome =
  ({ outcome: 'verified' } & VerifiedIdentity) | { outcome: 'expired' } | { outcome: 'invalid'; issues: Issue[] };

/** Parses form and header, after checking the length; null if the text cannot be a token of ours. */
export function readIdentityToken(text: string): PresentedToken | null {
  if (text.length > IDENTITY_TOKEN_MAX_LENGTH) return null;
  const [, head, claims, tag] = TOKEN.exec(text) ?? [];
  const header = head === undefined ? null : jsonObject(head);
  const mac = tag === undefined ? null : decoded(tag);
  if (
    header === null ||
    mac === null ||
    Object.keys(header).length !== 3 ||
    header['alg'] !== 'HS256' ||
    header['typ'] !== 'consent-identity+jwt'
  )
    return null;
  const { kid } = header;
  return typeof kid === 'string' && KEY_ID.test(kid)
    ? { keyId: kid, signed: `${head}.${claims}`, claims: claims!, mac }
    : null;
}

/**
 * The person that the token vouches for, to a public key of that site and environment. Compares the MAC in constant time,
 * and before it reads a claim.
 */
export function verifyIdentityToken(
  token: PresentedToken,
  macKey: Uint8Array,
  expected: { site: string; env: Environment },
  at: Instant,
): IdentityOutcome {
  if (!timingSafeEqual(createHmac('sha256', macKey).update(token.signed).digest(), token.mac))
    return { outcome: 'invalid', issues: [] };
  const claims = jsonObject(token.claims);
  if (claims === null)
    return { outcome: 'invalid', issues: [issue('', 'must hold one JSON object of claims, none of them twice')] };
  const { iss, aud, env, sub, iat, nbf, exp, jti, scope } = claims;
  const now = epochMs(at) / 1000;
  const begun = (time: unknown): time is number => isSeconds(time) && time <= now + LEEWAY_S;
  const reference = referenceOf(sub);
  const issues: Issue[] = [];
  const pin = (name: string, holds: boolean, message: string): void =>
    void (holds || issues.push(issue(`.${name}`, message)));
  pin('iss', iss === expected.site, 'must be the site of the public key');
  pin('aud', aud === 'consent-api', 'must be "consent-api"');
  pin('env', env === expected.env, 'must be the environment of the public key');
  pin('sub', reference !== null, 'must be a subject reference <kind>:<value>, not the id of a subject');
  pin('iat', begun(iat), 'must be a time in whole seconds, not in the future');
  pin('nbf', nbf === undefined || begun(nbf), 'must be a time in whole seconds, not in the future');
  pin(
    'exp',
    isSeconds(exp) && isSeconds(iat) && exp > iat && exp - iat <= LIFE_MAX_S,
    'must be a time in whole seconds, at most 24 hours after iat',
  );
  pin('jti', jti === undefined || typeof jti === 'string', 'must be text');
  pin('scope', scope === undefined || isTextList(scope), 'must be a list of scopes');
  if (issues.length > 0) return { outcome: 'invalid', issues };
  if ((exp as number) + LEEWAY_S <= now) return { outcome: 'expired' };
  return {
    outcome: 'verified',
    reference: reference!,
    keyId: token.keyId,
    issuedAt: instantOf((iat as number) * 1000),
    scopes: isTextList(scope) ? scope.filter(isScope) : null,
  };
}

/** Refuses our own ids: a server knows a person by its own identifier, and our id survives neither merge nor erasure. */
function referenceOf(sub: unknown): Reference | null {
  const reference = typeof sub === 'string' ? parseReference(sub) : null;
  return reference === null || isRefusal(reference) || reference.kind === 'subject' ? null : reference;
}

const issue = (claim: string, message: string): Issue => ({ path: `Consent-Identity${claim}`, message });
const isSeconds = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** Decodes base64url without padding in its one canonical spelling; null for every other. */
function decoded(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** One JSON object that all parsers read alike: no member twice, no broken UTF-8. */
function jsonObject(segment: string): Record<string, unknown> | null {
  const bytes = decoded(segment);
  const text = bytes === null ? '' : textOf(bytes);
  if (scanJson(text) !== null) return null;
  const value = JSON.parse(text) as unknown;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return '';
  }
}
