import { LRUCache } from 'lru-cache';
import { isRefusal, type DomainEvent, type FieldCipher, type Position, type Refusal } from '../kernel/index.js';
import { type Codec } from './codec.js';
import {
  LogUnavailable,
  NO_STREAM,
  type EventLog,
  type EventMetadata,
  type NewEvent,
  type RecordedEvent,
} from './port.js';
import type { StreamFold } from './stream-fold.js';

const MOST_ATTEMPTS = 5;
const PAGE = 500;
/** Default: some 20 MB at three decisions a subject. A stream that is not there costs one read. */
const CACHED_EVENTS = 50_000;

/** An event with its fields in clear, as it stands in the log. */
export type Happened<E extends DomainEvent> = E & Pick<RecordedEvent, 'id' | 'revision' | 'position' | 'metadata'>;

/** A stream as far as it was read: its folded state, and which idempotency keys it already holds. */
export interface Loaded<S> {
  revision: number;
  /** Position of the event at that revision; null where the stream holds none. */
  position: Position | null;
  /** Revision of the last event that is folded; -1 before the first. */
  lastFolded: number;
  state: S;
  /** Digest of each idempotency key to the request it stood for and the revisions of its events. */
  keys: ReadonlyMap<string, { fingerprint: string; revisions: number[] }>;
}

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

interface Kept<S> extends Loaded<S> {
  keys: Map<string, { fingerprint: string; revisions: number[] }>;
}

export interface StreamOptions {
  /** Bound of the cache of folded states, in events folded. */
  cachedEvents?: number;
}

/** How `execute` begins. */
export interface ExecuteOptions {
  /** Nobody can have written to this stream before: it is not read where nothing is known of it. */
  isNew?: boolean;
}

/**
 * The one way to write to the log: load, fold, decide, append at exactly the revision that was read, and again where
 * somebody was faster. An append whose outcome is not known is resolved by reading, never by guessing.
 */
export class Stream<S, E extends DomainEvent> {
  private readonly folded: LRUCache<string, Kept<S>>;
  /** Writers to one stream inside this process take turns instead of colliding. */
  private readonly lanes = new Map<string, Promise<unknown>>();

  constructor(
    private readonly log: EventLog,
    private readonly codec: Codec,
    private readonly by: StreamFold<S, E>,
    { cachedEvents = CACHED_EVENTS }: StreamOptions = {},
  ) {
    this.folded = new LRUCache({ maxSize: cachedEvents, sizeCalculation: (kept) => kept.revision + 2 });
  }

  /** What this process last knew of a stream, its own writes included, without asking the log; null where nothing. */
  peek(stream: string): Loaded<S> | null {
    return this.folded.get(stream) ?? null;
  }

  /** The state with everything acknowledged so far. */
  async load(stream: string): Promise<Loaded<S>> {
    return this.catchUp(stream, this.folded.get(stream) ?? (await this.start(stream)));
  }

  /**
   * Decides and appends. `attempt` is pure and may be called again with newer state. A refusal, or nothing to append,
   * only counts when it was decided on the newest state. After five tries that others won, `contended` is the answer.
   * Rejects with LogUnavailable where the log cannot be reached.
   */
  execute<R>(
    stream: string,
    cipher: FieldCipher | undefined,
    attempt: (loaded: Loaded<S>) => Attempt<R> | Refusal,
    { isNew = false }: ExecuteOptions = {},
  ): Promise<R | Refusal> {
    const turn = (this.lanes.get(stream) ?? Promise.resolve()).then(() =>
      this.attempts(stream, cipher, attempt, isNew),
    );
    const settled = turn.catch(() => undefined);
    this.lanes.set(stream, settled);
    void settled.then(() => {
      if (this.lanes.get(stream) === settled) this.lanes.delete(stream);
    });
    return turn;
  }

