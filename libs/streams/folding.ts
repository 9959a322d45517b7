import { BEGINNING_OF_TIME, type DomainEvent, type FieldCipher, type Position } from '../kernel/index.js';
import type { Codec } from './codec.js';
import { IncompleteStream } from './incomplete-stream.js';
import type { NewEvent, RecordedEvent } from '../log/port.js';
import type { Folded, FoldedEvent, KeptState, StreamFold } from './stream-fold.js';

/** An event with its fields in clear, as it stands in the log. */
export type Happened<E extends DomainEvent> = E & Pick<RecordedEvent, 'id' | 'revision' | 'position' | 'metadata'>;

/** Folds stored events, decoded as the state wants them. */
export class Folding<S, E extends DomainEvent> {
  private readonly types: ReadonlySet<string> | null;

  constructor(
    private readonly codec: Codec,
    readonly by: StreamFold<S, E>,
  ) {
    this.types = by.on ? new Set(by.on) : null;
  }

  empty(): Folded<S> {
    return {
      revision: -1,
      position: null,
      lastFolded: -1,
      recordedThrough: BEGINNING_OF_TIME,
      givenThrough: BEGINNING_OF_TIME,
      leftOutSoFar: this.codec.leftOutSoFar,
      state: this.by.initial(),
    };
  }

  /** A state that was kept elsewhere, where nothing is kept any more that holds what operators left out. */
  resumed(kept: KeptState<S>): Folded<S> {
    return { ...kept, leftOutSoFar: this.codec.leftOutSoFar };
  }

  /** Whether an event of the log is folded. Throws UnknownEvent where only a newer release knows what happened. */
  takes(event: RecordedEvent): boolean {
    if (this.codec.isLeftOut(event)) return false;
    this.codec.ensureKnown(event);
    return this.folds(event.type);
  }

  /** Whether an operator left it out. */
  isLeftOut(event: RecordedEvent): boolean {
    return this.codec.isLeftOut(event);
  }

  /** Whether operators have left out nothing more since it was folded. */
  isCurrent({ leftOutSoFar }: Folded<S>): boolean {
    return leftOutSoFar === this.codec.leftOutSoFar;
  }

  /** Whether a state may be shown and decided on although an event before it could not be read. */
  isSound({ unreadable, state }: Folded<S>): boolean {
    return unreadable === undefined || this.by.passesUnreadable === true || this.by.isOver?.(state) === true;
  }

  private folds(type: string): boolean {
    return this.types === null || this.types.has(type);
  }

  /** The state some events further. What cannot be read, or is not there any more, is noted and passed: see `isSound`. */
  over(stream: string, from: Folded<S>, events: readonly RecordedEvent[]): Folded<S> {
    const sealed = this.by.sealed?.(stream);
    const to = { ...from };
    for (const event of events) {
      const next = to.revision + 1;
      if (event.revision !== next) to.unreadable ??= { error: new IncompleteStream(stream, next) };
      this.pass(to, event, event.position);
      // What an operator left out counts as read.
      if (this.codec.isLeftOut(event)) continue;
      try {
        this.codec.ensureKnown(event);
        this.advance(to, event, () => this.codec.decode(event, sealed));
      } catch (error) {
        to.unreadable ??= { error };
      }
    }
    return to;
  }

  /** The state after an append, and the events as they stand in the log; `clear`: what was encoded. */
  appended(
    stream: string,
    from: Folded<S>,
    events: readonly NewEvent[],
    clear: readonly DomainEvent[],
    last: Position,
  ): { folded: Folded<S>; happened: Happened<DomainEvent>[] } {
    const sealed = this.by.sealed?.(stream);
    const folded = { ...from };
    const happened = events.map((event, i) => {
      const { id, metadata } = event;
      const { type, data } = clear[i]!;
      const revision = folded.revision + 1;
      const stored = { type, revision, metadata };
      this.pass(folded, stored, last);
      this.advance(folded, stored, () => (sealed ? this.codec.decode(event, sealed) : clear[i]!));
      return { type, data, id, metadata, revision, position: last };
    });
    return { folded, happened };
  }

  /** As it stands in the log, in clear with the cipher. Without one, as the state holds it. */
  happened(stream: string, event: RecordedEvent, cipher?: FieldCipher): Happened<DomainEvent> {
    const { id, revision, position, metadata } = event;
    const { type, data } = this.codec.decode(event, cipher ?? this.by.sealed?.(stream));
    return { type, data, id, revision, position, metadata };
  }

  private pass(
    to: Folded<S>,
    { revision, metadata }: Pick<RecordedEvent, 'revision' | 'metadata'>,
    position: Position,
  ): void {
    to.revision = revision;
    to.position = position;
    if (metadata.recordedAt > to.recordedThrough) to.recordedThrough = metadata.recordedAt;
  }

  private advance(
    to: Folded<S>,
    event: Pick<RecordedEvent, 'type' | 'revision' | 'metadata'>,
    decode: () => DomainEvent,
  ): void {
    const { type, revision, metadata } = event;
    if (!this.folds(type)) return;
    const folded = { type, data: decode().data, revision, metadata } as FoldedEvent<E>;
    const givenAt = this.by.givenAt?.(folded);
    to.state = this.by.evolve(to.state, folded);
    to.lastFolded = revision;
    if (givenAt !== undefined && givenAt > to.givenThrough) to.givenThrough = givenAt;
  }
}
