import { hkdfSha256, hmacSha256 } from './sha256.js';

export interface IdentityTokenRequest {
  /** The person, `<kind>:<value>`, such as `user_id:42`; not the id of a subject. */
  subject: string;
  /** A secret key of the site (`sk_…`). Revoking it ends its tokens. */
  secretKey: string;
  /** The site of the key, by its name. */
  site: string;
  /** Lifetime of the token; default 900, at most 86,400. */
  expiresInSeconds?: number;
  /** Limits the token to these scopes. Default: all that a public key may do. */
  scope?: readonly string[];
}

const LIFE_S = 900;
const LIFE_MAX_S = 86_400;

/**
 * A token by which the public key of your page reaches the subject of the logged-in person. Make it on your server, for
 * the person of the session, and pass it to the page as `identityToken`. Throws a TypeError for invalid members.
 */
export function signIdentityToken(request: IdentityTokenRequest): string {
  const { subject, secretKey, site, expiresInSeconds = LIFE_S, scope } = request;
  const [, env, id] = /^sk_(test|live)_([0-9A-Za-z]{12})/.exec(secretKey) ?? [];
  if (id === undefined) throw new TypeError('secretKey must be a secret key, which begins with sk_test_ or sk_live_');
  if (!/^(?!subject:)[a-z][a-z0-9_.]*:./.test(subject))
    throw new TypeError('subject must be <kind>:<value>, such as user_id:42');
  if (!site) throw new TypeError('site must be the name of the site that the key belongs to');
  if (!Number.isInteger(expiresInSeconds) || expiresInSeconds < 1 || expiresInSeconds > LIFE_MAX_S)
    throw new TypeError(`expiresInSeconds must be a whole number from 1 to ${LIFE_MAX_S}`);
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: site, aud: 'consent-api', sub: subject, env, iat, exp: iat + expiresInSeconds, scope };
  const signed = `${segment({ alg: 'HS256', typ: 'consent-identity+jwt', kid: `key_${id}` })}.${segment(claims)}`;
  const key = hkdfSha256(utf8(secretKey), utf8('consent-identity-token/v1'));
  return `${signed}.${base64url(hmacSha256(key, utf8(signed)))}`;
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const segment = (value: object): string => base64url(utf8(JSON.stringify(value)));
const base64url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');
