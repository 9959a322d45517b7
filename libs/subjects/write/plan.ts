import { randomUUID } from 'node:crypto';
import type { Intent, Loaded } from '../../streams/stream.js';
import { isRefusal, uuidV5, type DomainEvent, type FieldCipher, type Refusal } from '../../kernel/index.js';
import { eventMetadata } from '../../commands/event-metadata.js';
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
 * The events of all plans, those that make the subject first. Ids follow from the idempotency key, so that repeating an
 * append whose outcome is unknown is the same append.
 */
export function intentsOf<S>(
  first: readonly DomainEvent[],
  decisions: readonly KeyedDecision<S>[],
  plans: readonly Plan[],
  subjectId: string,
  cause: Cause,
): Intent[] {
  const { requestId, actor, at, batch } = cause;
  const common = { actor, at, requestId, batch };
  const metadata = eventMetadata(common);
  const idOf = (key: RequestKey | null, name: string): string => (key ? uuidV5(`${key.digest}/${name}`) : randomUUID());
  const leading = decisions[plans.findIndex(({ kind }) => kind === 'append')]?.key ?? null;
  const intents = first.map((event): Intent => ({ event, id: idOf(leading, event.type), metadata }));
  const reservedFor = reservedForOthers(cause, subjectId);
  plans.forEach((plan, place) => {
    if (plan.kind !== 'append') return;
    const { key, idOf: ownIdOf } = decisions[place]!;
    const keyed = key ? eventMetadata({ ...common, key, reservedFor }) : metadata;
    plan.events.forEach((event, i) =>
      intents.push({ event, id: ownIdOf?.(event, i) ?? idOf(key, `${i}`), metadata: keyed }),
    );
  });
  const [begun, ...rest] = intents;
  if (!begun || !cause.request) return intents;
  const ofWhole = eventMetadata({ ...ofRequest(cause, subjectId), at });
  return [{ ...begun, metadata: { ...begun.metadata, ...ofWhole } }, ...rest];
}

/** What the log holds of a whole request, so that the index of its keys can be built from it. */
export const ofRequest = (
  cause: Pick<Cause, 'actor' | 'requestId' | 'request' | 'reservedFor'>,
  subjectId: string,
): Pick<Cause, 'actor' | 'requestId' | 'request' | 'reservedFor'> => ({
  actor: cause.actor,
  requestId: cause.requestId,
  request: cause.request,
  reservedFor: cause.request && reservedForOthers(cause, subjectId),
});

const reservedForOthers = (
  { reservedFor }: Pick<Cause, 'reservedFor'>,
  subjectId: string,
): readonly string[] | undefined =>
  reservedFor && (reservedFor.length !== 1 || reservedFor[0] !== subjectId) ? reservedFor : undefined;
