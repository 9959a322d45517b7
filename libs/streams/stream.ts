import { isRefusal, type DomainEvent, type FieldCipher, type Refusal } from '../kernel/index.js';
import type { Happened } from './folding.js';
import { SeenKeys } from './key-search.js';
import { LogUnavailable, NO_STREAM, type EventMetadata, type NewEvent } from '../log/port.js';
import type { Folded } from './stream-fold.js';
import type { Reading } from './stream-pages.js';
import { StreamReading, type Loaded, type LoadOptions } from './stream-reading.js';

export type { Happened } from './folding.js';
export type { KeptKey, KeySearch } from './key-search.js';
export type { Loaded } from './stream-reading.js';

const MOST_ATTEMPTS = 5;
/** An append, and looking for what became of it, take this long together, in ms: a refused write answers within 2 s. */
const APPEND_AND_LOOK_MS_MAX = 1750;
/** What of it is kept for looking. */
const LOOK_MS = 250;
/** With less time than this left the same append is not sent again. */
const AGAIN_MS_MIN = 200;
/** A write that waited this long, in ms, behind one without an answer is refused with it: the log would be silent again. */
const WAITED_MS_MAX = 100;

/** One event that a decision wants, with its id and facts. */
export interface Intent {
  event: DomainEvent;
  id: string;
  metadata: Omit<EventMetadata, 'schemaVersion'>;
}

/** What one try makes of the state it saw: a refusal, or events with what to answer once they stand. */
export interface Attempt<R> {
  append: readonly Intent[];
  answer: (appended: readonly Happened<DomainEvent>[]) => R | Promise<R>;
}

/** Of a writer whose turn it is. Moments are those of `performance.now()`. */
interface Turn {
  /** When the writer came. */
  since: number;
  /** The cached state holds all that had been appended by then. */
  newestAt: number;
}

/** How a turn ended, for the writer behind it. */
interface Ended {
  newestAt: number;
  /** Why it got no answer. */
  unanswered: LogUnavailable | null;
}

export interface ExecuteOptions extends LoadOptions {
  /** The stream is known to be new: it is not read before the first append. */
  isNew?: boolean;
}

/**
 * The one way to read and write streams of one kind: load, fold, decide, append at exactly the revision that was read,
 * and again where another writer was faster. An append whose outcome is not known is resolved by reading, never by guessing.
 *
 * What a load costs does not grow with the stream. Folded states are cached in this process (FoldedStates), and those
 * of long streams are kept as snapshots beside the read models (SnapshotStore), so only the events since are read.
 *
 * Idempotency keys stand on the events that were written under them. No index holds those of a whole stream. A command
 * that needs to know whether a key was used asks for it and says when that can have been (KeySearch); the reservation of
 * the key knows. Why that is enough: a rival that writes under the same key while a decision is on its way makes the
 * append conflict, and what is then read holds the key.
 */
export class Stream<S, E extends DomainEvent> extends StreamReading<S, E> {
  /** Writers to one stream inside this process take turns instead of colliding. */
  private readonly lanes = new Map<string, Promise<Ended>>();

  /**
   * Decides and appends. `attempt` is pure and may be called again with newer state. A refusal, or nothing to append,
   * only counts when it was decided on the newest state. After five tries that others won, `contended` is the answer.
   * Rejects with LogUnavailable where the log cannot be reached.
   */
  execute<R>(
    stream: string,
    cipher: FieldCipher | undefined,
    attempt: (loaded: Loaded<S>) => Attempt<R> | Refusal,
    options: ExecuteOptions = {},
  ): Promise<R | Refusal> {
    const turn: Turn = { since: performance.now(), newestAt: -Infinity };
    const carryOut = (): Promise<R | Refusal> => this.attempts(stream, cipher, attempt, options, turn);
    const before = this.lanes.get(stream);
    const done = before
      ? before.then(({ unanswered, newestAt }) => {
          if (unanswered && performance.now() - turn.since > WAITED_MS_MAX)
            throw new LogUnavailable('the event log did not answer who was before', false, { cause: unanswered });
          turn.newestAt = newestAt;
          return carryOut();
        })
      : carryOut();
    const end = (unanswered: LogUnavailable | null): Ended => {
      if (this.lanes.get(stream) === settled) this.lanes.delete(stream);
      return { unanswered, newestAt: turn.newestAt };
    };
    const settled = done.then(
      () => end(null),
      (error: unknown) => end(error instanceof LogUnavailable ? error : null),
    );
    this.lanes.set(stream, settled);
    return done;
  }

