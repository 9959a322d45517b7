import { UnreadableEvent } from '../../streams/codec.js';
import { type RecordedEvent } from '../../log/port.js';
import { BEGINNING, subjectOfStream, type Position } from '../../kernel/index.js';
import { projected } from '../../following/projections/projection.js';
import type { NotedSkips } from '../../following/skipped-events.js';
import type { Engines } from '../engines.js';

const DIFFERENCES_SHOWN = 20;

export type DifferenceKind =
  | 'row differs'
  | 'row missing'
  | 'row without events'
  | 'revisions not contiguous'
  | 'positions not growing'
  | 'event not readable';

/** A difference, named by our own ids and places in the log, never by personal data. */
export interface Difference {
  kind: DifferenceKind;
  where: string;
  detail: string;
}

interface Stream {
  revision: number;
  position: Position;
}

/** The events of some streams, folded by the same pure functions to the rows that the read models should show. */
export class Folded {
  readonly streams = new Map<string, Stream>();
  /** For each projection the states by key. All events of a key stand in one stream. */
  readonly states: readonly Map<string, unknown>[];
  readonly found: Difference[] = [];
  differences = 0;
  events = 0;
  /** Places of events that operators left out, of at least one read model. */
  readonly skipped: string[] = [];

  constructor(
    private readonly of: Pick<Engines, 'codec' | 'projections'>,
    private readonly leftOut: NotedSkips,
  ) {
    this.states = of.projections.map(() => new Map<string, unknown>());
  }

  report(kind: DifferenceKind, where: string, detail: string): void {
    this.differences += 1;
    if (this.found.length < DIFFERENCES_SHOWN) this.found.push({ kind, where, detail });
  }

  /** How many of the streams are those of subjects. */
  get subjects(): number {
    let subjects = 0;
    for (const stream of this.streams.keys()) if (subjectOfStream(stream)) subjects++;
    return subjects;
  }

  take(event: RecordedEvent): void {
    const { stream, revision, position } = event;
    let known = this.streams.get(stream);
    if (!known) this.streams.set(stream, (known = { revision: -1, position: BEGINNING }));
    if (revision !== known.revision + 1)
      this.report('revisions not contiguous', stream, `${revision} follows ${known.revision}`);
    if (position <= known.position)
      this.report('positions not growing', stream, `${position} follows ${known.position}`);
    known.revision = revision;
    known.position = position;
    this.events += 1;
    this.fold(event);
  }

  private fold(event: RecordedEvent): void {
    const isLeftOut = this.leftOut.hasForAny(event.position);
    if (isLeftOut) this.skipped.push(`${event.stream} revision ${event.revision}, ${event.type}`);
    try {
      let read = isLeftOut;
      this.of.projections.forEach((projection, i) => {
        if (this.leftOut.has(event.position, projection.name)) return;
        if (
          !projection.on.includes(event.type) ||
          !projection.streams.some((prefix) => event.stream.startsWith(prefix))
        )
          return;
        read = true;
        const decoded = projected(projection, this.of.codec, event);
        const key = projection.key(decoded);
        if (key === null) return;
        const states = this.states[i]!;
        states.set(key, projection.evolve(states.has(key) ? states.get(key) : projection.initial(key), decoded));
      });
      if (!read) this.of.codec.decode(event);
    } catch (error) {
      // The message of a fold's error may quote values, so only its kind is kept. That is enough to find the event.
      this.report(
        'event not readable',
        `${event.stream} revision ${event.revision}`,
        `position ${event.position}, ${event.type}: ${error instanceof UnreadableEvent ? error.message : (error as Error).name}`,
      );
    }
  }
}
