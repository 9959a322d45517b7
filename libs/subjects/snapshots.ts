import { historyPage, type EventsAside, type HistorySource, type JoinedEvent } from '../streams/joined-history.js';
import { CLOCK_LEEWAY_MS } from '../streams/key-search.js';
import type { ReplayCost } from '../streams/replay-cost.js';
import type { Folded, FoldedBefore } from '../streams/stream-fold.js';
import {
  plusMs,
  Refused,
  subjectStream,
  type DomainEvent,
  type HistoryPlace,
  type Instant,
  type Reader,
  type Reference,
  type Scope,
  UNCHARGED,
  type Work,
} from '../kernel/index.js';
import type { LifecycleEvent, MergeRule, SubjectsMergedData } from './events.js';
import { arrival, followToRead, type Step } from './follow.js';
import { subjectRefusals } from './refusals.js';
import { familyOf, standingOf, type Standed } from './standing.js';

/** A subject as something knows it in one context: a row, or a fold. */
export interface Snapshot<S> {
  subjectId: string | null;
  /** Of the last event that the context folds; -1 before the first. */
  revision: number;
  state: S;
}

/** How a context's state is read. */
export interface ReadFold<S, E extends DomainEvent> {
  /** The name of its part, under which merges carry its state. */
  part: string;
  initial: () => S;
  evolve: (state: S, event: E) => S;
  merge: (target: S, source: S, rule: MergeRule) => S;
  /** When what an event of its own says was given. */
  givenAt: (event: Exclude<E, LifecycleEvent>) => Instant;
  /** The revision that a folded state is known by, where it is not that of the last event. */
  revisionOf?: (state: S, lastFolded: number) => number;
}

/** The subject streams, as far as they are read here. */
export type ReadStreams<S, E extends DomainEvent> = HistorySource['streams'] & {
  load(stream: string, options?: { work: Work }): Promise<{ lastFolded: number; state: S }>;
  peek(stream: string): { lastFolded: number; state: S } | null;
  since(
    stream: string,
    bound: FoldedBefore,
    cost: ReplayCost,
  ): Promise<{ begin: Folded<S>; events: AsyncIterable<E & { revision: number; metadata: { recordedAt: Instant } }> }>;
};

/** The rows of a read model; null where only another release can read those that there are. */
export interface KnownRows<S> {
  find(subjectId: string): Promise<Snapshot<S> | null>;
}

/** Absent: now. */
export interface PastMoment {
  /** Only what was given by then. */
  asOf?: Instant | undefined;
  /** Only what was recorded by then. */
  knownAt?: Instant | undefined;
}

/** A page of a history. */
export interface HistoryWanted {
  /** Behind the last event that was looked at; absent: from the newest. */
  after: HistoryPlace | undefined;
  limit: number;
}

/** An event of a history. `mergedFrom`: the subject on whose stream it stands, where that was merged into the one asked for. */
export interface HistoryEvent extends JoinedEvent {
  mergedFrom: string | null;
}

/** Who stands behind a reference. */
export interface KnownReferences extends Pick<HistorySource, 'cipherOf'> {
  find(scope: Scope, reference: Reference): Promise<{ subjectId: string } | null>;
  /** What `find` answered a moment ago, where nothing has to be waited for. */
  remembered(scope: Scope, reference: Reference): { subjectId: string } | undefined;
  forget(scope: Scope, reference: Reference): void;
}

/** Takes down who reads of whom. */
export interface ReadNotes {
  /** Throws DependencyUnavailable where no more can be taken down. */
  note(reader: Reader, subjectId: string): void;
}

/** An erased subject is looked up again, once: its reference may name a new one by now. */
const MOST_LOOKS = 2;

/** Finds what a context knows of a subject, through merges and erasures, wherever the knowledge is from. */
export class Snapshots<S extends Standed, E extends DomainEvent> {
  constructor(
    private readonly subjectStreams: ReadStreams<S, E>,
    private readonly references: KnownReferences,
    private readonly reads: ReadNotes,
    private readonly by: ReadFold<S, E>,
  ) {}

  nobody(): Snapshot<S> {
    return { subjectId: null, revision: -1, state: this.by.initial() };
  }

