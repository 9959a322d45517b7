import { UNCHARGED, type DomainEvent, type FieldCipher, type Position, type Work } from '../kernel/index.js';
import type { Codec } from './codec.js';
import { FoldedStates, type FoldedStatesOptions } from './folded-states.js';
import { Folding, type Happened } from './folding.js';
import { IncompleteStream, requireFrom } from './incomplete-stream.js';
import { neededSearches, searchKeys, SeenKeys, type KeptKey, type KeySearch } from './key-search.js';
import type { EventLog, RecordedEvent } from '../log/port.js';
import { ReplayCost } from './replay-cost.js';
import { isWithin, type Folded, type FoldedBefore, type StreamFold } from './stream-fold.js';
import { letGo, PAGE } from './stream-pages.js';

/** A stream as a decision sees it. */
export interface Loaded<S> extends Folded<S> {
  /**
   * Idempotency keys by their digests: those that were asked for, where the stream holds them since their reservation,
   * and those of all events that a decision, or a reading that asked for any, read during this very call. A key that is
   * not here may still stand on an older event.
   */
  keys: ReadonlyMap<string, KeptKey>;
}

/** The past of a stream up to a bound, and what came after. */
export interface Since<S, E extends DomainEvent> {
  /** A state that holds nothing from beyond the bound. */
  begin: Folded<S>;
  /**
   * The events that are folded, oldest first, from there to the end of the stream; personal fields as the state holds
   * them. Throws where an event cannot be read, and Refused where too many are read.
   */
  events: AsyncGenerator<Happened<E>, undefined>;
}

export interface LoadOptions {
  /** Idempotency keys that may stand on the stream already. */
  find?: readonly KeySearch[];
  /** Counts the events that are read: only the newest ones where the state was cached. */
  work?: Work;
}

/** Reads streams of one kind. */
export class StreamReading<S, E extends DomainEvent> {
  protected readonly folding: Folding<S, E>;
  protected readonly states: FoldedStates<S, E>;

  constructor(
    protected readonly log: EventLog,
    protected readonly codec: Codec,
    by: StreamFold<S, E>,
    options: FoldedStatesOptions = {},
  ) {
    this.folding = new Folding(codec, by);
    this.states = new FoldedStates(log, this.folding, options);
  }

  /** What this process last knew of a stream, its own writes included, without asking the log; null where nothing. */
  peek(stream: string): Folded<S> | null {
    const known = this.states.known(stream);
    return known && this.folding.isSound(known) ? known : null;
  }

  /** The state with everything acknowledged so far. Throws where the stream holds an event that cannot be read. */
  async load(stream: string, { find = [], work = UNCHARGED }: LoadOptions = {}): Promise<Loaded<S>> {
    const keys = new SeenKeys();
    const isAsked = find.length > 0;
    const folded = await this.states.newest(stream, { ...(isAsked && { note: (events) => keys.note(events) }), work });
    this.ensureSound(folded);
    await this.find(stream, find, keys);
    return { keys, ...folded };
  }

  /** The stored events at these revisions, in clear with the cipher of the stream: what a replayed answer is built from. */
  async at(stream: string, revisions: readonly number[], cipher?: FieldCipher): Promise<Happened<DomainEvent>[]> {
    const wanted = [...new Set(revisions)].sort((a, b) => a - b);
    const found: Happened<DomainEvent>[] = [];
    while (wanted.length > 0) {
      // One read for all that stand close together.
      const from = wanted[0]!;
      const near = wanted.filter((revision) => revision < from + PAGE);
      const recorded = await this.log.read(stream, { direction: 'forwards', from, limit: near.at(-1)! - from + 1 });
      for (const event of recorded)
        if (near.includes(event.revision)) found.push(this.folding.happened(stream, event, cipher));
      wanted.splice(0, near.length);
    }
    return found;
  }

  /** The state that the stream had when the event at a revision was decided. */
  async stateBefore(stream: string, revision: number): Promise<S> {
    const { begin, events } = await this.since(stream, { revision: revision - 1 }, new ReplayCost());
    let { state } = begin;
    for await (const event of events) {
      if (event.revision >= revision) break;
      state = this.folding.by.evolve(state, event);
    }
    return state;
  }

