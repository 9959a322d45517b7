import { isRefusal, refusal, Refused, type Position, type Refusal } from '../kernel/index.js';
import type { KeyScope } from './key-scope.js';
import {
  keyReused,
  stillRunning,
  type IdempotencyReservations,
  type Named,
  type Owned,
  type RequestKey,
  type Reserved,
} from './reservations.js';
import type { MetRow, Newcomer } from '../vault/vault.js';

/** What a command answers, and where the log stands for it; null where there was nothing to write. */
export interface Done<T> {
  answer: T;
  position: Position | null;
}

/** The same, and whether it is the answer of the first time. */
export interface Repeatable<T> extends Done<T> {
  replayed: boolean;
}

/** One thing that is done at most once under its key. */
export interface OncePart {
  key: RequestKey | null;
  /**
   * What keeps two callers from doing the part twice. `ROW`: a reservation row of its own. `NONE`: no row. The key is derived
   * from a fact that exists once (a confirmation, a merge), so two callers cannot hold it. `RESUMED`: as `NONE`, but an
   * earlier call may have done the part already, so the log is read first.
   */
  claim: 'ROW' | 'NONE' | 'RESUMED';
  /** The subjects of the part, as far as they are known before it is carried out. Kept with the row. */
  subjects: readonly string[];
  /** Set where the part is about one subject that may be unknown: it is found or made together with the row. */
  newcomer?: Newcomer | null;
  /** Why today's rules refuse it. What was done under the key before is answered all the same. */
  refused: Refusal | null;
}

export interface OnceWork<T> {
  /** First answers of these parts where the log holds them, else null. A Refusal where they cannot be given any more. */
  replay: (parts: readonly number[]) => Promise<readonly (Done<T> | Refusal | null)[]>;
  /**
   * Does these parts, noting their keys in the events. A part without a position wrote nothing and is not remembered;
   * `replayed` marks one that the log turned out to hold already. `resumed`: parts whose key was seen before, which were
   * cut off before they had their whole effect.
   */
  carryOut: (
    parts: readonly number[],
    resumed: readonly number[],
    hold: Hold,
  ) => Promise<readonly ((Done<T> & { replayed?: boolean }) | Refusal)[]>;
}

/** The rows under which parts are carried out. */
export interface Hold extends Named {
  /** What was found or made for a newcomer; null where there was none. */
  met: MetRow | null;
  /** Replaces a subject in the rows by another one. Called before the effect. */
  rename: (from: string, to: string) => Promise<void>;
}

/** Where a part stands before anything is done. */
interface Claimed {
  /** Set where this process may do it under a row of its own. */
  owner: string | null;
  /** It may have been done before. */
  lookFirst: boolean;
  /** The outcome where it was not done before; null: it is to be done now. */
  otherwise: Refusal | null;
  /** The outcome whatever the log holds. */
  final: Refusal | null;
  named: Named;
  met: MetRow | null;
}

/**
 * Does each part at most once, and gives the first answer again to every repeat. The proof stands in the log, so it
 * outlives every crash. A reservation only finds a key that is used for something else, and what is still running.
 * Rejects where a dependency is away; whether a part had an effect is then for the next try to find out.
 */
export async function onceEach<T>(
  reservations: IdempotencyReservations,
  parts: readonly OncePart[],
  { replay, carryOut }: OnceWork<T>,
  isGone: (named: Named) => boolean = ({ erased }) => erased.length > 0,
): Promise<(Repeatable<T> | Refusal)[]> {
  const claiming = parts.map((part) => claim(reservations, part, isGone));
  // Those of a batch under one key mostly need none of their own, and nothing to wait for.
  const waits = claiming.some((each) => each instanceof Promise);
  const settled = waits ? await Promise.allSettled(claiming.map((each) => Promise.resolve(each))) : null;
  const claims = settled
    ? settled.map((each) => (each.status === 'fulfilled' ? each.value : null))
    : (claiming as Claimed[]);
  const owned = claims.flatMap((claimed, part) =>
    claimed?.owner ? [{ key: parts[part]!.key!.digest, owner: claimed.owner, part }] : [],
  );
  try {
    for (const each of settled ?? []) if (each.status === 'rejected') throw each.reason;
    const outcomes = claims.map((claimed): Repeatable<T> | Refusal | null => claimed!.final);
    const indexes = [...parts.keys()];
    const seen = indexes.filter((part) => outcomes[part] === null && claims[part]!.lookFirst);
    if (seen.length > 0) {
      const first = await replay(seen);
      seen.forEach((part, i) => {
        const found = first[i]!;
        outcomes[part] = found === null || isRefusal(found) ? found : { replayed: true, ...found };
      });
    }
    for (const part of indexes) outcomes[part] ??= claims[part]!.otherwise;
    const open = indexes.filter((part) => outcomes[part] === null);
    if (open.length > 0) {
      const done = await carryOut(
        open,
        open.filter((part) => claims[part]!.lookFirst),
        holdOf(reservations, owned, claims[open[0]!]!),
      );
      open.forEach((part, i) => {
        const each = done[i]!;
        outcomes[part] = isRefusal(each)
          ? each
          : { answer: each.answer, position: each.position, replayed: each.replayed ?? false };
      });
    }
    const without = owned.filter(({ part }) => hadNoEffect(outcomes[part]!));
    if (without.length > 0) await reservations.forget(without);
    reservations.done(owned.map(({ key }) => key));
    return outcomes as (Repeatable<T> | Refusal)[];
  } catch (error) {
    await reservations.release(owned);
    throw error;
  }
}

