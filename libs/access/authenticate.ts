import { hash, timingSafeEqual } from 'node:crypto';
import type { Instant } from '../kernel/index.js';
import { isSecret, parseKey } from './api-key.js';
import type { KeyDirectory, KnownKey } from './key-directory.js';
import { isExpired } from './state.js';

export type Authentication = KnownKey | { refused: 'api_key_missing' | 'api_key_invalid' | 'api_key_expired' };

/** Whether this is the operator's token. Constant in time. */
export type OperatorVerifier = (presented: string) => boolean;

const NOBODY = hash('sha256', 'no key has this secret', 'hex');
const BEARER = /^Bearer +(\S+) *$/i;

/** The credentials of `Authorization: Bearer …` (RFC 6750); null where there are none. */
export const bearer = (header: string | undefined): string | null =>
  header === undefined ? null : (BEARER.exec(header)?.[1] ?? null);

/**
 * Whose key it is. Mistyped, unknown, wrong and revoked keys are told apart by nobody: one answer, and an unknown id
 * costs the same comparison as a known one. That a key expired is told only to who has its secret.
 *
 * Nothing is cached: the directory is in memory, and a cache by the hash of the presented key would cost the same one
 * SHA-256 (about 1 µs) that the comparison does, and could outlive a revocation.
 */
export function authenticate(presented: string | null, directory: KeyDirectory, clock: () => Instant): Authentication {
  if (presented === null) return { refused: 'api_key_missing' };
  const parsed = parseKey(presented);
  if (!parsed) return { refused: 'api_key_invalid' };
  const known = directory.find(parsed.id);
  const right = isSecret(parsed.secret, known?.key.secretHash ?? NOBODY);
  if (!known || !right || known.key.type !== parsed.type || known.key.env !== parsed.env)
    return { refused: 'api_key_invalid' };
  return known.key.expiresAt !== null && isExpired(known.key, clock()) ? { refused: 'api_key_expired' } : known;
}

/** Digests are compared, so that neither content nor length shows in the time. */
export function operatorVerifier(token: string): OperatorVerifier {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  const expected = digest(token);
  return (presented) => timingSafeEqual(digest(presented), expected);
}
