import { subjectOfStream, type DomainEvent, keepSealed, type FieldCipher, type Position } from '../../kernel/index.js';
import { type Codec } from '../../streams/codec.js';
import type { EventMetadata, RecordedEvent } from '../../log/port.js';
import type { PublishedView } from './published-views.js';

/** An event as a projection sees it: decoded, in today's schema, with its place in the log. */
export type ProjectedEvent<E extends DomainEvent = DomainEvent> = E & Omit<RecordedEvent, 'type' | 'data'>;

/**
 * One row of a read table. Instants are strings of our one form, in and out; `bigint` columns hold bigints; forgotten
 * values become null.
 */
export type Row = Record<string, unknown>;

export interface ProjectionTable {
  /** Column name to SQL type with its constraints, in order: `{ subject_id: 'text collate "C" not null', … }`. */
  columns: Readonly<Record<string, string>>;
  /** The text column that holds the projection's key: how the rows of a key are found. */
  keyColumn: string;
  /** What makes a row unique; holds the key column. */
  primaryKey: readonly string[];
  /** Column lists of further indexes: `['site, env, state']`. */
  indexes?: readonly string[];
}

/**
 * What the events add up to over many keys: numbers by cell, in a second table that is written together with the rows,
 * `read.<name>_counts`. It grows with the cells and not with the keys. A cell that comes to nothing may stand there or not.
 */
export interface Counts<State, E extends DomainEvent = DomainEvent> {
  /** What tells one cell from another: column name to SQL type with its constraints. Together they are the primary key. */
  cell: Readonly<Record<string, string>>;
  /** What is counted in each cell: names of `bigint` columns. */
  of: readonly string[];
  /** What an event adds to cells; with -1 it takes back what an earlier event of the same key has added. Pure. */
  added: (before: State, event: ProjectedEvent<E>, after: State) => readonly Added[];
}

/** What is added to one cell. */
export interface Added {
  cell: Readonly<Record<string, string>>;
  /** Which of the numbers. */
  to: string;
  by: 1 | -1;
}

/**
 * A read table as a fold. Everything here is pure. A row is only a cache of the state: `load` must give back a state
 * that goes on exactly like the one that `rows` was made from, so rows hold everything that `evolve` needs.
 */
export interface Projection<State, E extends DomainEvent = DomainEvent> {
  /** Snake case; the view that is read is `read.<name>`. */
  name: string;
  /** Raised whenever the fold or the table changes: a new table is then built beside the old one. */
  version: number;
  /** The types of event that are folded. Other known types pass by; an unknown one stops the projection. */
  on: readonly E['type'][];
  /** Prefixes of the streams that are read. */
  streams: readonly string[];
  /** Whether its rows carry personal values: they then hold each as a SealedValue, else nothing of it. */
  keepsSealed?: boolean;
  /** Whether all events of a key stand in one stream: only then can it be split into shards, which are made of streams. */
  keyIsOfStream?: boolean;
  /** Whether each event has a key of its own: then its state begins with it, and nothing is read nor kept for later ones. */
  keyIsOfEvent?: boolean;
  /** Which state an event belongs to; null: none. */
  key: (event: ProjectedEvent<E>) => string | null;
  initial: (key: string) => State;
  evolve: (state: State, event: ProjectedEvent<E>) => State;
  /** The rows of one key; rows that were there and are no longer are deleted. */
  rows: (key: string, state: State) => readonly Row[];
  /** From the stored rows (one at least), in no particular order, back to the state. */
  load: (key: string, rows: readonly Row[]) => State;
  table: ProjectionTable;
  /** What is counted besides. Not together with `keyIsOfEvent`. */
  counts?: Counts<State, E>;
  /** What others than the service may read of its rows. */
  views?: readonly PublishedView[];
}

/**
 * An event as a projection folds it: with the cipher its personal fields in clear, else sealed where it keeps them so,
 * else forgotten. Decoded at the first access to its data, which throws where this release cannot read the event.
 */
export function projected<E extends DomainEvent>(
  projection: Pick<Projection<unknown>, 'keepsSealed'>,
  codec: Codec,
  event: RecordedEvent,
  cipher?: FieldCipher,
): ProjectedEvent<E> {
  return new DecodedOnce(projection, codec, event, cipher) as unknown as ProjectedEvent<E>;
}

class DecodedOnce implements ProjectedEvent {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  private decoded: unknown = undefined;

  constructor(
    private readonly projection: Pick<Projection<unknown>, 'keepsSealed'>,
    private readonly codec: Codec,
    private readonly event: RecordedEvent,
    private readonly cipher: FieldCipher | undefined,
  ) {
    this.id = event.id;
    this.type = event.type;
    this.stream = event.stream;
    this.revision = event.revision;
    this.position = event.position;
  }

  get data(): unknown {
    return (this.decoded ??= this.codec.decode(this.event, this.cipher ?? this.sealedAsStored()).data);
  }

  get metadata(): EventMetadata {
    return this.event.metadata;
  }

  private sealedAsStored(): FieldCipher | undefined {
    return this.projection.keepsSealed ? keepSealed(subjectOfStream(this.stream)?.subjectId ?? '') : undefined;
  }
}

const NAME = /^[a-z][a-z0-9_]{0,47}$/;

/** Declares a projection; refuses names that would have to be quoted in SQL. */
export function defineProjection<State, E extends DomainEvent>(projection: Projection<State, E>): Projection<State, E> {
  const { name, table, counts, views = [] } = projection;
  if (counts && projection.keyIsOfEvent) throw new TypeError(`${name} counts, so its states must be kept`);
  for (const word of [
    name,
    ...Object.keys(table.columns),
    ...Object.keys(counts?.cell ?? {}),
    ...(counts?.of ?? []),
    ...views.flatMap((view) => [view.name, ...Object.keys(view.columns)]),
  ])
    if (!NAME.test(word)) throw new TypeError(`not a plain SQL name: ${word}`);
  for (const [column, type] of Object.entries(table.columns))
    if (type.includes('[')) throw new TypeError(`${name}.${column}: lists are stored as jsonb`);
  for (const column of [table.keyColumn, ...table.primaryKey])
    if (!(column in table.columns)) throw new TypeError(`${name} has no column ${column}`);
  if (!table.primaryKey.includes(table.keyColumn))
    throw new TypeError(`the primary key of ${name} must hold ${table.keyColumn}`);
  return Object.freeze(projection);
}

/** Which of the tables of a projection is meant: its version, and how often that version was built anew. */
export interface Generation {
  version: number;
  rebuild: number;
}
