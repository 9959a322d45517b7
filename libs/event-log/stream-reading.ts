import type { DomainEvent, FieldCipher, Position } from '../kernel/index.js';
import type { Codec } from './codec.js';
import { FoldedStates, type FoldedStatesOptions } from './folded-states.js';
import { Folding, type Happened } from './folding.js';
import { neededSearches, searchKeys, SeenKeys, type KeptKey, type KeySearch } from './key-search.js';
import type { EventLog } from './port.js';
import { ReplayCost } from './replay-cost.js';
import type { Folded, FoldedBefore, StreamFold } from './stream-fold.js';

const PAGE = 500;

/** A stream as a decision sees it. */
export interface Loaded<S> extends Folded<S> {
  /**
   * Idempotency keys by their digests: those that were asked for, where the stream holds them since their reservation,
   * and those of all events that were read during this very call. A key that is not here may still stand on an older
   * event.
   */
  keys: ReadonlyMap<string, KeptKey>;
}

/** The same, and what it cost. */
export interface Read<S> extends Loaded<S> {
  /** Events that were read from the log for it: none but the newest ones where the state was cached. */
  eventsRead: number;
}

export interface LoadOptions {
  /** Idempotency keys that may stand on the stream already. */
  find?: readonly KeySearch[];
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
  async load(stream: string, { find = [] }: LoadOptions = {}): Promise<Read<S>> {
    const keys = new SeenKeys(find);
    let eventsRead = 0;
    const folded = await this.states.newest(stream, (events) => {
      keys.note(events);
      eventsRead += events.length;
    });
    this.ensureSound(folded);
    await this.find(stream, find, keys);
    return { keys, eventsRead, ...folded };
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

  /** The newest known state that holds nothing from beyond a bound: where a reading of the past begins. */
  async before(stream: string, bound: FoldedBefore): Promise<Folded<S>> {
    const folded = await this.states.before(stream, bound);
    this.ensureSound(folded);
    return folded;
  }

  /** The state that the stream had when the event at a revision was decided. */
  async stateBefore(stream: string, revision: number): Promise<S> {
    const from = await this.states.before(stream, { revision: revision - 1 });
    let { state } = from;
    for await (const event of this.forwards(stream, from.revision + 1, new ReplayCost())) {
      if (event.revision >= revision) break;
      state = this.folding.by.evolve(state, event);
    }
    return state;
  }

  /**
   * The events that are folded, oldest first, from a revision on; personal fields as the state holds them. Every event
   * that is read is counted. Throws Refused where that becomes too much, and where an event cannot be read.
   */
  async *forwards(stream: string, from: number, cost: ReplayCost): AsyncGenerator<Happened<E>> {
    for (let next = from; ;) {
      cost.beginPage();
      const events = await this.log.read(stream, { direction: 'forwards', from: next, limit: PAGE });
      await cost.add(events.length);
      for (const event of events)
        if (this.folding.takes(event)) yield this.folding.happened(stream, event) as Happened<E>;
      if (events.length < PAGE) return;
      next = events.at(-1)!.revision + 1;
    }
  }

  /**
   * A page of the stream as it stands, newest first, in clear and without what operators left out. `next` is the revision
   * at which the page after goes on; null where nothing is left.
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
