import { randomUUID } from 'node:crypto';
import {
  isRefusal,
  uuidV5,
  withMembers,
  type Clock,
  type Decision,
  type DomainEvent,
  type FieldCipher,
  type Instant,
  type Position,
  type Refusal,
} from '../kernel/index.js';
import type { KeySearch } from '../streams/key-search.js';
import type { Attempt, Happened, Intent, Loaded, Stream } from '../streams/stream.js';
import { eventMetadata, type EventCause } from './event-metadata.js';
import { keyReused, stillRunning, type RequestKey } from './reservations.js';

/** One decision on the state of a stream. */
export interface StreamDecision<S> {
  key: RequestKey | null;
  /** Pure, called again on newer state. A Refusal where no state is needed to refuse. */
  decide: ((state: S) => Decision<DomainEvent>) | Refusal;
  /** Ids of the events, where they follow from something else than the key: a repeat is then the same append. */
  idOf?: (event: DomainEvent, index: number) => string;
}

/** What became of one decision. */
export type StreamOutcome =
  | {
      kind: 'done';
      /** None where there was nothing to do. */
      events: readonly Happened<DomainEvent>[];
      /** The stream held its key: it was carried out before. */
      replayed: boolean;
    }
  | { kind: 'refused'; refusal: Refusal }
  /** The stream takes nothing more. */
  | { kind: 'closed' };

export interface OnStream<S> {
  streams: Pick<Stream<S, DomainEvent>, 'execute' | 'at'>;
  stream: string;
  evolve: (state: S, event: DomainEvent) => S;
  /** Of whom the stream is about. Where its key is destroyed, `gone` answers what was done before. */
  cipher?: FieldCipher;
  gone?: () => Refusal;
  /** Where on the stream the keys may stand already. */
  find: readonly KeySearch[];
  /** No request can have written to this stream before. */
  isNew?: boolean;
  /** Whether a stream in this state takes nothing more. Default: none is. */
  isClosed?: (state: S) => boolean;
  /** Refuses whatever would be added. Repeats are answered all the same. */
  full?: Refusal | null;
  /** What stands first in a stream that is empty, before the events of the first decision. */
  begin?: () => readonly DomainEvent[];
  /** Without keys: each decision has its own. `reservedFor` stands on the events that have one. */
  cause: Omit<EventCause, 'key'>;
}

type Plan =
  | { kind: 'append'; events: readonly DomainEvent[] }
  | { kind: 'kept'; revisions: readonly number[] }
  | Exclude<StreamOutcome, { kind: 'done' }>;

/**
 * Carries out decisions in their order, each on the state that the one before left, in one append at the revision that
 * was read. A decision whose key stands on the stream already is answered with its first events, and not made again.
 * Rejects with LogUnavailable where the log cannot be reached.
 */
export async function decideOnStream<S>(
  on: OnStream<S>,
  decisions: readonly StreamDecision<S>[],
): Promise<StreamOutcome[]> {
  const attempt = (loaded: Loaded<S>): Attempt<StreamOutcome[]> => {
    const plans = planAll(on, decisions, loaded);
    const isAdding = plans.some((plan) => plan.kind === 'append' && plan.events.length > 0);
    const first = (isAdding && loaded.revision === -1 && on.begin?.()) || [];
    return {
      append: isAdding ? intentsOf(on.cause, first, decisions, plans) : [],
      answer: (appended) => outcomesOf(on, plans, appended.slice(first.length)),
    };
  };
  const outcomes = await on.streams.execute(on.stream, on.cipher, attempt, { isNew: on.isNew, find: on.find });
  return isRefusal(outcomes) ? decisions.map(() => ({ kind: 'refused', refusal: outcomes })) : outcomes;
}

function planAll<S>(
  { isClosed, full, evolve }: OnStream<S>,
  decisions: readonly StreamDecision<S>[],
  loaded: Loaded<S>,
): Plan[] {
  let { state } = loaded;
  return decisions.map(({ key, decide }): Plan => {
    const kept = key && loaded.keys.get(key.digest);
    if (kept)
      return kept.fingerprint === key.fingerprint
        ? { kind: 'kept', revisions: kept.revisions }
        : { kind: 'refused', refusal: keyReused() };
    if (isRefusal(decide)) return { kind: 'refused', refusal: decide };
    if (isClosed?.(loaded.state)) return { kind: 'closed' };
    const decided = decide(state);
    if (isRefusal(decided)) return { kind: 'refused', refusal: decided };
    if (full && decided.events.length > 0) return { kind: 'refused', refusal: full };
    if (decisions.length > 1) for (const event of decided.events) state = evolve(state, event);
    return { kind: 'append', events: decided.events };
  });
}

/**
 * The events of all plans, those that begin the stream first. Their ids follow from the keys, so that repeating an append
 * whose outcome is unknown is the same append.
 */
