import { hash, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ADMIN_EVERYWHERE, type OperatorRole } from '../../context/roles.js';
import type { Instant } from '../../kernel/index.js';
import { isSecret, parseKey } from './api-key.js';
import type { KeyDirectory, KnownKey } from '../sites/key-directory.js';
import { FIRST_TOKEN_ID } from '../operators/operator-token-state.js';
import { isExpired, type KeyState } from '../state.js';

export type Authentication = KnownKey | { refused: 'api_key_missing' | 'api_key_invalid' | 'api_key_expired' };

/** An operator who proved to be it. */
export interface KnownOperator {
  /** `opt_…` of the token, or `opr_…` of the person. */
  id: string;
  roles: readonly OperatorRole[];
  /** `ses_…`; absent where a token was sent. */
  session?: string;
}

/** Returns the operator of a token; null if the text is no token that works. Compares secrets in constant time. */
export type OperatorVerifier = (presented: string) => KnownOperator | null | Promise<KnownOperator | null>;

const HASH_OF_NO_KEY = hash('sha256', 'no key has this secret', 'hex');
const BEARER = /^Bearer +(\S+) *$/i;

/** The credentials of `Authorization: Bearer …` (RFC 6750); null if there are none. */
export const bearer = (header: string | undefined): string | null =>
  header === undefined ? null : (BEARER.exec(header)?.[1] ?? null);

/**
 * Finds the presented key. Mistyped, unknown, wrong and revoked keys get one answer, and an unknown id costs the same
 * comparison as a known one, so a caller cannot tell them apart. Only a caller with the right secret learns that a key
 * expired.
 *
 * Asks the directory each time, so that no cached result outlives a revocation.
 */
export function authenticate(presented: string | null, directory: KeyDirectory, clock: () => Instant): Authentication {
  if (presented === null) return { refused: 'api_key_missing' };
  const known = knownAsShown(presented, directory) ?? proven(presented, directory);
  if (!known) return { refused: 'api_key_invalid' };
  return known.key.expiresAt !== null && isExpired(known.key, clock()) ? { refused: 'api_key_expired' } : known;
}

/** The stored key whose secret was presented; undefined if there is none. */
function proven(presented: string, directory: KeyDirectory): KnownKey | undefined {
  const parsed = parseKey(presented);
  if (!parsed) return undefined;
  const known = directory.find(parsed.id);
  const right = isSecret(parsed.secret, known?.key.secretHash ?? HASH_OF_NO_KEY);
  if (!known || !right || known.key.type !== parsed.type || known.key.env !== parsed.env) return undefined;
  if (parsed.type === 'pk') shown.set(presented, known.key);
  return known;
}

/**
 * Public keys that were proven, by their text. Every visitor can read such a key in the page, so it may be kept in
 * clear.
 */
const shown = new LRUCache<string, KeyState>({ max: 1000 });

/**
 * A page presents its public key with every request. Parsing and hashing it took a tenth of a 304, so both are done once.
 * The directory decides: it must hold the very same key, neither revoked nor changed.
 */
function knownAsShown(presented: string, directory: KeyDirectory): KnownKey | undefined {
  const key = shown.get(presented);
  const known = key && directory.find(key.keyId);
  return known?.key === key ? known : undefined;
}

const FIRST: KnownOperator = { id: FIRST_TOKEN_ID, roles: ADMIN_EVERYWHERE };

/** Verifies one given token. Compares digests, so that timing reveals neither content nor length. */
export function operatorVerifier(token: string): OperatorVerifier {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  const expected = digest(token);
  return (presented) => (timingSafeEqual(digest(presented), expected) ? FIRST : null);
}