  /** Whom a reference names. Every read of a subject begins here, and is counted here. */
  subjectOf(reader: Reader, reference: Reference): string | null | Promise<string | null> {
    const remembered = this.references.remembered(reader, reference)?.subjectId;
    if (remembered === undefined) return this.lookUp(reader, reference);
    this.reads.note(reader, remembered);
    return remembered;
  }

  private async lookUp(reader: Reader, reference: Reference): Promise<string | null> {
    const found = await this.references.find(reader, reference);
    if (found) this.reads.note(reader, found.subjectId);
    if (found || reference.kind !== 'subject') return found?.subjectId ?? null;
    // An erased id gets another answer than an id that never was.
    const { state } = await this.subjectStreams.load(subjectStream(reader, reference.value));
    if (standingOf(state).erasedAt !== null) throw new Refused(subjectRefusals.erased());
    return null;
  }

  /**
   * What a way of reading finds for a reference: the subject it names, the survivor of that one, or the empty state where
   * the subject was erased a moment ago. `known`: the subject that the caller has just found for the reference.
   */
  async find(
    reader: Reader,
    reference: Reference,
    read: (subjectId: string) => Promise<Snapshot<S>>,
    known?: string | null,
  ): Promise<Snapshot<S>> {
    const found = await this.followed(reader, reference, read, known);
    if (found === null) return this.nobody();
    const { root, path } = found;
    return path.length === 0 ? root.state.snapshot : this.joined(root, path);
  }

  /** The survivor of the subject that a reference names, and the way there; null where there is none. */
  private async followed(
    reader: Reader,
    reference: Reference,
    read: (subjectId: string) => Promise<Snapshot<S>>,
    known?: string | null,
  ): Promise<{ root: Step<Found<S>>; path: Step<Found<S>>[] } | null> {
    for (let looks = 0; looks < MOST_LOOKS; looks++) {
      const subjectId = looks === 0 && known !== undefined ? known : await this.subjectOf(reader, reference);
      if (subjectId === null) return null;
      const found = await followToRead(subjectId, async (id) => withStanding(await read(id)));
      if (standingOf(found.root.state).erasedAt === null) return found;
      if (reference.kind === 'subject') throw new Refused(subjectRefusals.erased());
      this.references.forget(reader, reference);
    }
    return null;
  }

  /** From the stream itself: sees every acknowledged write. `work` counts the events that are read for it. */
  async fold(scope: Scope, subjectId: string, work: Work = UNCHARGED): Promise<Snapshot<S>> {
    return this.folded(subjectId, await this.subjectStreams.load(subjectStream(scope, subjectId), { work }));
  }

  /**
   * What happened to a subject and to all who were merged into it, newest first: what `item` makes of each event, null
   * for what is not wanted. `next`: where the page after goes on, null where nothing is left. `aside`: what else is joined.
   */
  async history<T>(
    reader: Reader,
    reference: Reference,
    { after, limit }: HistoryWanted,
    item: (event: HistoryEvent) => T | null,
    aside?: EventsAside,
  ): Promise<{ data: T[]; next: HistoryPlace | null }> {
    const found = await this.followed(reader, reference, (id) => this.fold(reader, id));
    if (found === null) return { data: [], next: null };
    const source = {
      streams: this.subjectStreams,
      cipherOf: (id: string) => this.references.cipherOf(id),
      ...(aside && { aside }),
    };
    const root = found.root.subjectId;
    // A merge that is just being made has closed a stream that its survivor does not know of yet.
    const closed = found.path.map(({ subjectId }) => subjectId);
    const members = [...new Set([root, ...closed, ...familyOf(standingOf(found.root.state))])];
    return historyPage(source, reader, members, after, limit, ({ subjectId, event }) =>
      item({ subjectId, event, mergedFrom: subjectId === root ? null : subjectId }),
    );
  }

  /**
   * A row, or what this very process wrote since: where one process does both, a reader never waits for its projector.
   * Without a row of this version, from the stream.
   */
  async newest(scope: Scope, subjectId: string, rows: KnownRows<S>): Promise<Snapshot<S>> {
    const row = await rows.find(subjectId);
    if (row === null) return this.fold(scope, subjectId);
    const own = row.subjectId === null ? null : this.subjectStreams.peek(subjectStream(scope, row.subjectId));
    return own && own.lastFolded > row.revision ? this.folded(row.subjectId, own) : row;
  }

