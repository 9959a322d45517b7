import type { DomainEvent, FieldCipher, Position } from '../kernel/index.js';
import type { Codec } from './codec.js';
import type { NewEvent, RecordedEvent } from './port.js';
import { BEGINNING_OF_TIME, type Folded, type FoldedEvent, type StreamFold } from './stream-fold.js';

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
      state: this.by.initial(),
    };
  }

  /** Whether an event of the log is folded. */
  takes(event: RecordedEvent): boolean {
    return this.folds(event.type) && !this.codec.isLeftOut(event);
  }

  private folds(type: string): boolean {
    return this.types === null || this.types.has(type);
  }

  /** The state some events further. */
  over(stream: string, from: Folded<S>, events: readonly RecordedEvent[]): Folded<S> {
    const sealed = this.by.sealed?.(stream);
    const to = { ...from };
    for (const event of events) {
      // What an operator left out counts as read, and nothing is decided without an event that only a newer release knows.
      if (this.codec.isLeftOut(event)) this.pass(to, event, event.position);
      else {
        this.codec.ensureKnown(event);
        this.advance(to, event, event.position, () => this.codec.decode(event, sealed));
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
      this.advance(folded, { ...event, revision }, last, () => (sealed ? this.codec.decode(event, sealed) : clear[i]!));
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
    position: Position,
    decode: () => DomainEvent,
  ): void {
    this.pass(to, event, position);
    const { type, revision, metadata } = event;
    if (!this.folds(type)) return;
    to.lastFolded = revision;
    const folded = { type, data: decode().data, revision, metadata } as FoldedEvent<E>;
    const givenAt = this.by.givenAt?.(folded);
    if (givenAt !== undefined && givenAt > to.givenThrough) to.givenThrough = givenAt;
    to.state = this.by.evolve(to.state, folded);
  }
}