const hadNoEffect = (outcome: Done<unknown> | Refusal): boolean =>
  isRefusal(outcome) ? !staysRefused(outcome) : outcome.position === null;

function claim(
  reservations: IdempotencyReservations,
  part: OncePart,
  isGone: (named: Named) => boolean,
): Claimed | Promise<Claimed> {
  const { key, refused, subjects } = part;
  const named = { subjects, erased: [] };
  const unclaimed = { owner: null, lookFirst: false, otherwise: refused, final: null, named, met: null };
  if (key === null || part.claim === 'NONE') return unclaimed;
  if (part.claim === 'RESUMED') return { ...unclaimed, lookFirst: true };
  if (refused === null)
    return reservations.reserve(key, subjects, part.newcomer).then((reserved) => claimedBy(reserved, isGone));
  return reservations.seen(key).then((seen) => {
    const final = seen === 'other' ? keyReused() : seen === 'gone' ? goneWithSubject() : null;
    return { ...unclaimed, lookFirst: seen === 'same', final };
  });
}

function claimedBy(reserved: Reserved, isGone: (named: Named) => boolean): Claimed {
  const named = reserved.kind === 'other' ? { subjects: [], erased: [] } : reserved;
  const nothing = { owner: null, lookFirst: false, otherwise: null, final: null, named, met: null };
  if (reserved.kind === 'other') return { ...nothing, final: keyReused() };
  const final = isGone(reserved) ? goneWithSubject() : null;
  return reserved.kind === 'seen'
    ? { ...nothing, lookFirst: true, otherwise: stillRunning(), final }
    : { ...nothing, owner: reserved.owner, lookFirst: !reserved.fresh, final, met: reserved.met };
}

function holdOf(
  reservations: IdempotencyReservations,
  owned: readonly Owned[],
  { named: { subjects, erased }, met }: Pick<Claimed, 'named' | 'met'>,
): Hold {
  return { subjects, erased, met, rename: (from, to) => reservations.rename(owned, from, to) };
}

export interface OnceRequest<T> {
  scope: KeyScope;
  /** As sent; null: every request is its own. */
  idempotencyKey: string | null;
  fingerprint: string;
  /** The subjects of the request, as far as they are known before it is carried out. */
  subjects: readonly string[];
  /** Set where the request is about one subject that may be unknown: it is found or made together with the row. */
  newcomer?: Newcomer | null;
  /** Each of the subjects is on its own: that one was erased is for `carryOut` to say of what is about that one. */
  eachOnItsOwn?: boolean;
  /** Why today's rules refuse it. What was done under the key before is answered all the same. */
  refused?: Refusal | null;
  /** The first answer under this digest, where the log holds it. */
  replay: (digest: string) => Promise<Done<T> | Refusal | null>;
  /**
   * Carries it out, noting the digest in the events. Without a position nothing was written and nothing is remembered.
   * `resumed`: it was begun before and cut off.
   */
  carryOut: (digest: string | null, resumed: boolean, hold: Hold) => Promise<Done<T> | Refusal>;
}

/** A whole request of several steps at most once under its key. Throws Refused. */
export async function once<T>(
  reservations: IdempotencyReservations,
  {
    scope,
    idempotencyKey,
    fingerprint,
    subjects,
    newcomer,
    eachOnItsOwn,
    refused = null,
    replay,
    carryOut,
  }: OnceRequest<T>,
): Promise<Repeatable<T>> {
  const key = idempotencyKey === null ? null : { digest: reservations.digestOf(scope, idempotencyKey), fingerprint };
  const [outcome] = await onceEach(
    reservations,
    [{ key, claim: 'ROW', subjects, newcomer, refused }],
    {
      replay: async () => [await replay(key!.digest)],
      carryOut: async (_, resumed, hold) => [await carryOut(key?.digest ?? null, resumed.length > 0, hold)],
    },
    eachOnItsOwn ? () => false : undefined,
  );
  return answered(outcome!);
}

/** Throws Refused for a refusal. */
export function answered<T>(outcome: Repeatable<T> | Refusal): Repeatable<T> {
  if (!isRefusal(outcome)) return outcome;
  throw new Refused(outcome, outcome.code === RUNNING ? { 'Retry-After': '1' } : {});
}

const RUNNING = stillRunning().code;

/** The request was carried out, for a subject that was erased since: repeating it must not bring anything back. */
export const goneWithSubject = (): Refusal =>
  refusal(
    'subject_erased',
    'What was recorded under this Idempotency-Key went with its subject, who was erased.',
    'Do not repeat it. If the person begins anew, send a new request under a new key.',
    [{ path: KEY_PATH, message: 'belongs to an erased subject' }],
  );

const KEY_PATH = 'Idempotency-Key';
/** A refusal that stands for ever, unlike others. */
const staysRefused = ({ code, issues }: Refusal): boolean => code === 'subject_erased' && issues[0]?.path === KEY_PATH;
