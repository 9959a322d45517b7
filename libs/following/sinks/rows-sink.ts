import type { DomainEvent, Position } from '../../kernel/index.js';
import type { Database } from '../../engines/database/database.js';
import type { Codec } from '../../streams/codec.js';
import { ColumnArrays } from './column-arrays.js';
import { BatchCounts } from './batch-counts.js';
import { isAboutTheData } from '../failure-kinds.js';
import type { RecordedEvent } from '../../log/port.js';
import { projected, type Generation, type ProjectedEvent, type Projection } from '../projections/projection.js';
import { rowsStatements, type RowsStatements } from './rows-statements.js';
import { Poison, UnwritableBatch, type Effect, type Sink } from './sink.js';
import { identityOf, rowOf, StoredStates, type StoredState } from './stored-states.js';

/** `stateOf` tells what the keys that changed became; null where the table is not, or not yet, the one that is read. */
export type Committed<State> = (
  position: Position,
  changedKeys: readonly string[],
  stateOf: ((key: string) => State) | null,
) => void | Promise<void>;

/** An event that is folded, and the key of its state. */
interface Wanted {
  key: string;
  event: RecordedEvent;
}

/** What became of the states of some keys, and how many events that took. */
interface Changes<State> {
  changed: Map<string, StoredState<State>>;
  folded: number;
  /** What is added to counts; null where nothing is counted. */
  counts: BatchCounts | null;
}

export interface RowsSinkOptions<State, E extends DomainEvent> {
  database: Database;
  codec: Codec;
  projection: Projection<State, E>;
  generation: Generation;
  /** After the commit and before waiters learn that the position is reached: the place to raise caches. */
  committed?: Committed<State>;
}

/**
 * Rows by key: folds each batch in memory over the states as stored, then writes the rows that came of it in one bulk
 * statement with the checkpoint.
 */
export class RowsSink<State, E extends DomainEvent> implements Sink {
  private readonly sql: RowsStatements;
  private readonly types: ReadonlySet<string>;
  private readonly states: StoredStates<State, E>;

  constructor(private readonly options: RowsSinkOptions<State, E>) {
    const { database, projection, generation } = options;
    this.sql = rowsStatements(projection, generation);
    this.types = new Set(projection.on);
    this.states = new StoredStates(database, projection, this.sql.load);
  }

  async prepare(events: readonly RecordedEvent[]): Promise<Effect> {
    const { projection, committed } = this.options;
    const { changed, folded, counts } = projection.keyIsOfEvent ? this.foldEach(events) : await this.foldByKey(events);
    const { written, gone } = this.rowsOf(changed);
    if (!projection.keyIsOfEvent) for (const [key, entry] of changed) this.states.keep(key, entry);
    return {
      events: folded,
      // States that come to no row are as if they had not begun.
      isEmpty: written.rows === 0 && gone.rows === 0 && (counts === null || counts.isEmpty),
      write: (tx) => tx.query(this.sql.write, [...written.values, ...gone.values, ...(counts?.values ?? [])]),
      written: (through) => committed?.(through, [...changed.keys()], (key) => changed.get(key)!.state),
    };
  }

  reset(): void {
    this.states.forget();
  }

  private foldEach(events: readonly RecordedEvent[]): Changes<State> {
    const { projection } = this.options;
    const changed = new Map<string, StoredState<State>>();
    let folded = 0;
    this.forEachWanted(events, (key, event) => {
      const entry = this.states.begun(key);
      entry.state = projection.evolve(entry.state, event);
      changed.set(key, entry);
      folded++;
    });
    return { changed, folded, counts: null };
  }

  private async foldByKey(events: readonly RecordedEvent[]): Promise<Changes<State>> {
    const wanted = this.wanted(events);
    const changed = await this.statesOf(wanted, this.begunIn(events));
    const { counts: counted } = this.options.projection;
    const counts = counted ? new BatchCounts(counted) : null;
    this.fold(wanted, changed, counts);
    return { changed, folded: wanted.length, counts };
  }

  /** Of which keys there was nothing before these events: those of streams whose first event is among them. */
  private begunIn(events: readonly RecordedEvent[]): ReadonlySet<string> {
    if (!this.options.projection.keyIsOfStream) return new Set();
    return new Set(events.flatMap(({ stream, revision }) => (revision === 0 ? [stream] : [])));
  }

  /** A key can be what the database refuses already, before there is a row. */
  private async statesOf(
    wanted: readonly Wanted[],
    begun: ReadonlySet<string>,
  ): Promise<Map<string, StoredState<State>>> {
    const streams = new Map(wanted.map(({ key, event }) => [key, event.stream]));
    try {
      return await this.states.of(new Set(streams.keys()), (key) => begun.has(streams.get(key)!));
    } catch (cause) {
      throw isAboutTheData(cause) ? new UnwritableBatch({ cause }) : cause;
    }
  }

  /** Which events are folded, and into which state. Nothing is decoded for a key that the name of the stream tells. */
  private wanted(events: readonly RecordedEvent[]): Wanted[] {
    const wanted: Wanted[] = [];
    this.forEachWanted(events, (key, _, event) => wanted.push({ key, event }));
    return wanted;
  }

  private forEachWanted(
    events: readonly RecordedEvent[],
    take: (key: string, event: ProjectedEvent<E>, stored: RecordedEvent) => void,
  ): void {
    const { projection, codec } = this.options;
    for (const stored of events) {
      try {
        codec.ensureKnown(stored);
        if (!this.types.has(stored.type)) continue;
        const event = projected<E>(projection, codec, stored);
        const key = projection.key(event);
        if (key !== null) take(key, event, stored);
      } catch (cause) {
        throw new Poison(stored.position, { cause });
      }
    }
  }

  /** Each event is decoded for its own fold only. Decoded events of a whole batch cost a third more time, all in garbage collection. */
  private fold(
    wanted: readonly Wanted[],
    states: ReadonlyMap<string, StoredState<State>>,
    counts: BatchCounts | null,
  ): void {
    const { projection, codec } = this.options;
    for (const { key, event } of wanted) {
      const entry = states.get(key)!;
      try {
        const read = projected<E>(projection, codec, event);
        const before = entry.state;
        entry.state = projection.evolve(before, read);
        if (counts) for (const added of projection.counts!.added(before, read, entry.state)) counts.add(added);
      } catch (cause) {
        throw new Poison(event.position, { cause });
      }
    }
  }

  /** The rows to write and those to delete; notes in the entries what stands in the table then. */
  private rowsOf(changed: ReadonlyMap<string, StoredState<State>>): { written: ColumnArrays; gone: ColumnArrays } {
    const { projection } = this.options;
    const { columns, primaryKey } = projection.table;
    const written = new ColumnArrays(columns);
    const gone = new ColumnArrays(columns, primaryKey);
    try {
      for (const [key, entry] of changed) {
        const rows = projection.rows(key, entry.state);
        for (const row of rows) written.add(row);
        const identities = rows.map((row) => identityOf(projection, row));
        for (const identity of entry.rows) if (!identities.includes(identity)) gone.add(rowOf(projection, identity));
        entry.rows = identities;
      }
    } catch (cause) {
      throw new UnwritableBatch({ cause });
    }
    return { written, gone };
  }
}
