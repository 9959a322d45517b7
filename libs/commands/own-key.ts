import { createHash } from 'node:crypto';
import type { RequestKey } from './reservations.js';

/**
 * A key that the service makes of what is done once: a confirmation, a merge, the completion of a data request. The stream
 * is the only place where it is looked for, so no row of the index stands for it.
 */
export interface OwnKey extends RequestKey {
  own: true;
}

/** `what` names the thing that is done once. `fingerprint`: what stands on events in place of a request's. */
export function ownKey(what: string, fingerprint?: string): OwnKey {
  const digest = createHash('sha256').update(what).digest('hex');
  return { digest, fingerprint: fingerprint ?? digest, own: true };
}

/** What the metadata of an event say of the key that it was recorded under. */
export interface KeyOnEvent {
  idempotencyKey: string;
  fingerprint: string;
  ownKey?: true;
}

export const keyOnEvent = ({ digest, fingerprint, own }: RequestKey): KeyOnEvent => ({
  idempotencyKey: digest,
  fingerprint,
  ...(own && { ownKey: true }),
});

/** Fingerprints of requests are digests. */
const FINGERPRINT = /^[0-9a-f]{64}$/;

/**
 * Whether the key on an event is one of the service's own. Older events are not marked: there the fingerprint is an id or,
 * on the stream of a subject, the key itself.
 */
export const isOwnKey = (
  { idempotencyKey, fingerprint = '', ownKey: own }: Partial<KeyOnEvent>,
  isOfSubject: boolean,
): boolean => own === true || !FINGERPRINT.test(fingerprint) || (isOfSubject && fingerprint === idempotencyKey);
