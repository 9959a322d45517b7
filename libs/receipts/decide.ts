import {
  happened,
  plusMs,
  refusal,
  type Decision,
  type Environment,
  type Instant,
  type Refusal,
} from '../kernel/index.js';
import type { SigningKeyAnnounced, SigningKeyEvent } from './events.js';
import { keyInForce, neverSigned, type SigningKeysState } from './state.js';

/** How long a key is published before it signs: a verifier that caches the key set for up to half a day has it by then. */
export const PUBLISHED_BEFORE_MS = 24 * 3_600_000;

/**
 * When the successor of a revoked key begins to sign: by then every process can know of it, so that no two of them ever
 * sign one receipt with different keys.
 */
export const SUCCEEDS_WITHIN_MS = 10_000;

/** A key that the vault holds already, and the log does not name yet. */
export interface NewKey {
  number: number;
  kid: string;
  x: string;
}

export interface ChangeOfKeys {
  env: Environment;
  /** The key that comes next. */
  next: NewKey;
  at: Instant;
  reason: string | null;
}

/** Announces the successor of the key in force. */
export function rotateSigningKey(change: ChangeOfKeys, state: SigningKeysState): Decision<SigningKeyEvent> {
  const { env, at } = change;
  if (!isNext(change, state)) return contendedKeys();
  const waiting = state[env].find(
    (period) => period.signsFrom !== null && period.signsFrom > at && !neverSigned(period),
  );
  if (waiting)
    return refusal(
      'state_conflict',
      `The key ${waiting.kid} is announced already, and signs from ${waiting.signsFrom}.`,
      'Wait until it signs, or revoke it.',
    );
  return happened(announced(change, plusMs(at, PUBLISHED_BEFORE_MS)));
}

/**
 * Marks a key as compromised. Where it is the one that signs, its successor signs ten seconds later, published or not: a
 * receipt that cannot be verified for an hour is better than one that proves nothing.
 */
export function revokeSigningKey(
  number: number,
  kid: string,
  change: ChangeOfKeys,
  state: SigningKeysState,
): Decision<SigningKeyEvent> {
  const { env, at, reason } = change;
  const period = state[env].find((each) => each.number === number);
  if (!period) return unknownKey();
  if (period.revokedAt !== null) return happened();
  const revoked: SigningKeyEvent = { type: 'SigningKeyRevoked', data: { env, number, kid, revokedAt: at, reason } };
  if (keyInForce(state[env], at) !== period) return happened(revoked);
  return isNext(change, state)
    ? happened<SigningKeyEvent>(revoked, announced(change, plusMs(at, SUCCEEDS_WITHIN_MS)))
    : contendedKeys();
}

const isNext = ({ env, next }: ChangeOfKeys, state: SigningKeysState): boolean =>
  next.number === state[env].at(-1)!.number + 1;

const announced = ({ env, next, at, reason }: ChangeOfKeys, signsFrom: Instant): SigningKeyAnnounced => ({
  type: 'SigningKeyAnnounced',
  data: { env, ...next, announcedAt: at, signsFrom, reason },
});

export const contendedKeys = (): Refusal =>
  refusal('state_conflict', 'Others are changing the signing keys at the same time.', 'List the keys, and try again.');
export const unknownKey = (): Refusal =>
  refusal('key_not_found', 'There is no such signing key.', 'Send one of the ids in the key set.', [
    { path: 'kid', message: 'names no signing key' },
  ]);
