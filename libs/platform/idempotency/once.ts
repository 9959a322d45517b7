import { isRefusal, refusal, Refused, type Refusal, type Scope, type Position } from '../../kernel/index.js';
import { keyReused, stillRunning, type IdempotencyReservations } from './reservations.js';

/** What a command answers, and where the log stands for it; null where there was nothing to write. */
export interface Done<T> {
  answer: T;
  position: Position | null;
}

export interface OnceRequest<T> {
  scope: Scope;
  /** As sent; null: every request is its own. */
  idempotencyKey: string | null;
  fingerprint: string;
  /** The first answer under this digest, where the log holds it. */
  replay: (digest: string) => Promise<Done<T> | null>;
  /** Carries it out, noting the digest in the events. Without a position nothing was written and nothing is remembered. */
  carryOut: (digest: string | null) => Promise<Done<T> | Refusal>;
}

/**
 * A command under an idempotency key: at most one effect, and the first answer again for every repeat. The proof stands
 * in the log, so it outlives every crash; the reservation only finds reuse and what is still running.
 */
export async function once<T>(
  reservations: IdempotencyReservations,
  { scope, idempotencyKey, fingerprint, replay, carryOut }: OnceRequest<T>,
): Promise<Done<T> & { replayed: boolean }> {
  if (idempotencyKey === null) return { ...accepted(await carryOut(null)), replayed: false };
  const digest = reservations.digestOf(scope, idempotencyKey);
  const reserved = await reservations.reserve({ key: digest, fingerprint });
  if (reserved.kind === 'other') throw new Refused(keyReused());
  if (reserved.kind === 'gone') throw new Refused(goneWithSubject());
  const ours = reserved.kind === 'ours' ? [{ key: digest, owner: reserved.owner }] : [];
  try {
    const first = reserved.kind === 'ours' && reserved.fresh ? null : await replay(digest);
    if (first) {
      reservations.done(ours.map(({ key }) => key));
      return { ...first, replayed: true };
    }
    if (reserved.kind === 'seen') throw new Refused(stillRunning(), { 'Retry-After': '1' });
    const done = await carryOut(digest);
    if (isRefusal(done) || done.position === null) await reservations.forget(ours);
    else reservations.done([digest]);
    return { ...accepted(done), replayed: false };
  } catch (error) {
    if (ours.length > 0 && !(error instanceof Refused)) await reservations.release(ours);
    throw error;
  }
}

function accepted<T>(done: Done<T> | Refusal): Done<T> {
  if (isRefusal(done)) throw new Refused(done);
  return done;
}

/** The request was carried out, for a subject that was erased since: repeating it must not bring anything back. */
export const goneWithSubject = (): Refusal =>
  refusal(
    'subject_erased',
    'What was recorded under this Idempotency-Key went with its subject, who was erased.',
    'Do not repeat it. If the person begins anew, send a new request under a new key.',
    [{ path: 'Idempotency-Key', message: 'belongs to an erased subject' }],
  );