  /**
   * As given by one instant, and as known by another (bitemporal): later events never happened. Begins at a snapshot
   * that holds nothing from beyond either, and reads on from there. What was given early may be recorded late, so `asOf`
   * reads to the end, and `knownAt` as far as clocks may differ. `cost` counts what is read, and ends what takes
   * too long.
   */
  async foldAsOf(
    scope: Scope,
    subjectId: string,
    { asOf, knownAt }: PastMoment,
    cost: ReplayCost,
  ): Promise<Snapshot<S>> {
    const stream = subjectStream(scope, subjectId);
    const { begin, events } = await this.subjectStreams.since(
      stream,
      { ...(knownAt !== undefined && { recordedThrough: knownAt }), ...(asOf !== undefined && { givenThrough: asOf }) },
      cost,
    );
    let { state, lastFolded: revision } = begin;
    // From the first merge on: whether that was reverted shows later.
    const held: E[] = [];
    for await (const event of events) {
      if (knownAt !== undefined && event.metadata.recordedAt > knownAt) {
        if (event.metadata.recordedAt > plusMs(knownAt, CLOCK_LEEWAY_MS)) break;
        continue;
      }
      ({ revision } = event);
      if (asOf === undefined) state = this.by.evolve(state, event);
      else if (held.length > 0 || mergeOf(event)) held.push(event);
      else state = this.evolveAsOf(state, event, asOf);
    }
    if (asOf === undefined) return { subjectId, revision, state };
    const reverted = new Set(
      (held as DomainEvent[] as LifecycleEvent[]).flatMap((event) =>
        event.type === 'SubjectMergeReverted' && event.data.role === 'SURVIVOR' ? [event.data.mergeId] : [],
      ),
    );
    for (const event of held) {
      const merge = mergeOf(event);
      if (!merge || reverted.has(merge.mergeId)) state = this.evolveAsOf(state, event, asOf);
      else {
        // What is known of it today may be more than what was given then.
        const then = await this.foldAsOf(scope, merge.absorbedId, { asOf, knownAt }, cost);
        state = this.by.evolve(state, { ...event, data: { ...merge, absorbed: { [this.by.part]: then.state } } });
      }
    }
    return { subjectId, revision, state };
  }

  private evolveAsOf(state: S, event: E, asOf: Instant): S {
    const lifecycle = event as DomainEvent as LifecycleEvent;
    switch (lifecycle.type) {
      case 'SubjectsMerged':
      case 'SubjectMergeReverted':
        // A merge that was reverted since, and its revert, come to nothing.
        return lifecycle.data.role === 'SURVIVOR' ? state : this.by.evolve(state, event);
      case 'SubjectErased':
        return this.by.evolve(state, event);
      default:
        return this.by.givenAt(event as Exclude<E, LifecycleEvent>) <= asOf ? this.by.evolve(state, event) : state;
    }
  }

  /** The survivor's state; what has not arrived there yet, because the merge is just being made, is added here. */
  private joined(root: Step<Found<S>>, path: readonly Step<Found<S>>[]): Snapshot<S> {
    let { state } = root.state.snapshot;
    for (const [i, step] of path.entries()) {
      const { merged } = step.state.standing;
      if (merged && arrival(merged.mergeId, step.subjectId, [...path.slice(i + 1), root]) === null)
        state = this.by.merge(state, step.state.snapshot.state, merged);
    }
    return { ...root.state.snapshot, state };
  }

  private folded(subjectId: string | null, { lastFolded, state }: { lastFolded: number; state: S }): Snapshot<S> {
    return { subjectId, revision: this.by.revisionOf?.(state, lastFolded) ?? lastFolded, state };
  }
}

interface Found<S> {
  standing: ReturnType<typeof standingOf>;
  snapshot: Snapshot<S>;
}

const withStanding = <S extends Standed>(snapshot: Snapshot<S>): Found<S> => ({
  standing: standingOf(snapshot.state),
  snapshot,
});

/** What a merge brought to the survivor whose event this is. */
function mergeOf(event: DomainEvent): SubjectsMergedData | null {
  const { type, data } = event as LifecycleEvent;
  if (type !== 'SubjectsMerged') return null;
  const merged = data as SubjectsMergedData;
  return merged.role === 'SURVIVOR' ? merged : null;
}
