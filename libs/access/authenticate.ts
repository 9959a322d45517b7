import { hash, timingSafeEqual } from 'node:crypto';
import type { Instant } from '../kernel/index.js';
import { isSecret, parseKey, type ApiKey } from './api-key.js';
import type { KeyDirectory, KnownKey } from './key-directory.js';
import { FIRST_TOKEN_ID } from './operator-token-state.js';
import { isExpired, type KeyState } from './state.js';

export type Authentication = KnownKey | { refused: 'api_key_missing' | 'api_key_invalid' | 'api_key_expired' };

/** The id of the operator's token that this is; null where it is none that works. Secrets are compared in constant time. */
export type OperatorVerifier = (presented: string) => string | null | Promise<string | null>;

const NOBODY = hash('sha256', 'no key has this secret', 'hex');
const BEARER = /^Bearer +(\S+) *$/i;

/** The credentials of `Authorization: Bearer …` (RFC 6750); null where there are none. */
export const bearer = (header: string | undefined): string | null =>
  header === undefined ? null : (BEARER.exec(header)?.[1] ?? null);

/**
 * Whose key it is. Mistyped, unknown, wrong and revoked keys are told apart by nobody: one answer, and an unknown id
 * costs the same comparison as a known one. That a key expired is told only to who has its secret.
 *
 * The directory is asked each time, so that nothing outlives a revocation.
 */
export function authenticate(presented: string | null, directory: KeyDirectory, clock: () => Instant): Authentication {
  if (presented === null) return { refused: 'api_key_missing' };
  const parsed = parseKey(presented);
  if (!parsed) return { refused: 'api_key_invalid' };
  const known = directory.find(parsed.id);
  const right =
    known?.key.type === 'pk' ? isShown(parsed, known.key) : isSecret(parsed.secret, known?.key.secretHash ?? NOBODY);
  if (!known || !right || known.key.type !== parsed.type || known.key.env !== parsed.env)
    return { refused: 'api_key_invalid' };
  return known.key.expiresAt !== null && isExpired(known.key, clock()) ? { refused: 'api_key_expired' } : known;
}

/** The secret that proved a public key. Whoever opens the page reads it, so it may stay here in clear. */
const shown = new WeakMap<KeyState, string>();

/** A public key is presented at every request of every page: its hash, a twentieth of a 304, is taken once. */
function isShown({ secret }: ApiKey, key: KeyState): boolean {
  if (shown.get(key) === secret) return true;
  const right = isSecret(secret, key.secretHash);
  if (right) shown.set(key, secret);
  return right;
}

/** One token alone. Digests are compared, so that neither content nor length shows in the time. */
export function operatorVerifier(token: string): OperatorVerifier {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  const expected = digest(token);
  return (presented) => (timingSafeEqual(digest(presented), expected) ? FIRST_TOKEN_ID : null);
}