  private async attempts<R>(
    stream: string,
    cipher: FieldCipher | undefined,
    attempt: (loaded: Loaded<S>) => Attempt<R> | Refusal,
    { isNew = false, find = [] }: ExecuteOptions,
    turn: Turn,
  ): Promise<R | Refusal> {
    const keys = new SeenKeys();
    const reading: Reading = { note: (events) => keys.note(events) };
    const read = async (from: Folded<S> | null): Promise<Folded<S>> => {
      const at = performance.now();
      const newest = await (from ? this.states.catchUp(stream, from, reading) : this.states.newest(stream, reading));
      turn.newestAt = at;
      return newest;
    };
    const known = this.states.known(stream);
    // What a writer before it read after this one had come need not be read again. Keys are searched for all the same.
    let isNewest = known ? turn.newestAt > turn.since : !isNew;
    let folded = known ?? (isNew ? this.folding.empty() : await read(null));
    // Where no event stands, there is no key to find. A stream that was thought to be empty makes the append conflict.
    if (folded.revision >= 0) await this.find(stream, find, keys);
    for (let tries = 0; tries < MOST_ATTEMPTS; tries++) {
      this.ensureSound(folded);
      let wanted = attempt({ keys, ...folded });
      // A cipher whose key is destroyed means that the subject of the stream was erased. The newest state says so.
      if (!isNewest && (isRefusal(wanted) || wanted.append.length === 0 || cipher?.destroyed)) {
        folded = await read(folded);
        this.ensureSound(folded);
        wanted = attempt({ keys, ...folded });
      }
      if (isRefusal(wanted)) return wanted;
      if (wanted.append.length === 0) return wanted.answer([]);
      const appended = await this.append(stream, cipher, folded, wanted.append);
      if (appended) return wanted.answer(appended);
      folded = await read(folded);
      isNewest = true;
    }
    return this.folding.by.contended();
  }

  /** The events as they stand in the log now, or null where another writer was faster. */
  private async append(
    stream: string,
    cipher: FieldCipher | undefined,
    folded: Folded<S>,
    intents: readonly Intent[],
  ): Promise<Happened<DomainEvent>[] | null> {
    const events: NewEvent[] = intents.map(({ event, id, metadata }) => ({
      id,
      metadata: { schemaVersion: this.codec.versionOf(event.type), ...metadata },
      type: event.type,
      data: this.codec.encode(event, cipher),
    }));
    const expected = folded.revision === -1 ? NO_STREAM : folded.revision;
    const until = performance.now() + APPEND_AND_LOOK_MS_MAX;
    for (let tries = 1; ; tries++) {
      try {
        const outcome = await this.log.append(stream, expected, events, until - LOOK_MS);
        if (outcome.outcome === 'deleted') throw new Error(`the stream ${stream} was ended for ever`);
        if (outcome.outcome === 'conflict') return null;
        if (outcome.already) return await this.stored(stream, folded.revision + 1, intents, cipher);
        const clear = intents.map(({ event }) => event);
        const done = this.folding.appended(stream, folded, events, clear, outcome.position);
        this.states.keep(stream, done.folded);
        return done.happened;
      } catch (error) {
        if (!(error instanceof LogUnavailable) || !error.outcomeUnknown) throw error;
        const found = await this.stored(stream, folded.revision + 1, intents, cipher, until);
        if (found) return found;
        // The very same append again: the log takes it once, however late the first one arrives.
        if (tries === MOST_ATTEMPTS || performance.now() > until - LOOK_MS - AGAIN_MS_MIN) throw error;
      }
    }
  }

  /** The events of this process where they stand after `first`; null where other events or none stand there. */
  private async stored(
    stream: string,
    first: number,
    intents: readonly Intent[],
    cipher: FieldCipher | undefined,
    until: number = Infinity,
  ): Promise<Happened<DomainEvent>[] | null> {
    const recorded = await this.log.read(stream, { direction: 'forwards', from: first, limit: intents.length, until });
    if (recorded.length !== intents.length || recorded.some((event, index) => event.id !== intents[index]!.id))
      return null;
    return recorded.map((event) => this.folding.happened(stream, event, cipher));
  }
}
