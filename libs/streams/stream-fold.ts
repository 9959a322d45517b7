import type { DomainEvent, FieldCipher, Fold, Instant, Position, Refusal } from '../kernel/index.js';
import type { EventMetadata } from '../log/port.js';

/** An event as it is folded. */
export type FoldedEvent<E extends DomainEvent> = E & { revision: number; metadata: EventMetadata };

/** How a Stream loads, folds and appends to the streams of one kind. */
export interface StreamFold<S, E extends DomainEvent> extends Fold<S, FoldedEvent<E>> {
  /**
   * The types of events that are folded; others that this release knows pass by. Absent: every event is folded. None:
   * reading begins at the end.
   */
  on?: readonly E['type'][];
  /**
   * What personal values are decoded with on their way into the state of a stream. Absent: they are folded as forgotten,
   * and those of an event that is just being appended in clear, which `evolve` must not keep.
   */
  sealed?: (stream: string) => FieldCipher;
  /** The answer where others were faster each time. */
  contended: () => Refusal;
  /**
   * Nothing that the stream says counts any more, as after an erasure: no snapshot is kept, no unreadable event matters.
   * The event that says so is the last one of its stream, and says so whatever was before.
   */
  isOver?: (state: S) => boolean;
  /**
   * Folds what can be read and passes what cannot, for what must be done in any case, such as an erasure. Absent: a
   * stream with an event that cannot be read is neither shown nor written to.
   */
  passesUnreadable?: true;
  /** Absent: states of this fold are kept in memory only. */
  snapshots?: SnapshotRules;
  /**
   * When what an event says was given. Absent: this fold is never read as of a moment. An event that such a reading folds
   * in another way than `evolve` was given at END_OF_TIME; one that it always folds, at BEGINNING_OF_TIME.
   */
  givenAt?: (event: E) => Instant;
}

/** How folded states are kept as rows. */
export interface SnapshotRules {
  /** The name of the fold. */
  name: string;
  /** Raised with every change of `evolve` or of the state: rows of another version are never read. */
  version: string;
  /**
   * Which streams are folded. Where one fold of a group is kept, the others of this process are brought up to date too:
   * what is done rarely, such as an erasure, never has to read all of a stream that something else made long.
   */
  group?: string;
}

/** A stream as far as it was folded. The state is JSON, FORGOTTEN and sealed values among it, where snapshots are kept. */
export interface Folded<S> {
  /** Of the last event that was read; -1 before the first. */
  revision: number;
  /** Of the same event; null before the first. */
  position: Position | null;
  /** Revision of the last event that is folded; -1 before the first. */
  lastFolded: number;
  /** Latest `recordedAt` of all events so far. Clocks differ from machine to machine, so it may be that of an earlier one. */
  recordedThrough: Instant;
  /** Latest `givenAt` of what was folded. */
  givenThrough: Instant;
  /** Why the first event could not be taken in that could not be; absent: all of them were. */
  unreadable?: { error: unknown };
  /** How much operators had left out when its first event was folded; once there is more, it may hold too much. */
  leftOutSoFar: number;
  state: S;
}

/** What is kept of it outside of this process. */
export type KeptState<S> = Omit<Folded<S>, 'unreadable' | 'leftOutSoFar'>;

/** An upper bound in the history of a stream; all that are named must hold of every event before it. */
export interface FoldedBefore {
  revision?: number;
  position?: Position;
  recordedThrough?: Instant;
  givenThrough?: Instant;
}

/** Whether a state holds nothing from beyond a bound. */
export const isWithin = (
  { revision, position, recordedThrough, givenThrough }: Folded<unknown>,
  bound: FoldedBefore,
): boolean =>
  (bound.revision === undefined || revision <= bound.revision) &&
  (bound.position === undefined || position === null || position <= bound.position) &&
  (bound.recordedThrough === undefined || recordedThrough <= bound.recordedThrough) &&
  (bound.givenThrough === undefined || givenThrough <= bound.givenThrough);