function intentsOf<S>(
  { actor, at, requestId, session, batch, request, reservedFor }: OnStream<S>['cause'],
  first: readonly DomainEvent[],
  decisions: readonly StreamDecision<S>[],
  plans: readonly Plan[],
): Intent[] {
  const idOf = (key: RequestKey | null, name: string): string => (key ? uuidV5(`${key.digest}/${name}`) : randomUUID());
  const common = { actor, at, requestId, session, batch };
  const metadata = eventMetadata(common);
  const leading = decisions[plans.findIndex(({ kind }) => kind === 'append')]?.key ?? null;
  const intents = first.map((event): Intent => ({ event, id: idOf(leading, event.type), metadata }));
  plans.forEach((plan, place) => {
    if (plan.kind !== 'append') return;
    const { key, idOf: ownIdOf } = decisions[place]!;
    const keyed = key ? eventMetadata({ key, reservedFor, ...common }) : metadata;
    plan.events.forEach((event, i) =>
      intents.push({ event, id: ownIdOf?.(event, i) ?? idOf(key, `${i}`), metadata: keyed }),
    );
  });
  const begun = intents[0];
  if (begun && request)
    begun.metadata = withMembers(begun.metadata, eventMetadata({ request, reservedFor, ...common }));
  return intents;
}

async function outcomesOf<S>(
  on: OnStream<S>,
  plans: readonly Plan[],
  appended: readonly Happened<DomainEvent>[],
): Promise<StreamOutcome[]> {
  const kept = plans.flatMap((plan) => (plan.kind === 'kept' ? [plan.revisions] : []));
  const before = kept.length > 0 ? await keptAt(on, kept) : [];
  let [next, nextKept] = [0, 0];
  return plans.map((plan) => {
    if (plan.kind === 'kept') return before[nextKept++]!;
    if (plan.kind !== 'append') return plan;
    return { kind: 'done', events: appended.slice(next, (next += plan.events.length)), replayed: false };
  });
}

/** What stands at these revisions, each list of them one decision. Nothing is answered again that an erasure took away. */
export async function keptAt<S>(
  { streams, stream, cipher, gone }: Pick<OnStream<S>, 'streams' | 'stream' | 'cipher' | 'gone'>,
  writes: readonly (readonly number[])[],
): Promise<StreamOutcome[]> {
  if (gone && cipher?.destroyed) return writes.map(() => ({ kind: 'refused', refusal: gone() }));
  const events = await streams.at(stream, writes.flat(), cipher);
  const byRevision = new Map(events.map((event) => [event.revision, event]));
  return writes.map((revisions) => ({
    kind: 'done',
    events: revisions.map((revision) => byRevision.get(revision)!),
    replayed: true,
  }));
}

/** A key that is held while something is done under it. */
export interface HeldKey extends RequestKey {
  /** Where in a stream events under the key can stand. */
  search: KeySearch;
  /** Only what was done before is answered; nothing is done now. */
  onlyRepeats?: boolean;
}

/** Who does something, for the metadata of the events that say so. */
export interface DoneBy<K extends HeldKey = HeldKey> {
  /** `operator:opt_…`, `key_…`, or `system:<what>`. */
  actor: string;
  requestId?: string;
  /** `ses_…` of an operator who is signed in in a browser. */
  session?: string;
  /** Of the request, where it has one. */
  key?: K | null;
}

export interface DoneOnce<S, E extends DomainEvent> {
  refused: false;
  /** The state that it was decided on. */
  before: S;
  /** When it was decided. */
  at: Instant;
  /** What was done, now or under the same key before; none where nothing was there to do. */
  events: readonly Happened<E>[];
  /** Of the last event; null where there is none. */
  position: Position | null;
  /** How far one must have read to know the outcome: the same, or where the stream stood before; null: it is empty. */
  stands: Position | null;
  /** It was done under the same key before. */
  replayed: boolean;
}

/** The answer where only repeats are answered, and the stream holds nothing under the key. */
export const NOT_DONE: Refusal = stillRunning();

/**
 * Carries out one decision on a stream that no merge or erasure closes, and returns the state that it was decided
 * on. Rejects with LogUnavailable where the log cannot be reached.
 */
export async function decideOnce<S, E extends DomainEvent>(
  streams: Stream<S, E>,
  {
    stream,
    by: { actor, requestId, session, key = null },
    clock,
    cipher,
    decide,
  }: {
    stream: string;
    by: DoneBy;
    clock: Clock;
    /** Of the one whom the stream is about. */
    cipher?: FieldCipher;
    /** Pure. `at`: when the events will have been recorded. */
    decide: (state: S, at: Instant) => Decision<E>;
  },
): Promise<DoneOnce<S, E> | Refusal> {
  const at = clock();
  let on: { state: S; position: Position | null } | null = null;
  const execute: OnStream<S>['streams']['execute'] = (name, by, attempt, options) =>
    streams.execute(name, by, (loaded) => attempt((on = loaded)), options);
  const [outcome] = await decideOnStream<S>(
    {
      ...{ stream, cipher, cause: { actor, requestId, session, at }, find: key ? [key.search] : [] },
      streams: { execute, at: (...where) => streams.at(...where) },
      evolve: (state) => state,
    },
    [{ key, decide: key?.onlyRepeats ? NOT_DONE : (state) => decide(state, at) }],
  );
  if (outcome!.kind !== 'done') return outcome!.kind === 'refused' ? outcome!.refusal : NOT_DONE;
  const { replayed } = outcome!;
  const events = outcome!.events as readonly Happened<E>[];
  const first = events[0];
  const position = events.at(-1)?.position ?? null;
  return {
    refused: false,
    before: replayed ? await streams.stateBefore(stream, first!.revision) : on!.state,
    at: replayed ? first!.metadata.recordedAt : at,
    ...{ events, position, stands: position ?? on!.position, replayed },
  };
}
