import { randomUUID } from 'node:crypto';
import {
  isRefusal,
  uuidV5,
  type Clock,
  type Decision,
  type DomainEvent,
  type FieldCipher,
  type Instant,
  type Position,
  type Refusal,
} from '../kernel/index.js';
import type { KeySearch } from './key-search.js';
import type { Happened, Stream } from './stream.js';

/** The idempotency key of a request, as the events note it that are written for the request. */
export interface KeyOfEvents {
  digest: string;
  fingerprint: string;
  /** Where in a stream events under the key can stand. */
  search: KeySearch;
}

/** Who does something, for the metadata of the events that tell of it. */
export interface DoneBy<K extends KeyOfEvents = KeyOfEvents> {
  /** `operator:opt_…`, `key_…`, or `system:<what>`. */
  actor: string;
  requestId?: string;
  /** Of the request, where it has one: what stands under it is answered again and not done twice. */
  key?: K | null;
}

/** What is done, on which stream. */
export interface OnceInStream<S, E extends DomainEvent, D extends Decision<E>> {
  stream: string;
  by: DoneBy;
  clock: Clock;
  /** Ids of events under a key are made of the key and this word: every try, in any process, appends the very same events. */
  idsOf: string;
  /** Of the one whom the stream is about. */
  cipher?: FieldCipher;
  /** Pure; called again where somebody else was faster. `at`: when the events will have been recorded. */
  decide: (state: S, at: Instant) => D;
}

export interface DoneOnce<S, E extends DomainEvent, D> {
  refused: false;
  /** The state that it was decided on. */
  before: S;
  /** What was done, now or under the same key before; none where nothing was there to do. */
  events: readonly Happened<E>[];
  /** Of the last event; null where there is none. */
  position: Position | null;
  /** How far one must have read to know the outcome: the same, or where the stream stood before; null: it is empty. */
  stands: Position | null;
  /** Null where it was done under the same key before. */
  decided: D | null;
}

/** Whether something stands in the stream under the key. */
export const isDoneIn = async <S, E extends DomainEvent>(
  streams: Stream<S, E>,
  stream: string,
  { digest, search }: KeyOfEvents,
): Promise<boolean> => (await streams.load(stream, { find: [search] })).keys.has(digest);

/**
 * Decides and appends, or gives what was done under the key of the request before and changes nothing. Rejects with
 * LogUnavailable where the log cannot be reached.
 */
export async function appendOnce<S, E extends DomainEvent, D extends Decision<E>>(
  streams: Stream<S, E>,
  { stream, by: { actor, requestId, key }, clock, idsOf, cipher, decide }: OnceInStream<S, E, D>,
): Promise<DoneOnce<S, E, Exclude<D, Refusal>> | Refusal> {
  const ids: string[] = [];
  const idOf = (i: number): string => (ids[i] ??= key ? uuidV5(`${key.digest}/${idsOf}/${i}`) : randomUUID());
  const done = await streams.execute<DoneOnce<S, E, Exclude<D, Refusal>> | { again: readonly number[] }>(
    stream,
    cipher,
    ({ state, position, keys }) => {
      const earlier = key && keys.get(key.digest);
      if (earlier) return { append: [], answer: () => ({ again: earlier.revisions }) };
      const recordedAt = clock();
      const decided = decide(state, recordedAt);
      if (isRefusal(decided)) return decided;
      const metadata = {
        actor,
        recordedAt,
        ...(requestId !== undefined && { requestId }),
        ...(key && { idempotencyKey: key.digest, fingerprint: key.fingerprint }),
      };
      return {
        append: decided.events.map((event, i) => ({ event, id: idOf(i), metadata })),
        answer: (appended) => outcome(state, position, appended, decided as Exclude<D, Refusal>),
      };
    },
    { find: key ? [key.search] : [] },
  );
  if (!('again' in done)) return done;
  const events = await streams.at(stream, done.again, cipher);
  return outcome(await streams.stateBefore(stream, done.again[0]!), null, events, null);
}

const outcome = <S, E extends DomainEvent, D>(
  before: S,
  stood: Position | null,
  events: readonly Happened<DomainEvent>[],
  decided: D | null,
): DoneOnce<S, E, D> => ({
  refused: false,
  before,
  events: events as readonly Happened<E>[],
  position: events.at(-1)?.position ?? null,
  stands: events.at(-1)?.position ?? stood,
  decided,
});
