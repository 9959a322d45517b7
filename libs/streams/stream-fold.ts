import type { DomainEvent, FieldCipher, Fold, Instant, Position, Refusal } from '../kernel/index.js';
import type { EventMetadata } from '../log/port.js';

/** An event as it is folded. */
export type FoldedEvent<E extends DomainEvent> = E & { revision: number; metadata: EventMetadata };

/** How a Stream folds the streams that it loads and appends to. */
export interface StreamFold<S, E extends DomainEvent> extends Fold<S, FoldedEvent<E>> {
  /**
   * Types of events that are folded; other known types are skipped. Absent: every event is folded. Empty: reading begins at
   * the end of the stream.
   */
  on?: readonly E['type'][];
  /**
   * The cipher that decodes personal values for the state. Absent: they are folded as forgotten, but those of an event that
   * is just being appended in clear: `evolve` must not keep them.
   */
  sealed?: (stream: string) => FieldCipher;
  /** The answer where other writers were faster at each try. */
  contended: () => Refusal;
  /**
   * Whether no event of the stream counts any more, as after an erasure. Then no snapshot is kept, and unreadable events do
   * not matter. The last event of the stream alone decides this.
   */
  isOver?: (state: S) => boolean;
  /**
   * Folds readable events and passes unreadable ones, for work that must be possible in any case, such as an erasure.
   * Absent: a stream with an unreadable event is neither shown nor written to.
   */
  passesUnreadable?: true;
  /** Absent: states of this fold are kept in memory only. */
  snapshots?: SnapshotRules;
  /**
   * When the person gave what an event records. Absent: this fold is never read as of a moment. END_OF_TIME: such a reading
   * folds the event otherwise than `evolve`. BEGINNING_OF_TIME: it always folds the event.
   */
  givenAt?: (event: E) => Instant;
}

/** How folded states are kept as rows. */
export interface SnapshotRules {
  /** The name of the fold. */
  name: string;
  /** Raise it with every change of `evolve` or of the state: rows of another version are never read. */
  version: string;
  /**
   * The group of folds of the same streams. When one fold of a group is kept, the others of this process follow. So a rare
   * fold, such as that of an erasure, never has to read the whole of a long stream.
   */
  group?: string;
}

/** A stream, folded up to some event. Where snapshots are kept, the state is JSON with FORGOTTEN and sealed values. */
export interface Folded<S> {
  /** Of the last event that was read; -1 before the first. */
  revision: number;
  /** Of the same event; null before the first. */
  position: Position | null;
  /** Revision of the last event that is folded; -1 before the first. */
  lastFolded: number;
  /** Latest `recordedAt` of all events so far. Clocks of machines differ, so it may be that of an earlier event. */
  recordedThrough: Instant;
  /** Latest `givenAt` of what was folded. */
  givenThrough: Instant;
  /** Why the first unreadable event could not be folded; absent: there is none. */
  unreadable?: { error: unknown };
  /** Number of left-out events when its first event was folded. Once there are more, it may hold one of them. */
  leftOutSoFar: number;
  state: S;
}

/** The part of it that is kept outside of this process. */
export type KeptState<S> = Omit<Folded<S>, 'unreadable' | 'leftOutSoFar'>;

/** An upper bound in the history of a stream. Every event before it fulfils all members that are named. */
export interface FoldedBefore {
  revision?: number;
  position?: Position;
  recordedThrough?: Instant;
  givenThrough?: Instant;
}

/** Whether a state holds no event from beyond a bound. */
export const isWithin = (
  { revision, position, recordedThrough, givenThrough }: Folded<unknown>,
  bound: FoldedBefore,
): boolean =>
  (bound.revision === undefined || revision <= bound.revision) &&
  (bound.position === undefined || position === null || position <= bound.position) &&
  (bound.recordedThrough === undefined || recordedThrough <= bound.recordedThrough) &&
  (bound.givenThrough === undefined || givenThrough <= bound.givenThrough);
