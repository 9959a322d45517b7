import { hash, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Instant } from '../../kernel/index.js';
import { isSecret, parseKey } from './api-key.js';
import type { KeyDirectory, KnownKey } from '../sites/key-directory.js';
import { FIRST_TOKEN_ID } from '../operators/operator-token-state.js';
import { isExpired, type KeyState } from '../state.js';

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
  const known = knownAsShown(presented, directory) ?? proven(presented, directory);
  if (!known) return { refused: 'api_key_invalid' };
  return known.key.expiresAt !== null && isExpired(known.key, clock()) ? { refused: 'api_key_expired' } : known;
}

/** Whose key it is by what is stored of all keys; undefined where it is nobody's. */
function proven(presented: string, directory: KeyDirectory): KnownKey | undefined {
  const parsed = parseKey(presented);
  if (!parsed) return undefined;
  const known = directory.find(parsed.id);
  const right = isSecret(parsed.secret, known?.key.secretHash ?? NOBODY);
  if (!known || !right || known.key.type !== parsed.type || known.key.env !== parsed.env) return undefined;
  if (parsed.type === 'pk') shown.set(presented, known.key);
  return known;
}

/** Public keys that were proven, by their text. Whoever opens the page reads it, so it may stay here in clear. */
const shown = new LRUCache<string, KeyState>({ max: 1000 });

/**
 * A public key is presented at every request of every page: it is read and its hash taken once, which were a tenth of a
 * 304. The directory has the last word: it knows the very same key, not revoked nor changed.
 */
function knownAsShown(presented: string, directory: KeyDirectory): KnownKey | undefined {
  const key = shown.get(presented);
  const known = key && directory.find(key.keyId);
  return known?.key === key ? known : undefined;
}

/** One token alone. Digests are compared, so that neither content nor length shows in the time. */
export function operatorVerifier(token: string): OperatorVerifier {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  const expected = digest(token);
  return (presented) => (timingSafeEqual(digest(presented), expected) ? FIRST_TOKEN_ID : null);
}