  private async attempts<R>(
    stream: string,
    cipher: FieldCipher | undefined,
    attempt: (loaded: Loaded<S>) => Attempt<R> | Refusal,
    isNew: boolean,
  ): Promise<R | Refusal> {
    const cached = this.folded.get(stream) ?? (isNew ? this.empty() : undefined);
    let newest = cached === undefined;
    let loaded = cached ?? (await this.catchUp(stream, await this.start(stream)));
    for (let tries = 0; tries < MOST_ATTEMPTS; tries++) {
      let wanted = attempt(loaded);
      // A cipher whose key is destroyed means that whoever the stream is about was erased. The newest state says so.
      if (!newest && (isRefusal(wanted) || wanted.append.length === 0 || cipher?.destroyed)) {
        loaded = await this.catchUp(stream, loaded);
        newest = true;
        wanted = attempt(loaded);
      }
      if (isRefusal(wanted)) return wanted;
      if (wanted.append.length === 0) return wanted.answer([]);
      const appended = await this.append(stream, cipher, loaded, wanted.append);
      if (appended) return wanted.answer(appended);
      loaded = await this.catchUp(stream, loaded);
      newest = true;
    }
    return this.by.contended();
  }

  /** The events as they stand in the log now, or null where somebody was faster. */
  private async append(
    stream: string,
    cipher: FieldCipher | undefined,
    loaded: Kept<S>,
    intents: readonly Intent[],
  ): Promise<Happened<DomainEvent>[] | null> {
    const events: NewEvent[] = intents.map(({ event, id, metadata }) => ({
      id,
      metadata: { schemaVersion: this.codec.versionOf(event.type), ...metadata },
      type: event.type,
      data: this.codec.encode(event, cipher),
    }));
    const expected = loaded.revision === -1 ? NO_STREAM : loaded.revision;
    for (let tries = 1; ; tries++) {
      try {
        const outcome = await this.log.append(stream, expected, events);
        if (outcome.outcome === 'deleted') throw new Error(`the stream ${stream} was ended for ever`);
        if (outcome.outcome === 'conflict') return null;
        if (outcome.already) return await this.stored(stream, loaded.revision + 1, intents, cipher);
        return this.remember(stream, loaded, intents, events, outcome.position);
      } catch (error) {
        if (!(error instanceof LogUnavailable) || !error.outcomeUnknown) throw error;
        const found = await this.stored(stream, loaded.revision + 1, intents, cipher);
        if (found) return found;
        // The very same append again: the log takes it once, however late the first one arrives.
        if (tries === MOST_ATTEMPTS) throw error;
      }
    }
  }

  /** Our events where they stand after `first`; null where others stand there, or nobody yet. */
  private async stored(
    stream: string,
    first: number,
    intents: readonly Intent[],
    cipher: FieldCipher | undefined,
  ): Promise<Happened<DomainEvent>[] | null> {
    const recorded = await this.log.read(stream, { direction: 'forwards', from: first, limit: intents.length });
    if (recorded.length !== intents.length || recorded.some((event, index) => event.id !== intents[index]!.id))
      return null;
    return recorded.map((event) => this.happened(event, cipher));
  }

  /** The stored events at these revisions, in clear: what a replayed answer is built from. */
  async at(stream: string, revisions: readonly number[], cipher: FieldCipher): Promise<Happened<DomainEvent>[]> {
    const wanted = new Set(revisions);
    const last = Math.max(...revisions);
    const found: Happened<DomainEvent>[] = [];
    for (let from = Math.min(...revisions); from <= last; from += PAGE) {
      const recorded = await this.log.read(stream, {
        direction: 'forwards',
        from,
        limit: Math.min(PAGE, last - from + 1),
      });
      for (const event of recorded) if (wanted.has(event.revision)) found.push(this.happened(event, cipher));
      if (recorded.length === 0) break;
    }
    return found;
  }

  /** The events that are folded, oldest first; personal fields in clear with a cipher, else as the state holds them. */
  async *forwards(stream: string, cipher?: FieldCipher): AsyncGenerator<Happened<E>> {
    for (let from = 0; ; from += PAGE) {
      const events = await this.log.read(stream, { direction: 'forwards', from, limit: PAGE });
      for (const event of events)
        if (this.folds(event.type) && !this.codec.isLeftOut(event))
          yield this.happened(event, cipher ?? this.by.sealed?.(stream)) as Happened<E>;
      if (events.length < PAGE) return;
    }
  }

