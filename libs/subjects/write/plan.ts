import { randomUUID } from 'node:crypto';
import type { EventMetadata } from '../../log/port.js';
import type { Intent, Loaded } from '../../streams/stream.js';
import {
  isRefusal,
  uuidV5,
  withMembers,
  type DomainEvent,
  type FieldCipher,
  type Instant,
  type Refusal,
} from '../../kernel/index.js';
import { keyOnEvent } from '../../commands/own-key.js';
import { keyReused, type RequestKey } from '../../commands/reservations.js';
import { isClosed, type Standed } from '../standing.js';
import type { Cause, KeyedDecision, WritingContext } from '../writer.js';

/** What becomes of one decision on the state that was loaded. */
export type Plan =
  | { kind: 'append'; events: readonly DomainEvent[] }
  /** The stream holds its key: it was carried out before. */
  | { kind: 'kept'; revisions: readonly number[] }
  | { kind: 'refused'; refusal: Refusal }
  /** The stream takes nothing more: its subject was merged into another one, or erased. */
  | { kind: 'closed' };

/**
 * Decisions in their order, each on the state that the one before left. `noRoom` is the answer to all that would be
 * added, where the subject takes no more today.
 */
export function planAll<S extends Standed>(
  decisions: readonly KeyedDecision<S>[],
  { subjectId, cipher }: { subjectId: string; cipher: FieldCipher },
  loaded: Loaded<S>,
  context: Pick<WritingContext<S>, 'evolve'>,
  noRoom: Refusal | null,
): Plan[] {
  let { state } = loaded;
  return decisions.map(({ key, decide }): Plan => {
    const kept = key && loaded.keys.get(key.digest);
    if (kept)
      return kept.fingerprint === key.fingerprint
        ? { kind: 'kept', revisions: kept.revisions }
        : { kind: 'refused', refusal: keyReused() };
    if (isRefusal(decide)) return { kind: 'refused', refusal: decide };
    if (isClosed(loaded.state)) return { kind: 'closed' };
    const decided = decide(state, subjectId, cipher);
    if (isRefusal(decided)) return { kind: 'refused', refusal: decided };
    if (noRoom && decided.events.length > 0) return { kind: 'refused', refusal: noRoom };
    if (decisions.length > 1) for (const event of decided.events) state = context.evolve(state, event);
    return { kind: 'append', events: decided.events };
  });
}

/**
 * The events of all plans, those that make the subject first. Ids follow from the idempotency key and from when it was
 * reserved, so that repeating an append whose outcome is unknown is the same append, and a key that is used anew after
 * its retention makes others.
 */
export function intentsOf<S>(
  first: readonly DomainEvent[],
  decisions: readonly KeyedDecision<S>[],
  plans: readonly Plan[],
  subjectId: string,
  cause: Cause,
  reservedSince: (digest: string) => Instant,
): Intent[] {
  const { requestId, actor, at, batch } = cause;
  const metadata = {
    actor,
    recordedAt: at,
    ...(requestId !== undefined && { requestId }),
    ...(batch !== undefined && { batch }),
  };
  const idOf = (key: RequestKey | null, name: string): string =>
    key ? uuidV5(`${key.digest}/${reservedSince(key.digest)}/${name}`) : randomUUID();
  const leading = decisions[plans.findIndex(({ kind }) => kind === 'append')]?.key ?? null;
  const intents = first.map((event): Intent => ({ event, id: idOf(leading, event.type), metadata }));
  const reserved = reservedForOthers(subjectId, cause);
  plans.forEach((plan, place) => {
    if (plan.kind !== 'append') return;
    const { key, idOf: ownIdOf } = decisions[place]!;
    const keyed = key ? { ...keyOnEvent(key), ...reserved, ...metadata } : metadata;
    plan.events.forEach((event, i) =>
      intents.push({ event, id: ownIdOf?.(event, i) ?? idOf(key, `${i}`), metadata: keyed }),
    );
  });
  const [begun, ...rest] = intents;
  if (!begun || !cause.request) return intents;
  return [{ ...begun, metadata: withMembers(begun.metadata, requestIn(subjectId, cause)) }, ...rest];
}

/** What the log has to hold of a request, so that the index of its keys can be built from it. */
export function requestIn(
  subjectId: string,
  cause: Pick<Cause, 'request' | 'reservedFor'>,
): Pick<EventMetadata, 'request' | 'reservedFor'> {
  if (!cause.request) return {};
  const { digest, fingerprint, place = 0 } = cause.request;
  return { request: { key: digest, fingerprint, ...(place > 0 && { place }) }, ...reservedForOthers(subjectId, cause) };
}

const reservedForOthers = (
  subjectId: string,
  { reservedFor }: Pick<Cause, 'reservedFor'>,
): Pick<EventMetadata, 'reservedFor'> =>
  reservedFor && (reservedFor.length !== 1 || reservedFor[0] !== subjectId) ? { reservedFor } : {};