  /**
   * A reading of the past: begins with the newest known state that holds nothing from beyond a bound, and folds on as
   * far as the bound allows. Snapshots are left on the way, so that the next one begins closer, and of several at the same
   * time each goes on from where the furthest is. Every event that is read is counted. Throws like the events that it
   * answers.
   */
  async since(stream: string, bound: FoldedBefore, cost: ReplayCost): Promise<Since<S, E>> {
    let begin = await this.states.before(stream, bound);
    for (;;) {
      this.ensureSound(begin);
      const pages = this.counted(stream, begin.revision + 1, cost);
      const { value: page = [] } = await pages.next();
      // The caller folds the last page, which most often is the only one. It is not folded here too.
      const next = page.length < PAGE ? null : this.folding.over(stream, begin, page);
      if (!next || !isWithin(next, bound)) return { begin, events: this.taken(stream, page, pages) };
      this.states.keep(stream, next, { isOnTheWay: true });
      // Counts the page.
      await pages.return(undefined);
      // Another reading of this stream may be further by now.
      begin = this.states.furthest(stream, next, bound);
    }
  }

  /** The stream from a revision on, oldest first, in pages that are full but for the last one. Each is counted. */
  private async *counted(stream: string, from: number, cost: ReplayCost): AsyncGenerator<RecordedEvent[], undefined> {
    for (let next = from, isLast = false; !isLast; next += PAGE) {
      cost.beginPage();
      const page = await this.log.read(stream, { direction: 'forwards', from: next, limit: PAGE });
      if (page.length === 0) return;
      requireFrom(stream, next, page);
      isLast = page.length < PAGE;
      try {
        cost.add(page.length);
        yield page;
      } finally {
        // Also of a page whose reader stopped early.
        await cost.folded(letGo(page));
      }
    }
  }

  private async *taken(
    stream: string,
    first: readonly RecordedEvent[],
    others: AsyncGenerator<readonly RecordedEvent[], undefined>,
  ): AsyncGenerator<Happened<E>, undefined> {
    const happened = (page: readonly RecordedEvent[]) =>
      page
        .filter((event) => this.folding.takes(event))
        .map((event) => this.folding.happened(stream, event) as Happened<E>);
    try {
      yield* happened(first);
      for await (const page of others) yield* happened(page);
    } finally {
      await others.return(undefined);
    }
  }

  /**
   * A page of the stream as it stands, newest first, in clear and without what operators left out. `next` is the revision
   * at which the page after goes on; null where nothing is left. Throws IncompleteStream where the beginning is not there.
   */
  async backwards(
    stream: string,
    from: number | undefined,
    limit: number,
    cipher: FieldCipher,
  ): Promise<{ events: Happened<DomainEvent>[]; next: number | null }> {
    const recorded = await this.log.read(stream, {
      direction: 'backwards',
      limit,
      ...(from === undefined ? {} : { from }),
    });
    const oldest = recorded.at(-1);
    const missing = (oldest?.revision ?? (from ?? -1) + 1) - 1;
    if (recorded.length < limit && missing >= 0) throw new IncompleteStream(stream, missing);
    return {
      events: recorded
        .filter((event) => !this.folding.isLeftOut(event))
        .map((event) => this.folding.happened(stream, event, cipher)),
      next: oldest && oldest.revision > 0 ? oldest.revision - 1 : null,
    };
  }

  /** Revision of the last event before a position; -1 where there is none. */
  async revisionBefore(stream: string, position: Position): Promise<number> {
    const [last] = await this.log.read(stream, { direction: 'backwards', limit: 1 });
    let [low, high] = [-1, last?.revision ?? -1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const [event] = await this.log.read(stream, { direction: 'forwards', from: middle, limit: 1 });
      if (event!.position < position) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Throws what kept an event from being read, where that matters. */
  protected ensureSound(folded: Folded<S>): void {
    if (!this.folding.isSound(folded)) throw folded.unreadable!.error;
  }

  protected async find(stream: string, searches: readonly KeySearch[], keys: SeenKeys): Promise<void> {
    for (const search of neededSearches(searches, performance.now()))
      if (!search.digests.every((digest) => keys.has(digest))) await searchKeys(this.log, stream, search, keys);
  }
}