  /** A page of the stream as it stands, newest first, in clear. */
  async backwards(
    stream: string,
    from: number | undefined,
    limit: number,
    cipher: FieldCipher,
  ): Promise<Happened<DomainEvent>[]> {
    const recorded = await this.log.read(stream, {
      direction: 'backwards',
      limit,
      ...(from === undefined ? {} : { from }),
    });
    return recorded.map((event) => this.happened(event, cipher));
  }

  /** Revision of the last event before a position; -1 where there is none. */
  async revisionBefore(stream: string, position: Position): Promise<number> {
    const [last] = await this.log.read(stream, { direction: 'backwards', limit: 1 });
    let [low, high] = [-1, last?.revision ?? -1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const [event] = await this.log.read(stream, { direction: 'forwards', from: middle, limit: 1 });
      if (event!.position < position) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private happened(event: RecordedEvent, cipher?: FieldCipher): Happened<DomainEvent> {
    const { type, data } = this.codec.decode(event, cipher);
    return { type, data, id: event.id, revision: event.revision, position: event.position, metadata: event.metadata };
  }

  private remember(
    stream: string,
    loaded: Kept<S>,
    intents: readonly Intent[],
    events: readonly NewEvent[],
    last: Position,
  ): Happened<DomainEvent>[] {
    let { state, revision, lastFolded } = loaded;
    const happened = intents.map(({ event, id }, i) => {
      const { metadata } = events[i]!;
      revision += 1;
      if (this.folds(event.type)) {
        lastFolded = revision;
        state = this.evolve(state, this.by.sealed ? this.decode(stream, events[i]!) : event, metadata);
      }
      note(loaded.keys, metadata, revision);
      return { ...event, id, metadata, revision, position: last };
    });
    this.folded.set(stream, { revision, position: last, lastFolded, state, keys: loaded.keys });
    return happened;
  }

  /** Where reading begins: where nothing is folded, at the end. */
  private async start(stream: string): Promise<Kept<S>> {
    if (this.by.on?.length !== 0) return this.empty();
    const [last] = await this.log.read(stream, { direction: 'backwards', limit: 1 });
    return last ? { ...this.empty(), revision: last.revision, position: last.position } : this.empty();
  }

  private async catchUp(stream: string, from: Kept<S>): Promise<Kept<S>> {
    let { state, revision, position, lastFolded } = from;
    for (;;) {
      const events = await this.log.read(stream, { direction: 'forwards', from: revision + 1, limit: PAGE });
      for (const event of events) {
        ({ revision, position } = event);
        if (!this.codec.isLeftOut(event)) this.codec.ensureKnown(event);
        if (this.folds(event.type) && !this.codec.isLeftOut(event)) {
          lastFolded = revision;
          state = this.evolve(state, this.decode(stream, event), event.metadata);
        }
        note(from.keys, event.metadata, revision);
      }
      if (events.length < PAGE) break;
    }
    const kept = { revision, position, lastFolded, state, keys: from.keys };
    // A slow reader must not put an older state over a newer one.
    if (revision > (this.folded.peek(stream)?.revision ?? -1)) this.folded.set(stream, kept);
    return kept;
  }

  private decode(stream: string, event: NewEvent): DomainEvent {
    return this.codec.decode(event, this.by.sealed?.(stream));
  }

  private evolve(state: S, { type, data }: DomainEvent, metadata: EventMetadata): S {
    return this.by.evolve(state, { type, data, metadata } as E & { metadata: EventMetadata });
  }

  private folds(type: string): boolean {
    return this.by.on === undefined || (this.by.on as readonly string[]).includes(type);
  }

  private empty(): Kept<S> {
    return { revision: -1, position: null, lastFolded: -1, state: this.by.initial(), keys: new Map() };
  }
}

function note(keys: Kept<unknown>['keys'], metadata: EventMetadata, revision: number): void {
  if (metadata.idempotencyKey === undefined) return;
  const known = keys.get(metadata.idempotencyKey);
  if (!known) keys.set(metadata.idempotencyKey, { fingerprint: metadata.fingerprint ?? '', revisions: [revision] });
  else if (!known.revisions.includes(revision)) known.revisions.push(revision);
}
