import type { Stream } from '../../streams/stream.js';
import type { DomainEvent, Instant, Position, Refusal } from '../../kernel/index.js';
import type { Repeatable } from '../../commands/once.js';
import type { Caller } from '../../http/caller.js';
import type { Misshapen } from '../../http/contract/misshapen.js';
import type { BatchItemKept, BatchMode } from '../events.js';
import type { Standed } from '../standing.js';
import type { KeyedDecision, SubjectWriter, Written } from '../writer.js';

/** Injection token of the SubjectBatches. */
export const SUBJECT_BATCHES = Symbol('SubjectBatches');

/** Makes what records the batches of a context. */
export interface SubjectBatches {
  of<R extends BatchedRecord, S extends Standed, V extends RecordView>(kind: BatchKind<R, S, V>): SubjectBatch<R, S, V>;
}

/** One record of a batch, as its context takes it alone. */
export interface BatchedRecord {
  /** `<kind>:<value>` */
  subject: string;
}

/** What is shown of something recorded. */
export interface RecordView {
  subject: { id: string };
  /** Revision in the stream of the subject. */
  sequence: number;
  /** `rct_…` */
  receiptId: string;
}

/** A record as the log tells it, and where that holds it. */
export interface Recorded<V> {
  view: V;
  position: Position;
  /** Digest of the key of the batch that it came in. */
  batch: string | undefined;
}

/** As it is answered: with the capability to read its receipt. */
export type Answered<V> = V & { receiptToken: string };

/** What a context brings for batches of its records. */
export interface BatchKind<R extends BatchedRecord, S extends Standed, V extends RecordView> {
  /** Of the operation that takes one such record, `/v1/…`; a batch is sent to `<path>/batch`. Stands in fingerprints. */
  path: string;
  writer: SubjectWriter<S>;
  streams: Pick<Stream<S, DomainEvent>, 'at'>;
  /** What a record is fingerprinted over: without what may differ from one try to the next. */
  fingerprinted: (record: R) => unknown;
  /** The answer to a record that led to these events. */
  recordedIn: (written: Written) => Recorded<V>;
}

/** Up to 500 records of one kind, of one subject or of many, as they were sent. */
export interface BatchRequest<R extends BatchedRecord, S extends Standed> {
  caller: Caller;
  input: {
    records: readonly ((R & { idempotencyKey?: string }) | Misshapen)[];
    /** Default PARTIAL. */
    mode?: BatchMode;
    dryRun?: boolean;
  };
  idempotencyKey: string | null;
  /** What is decided about one record; or why it is refused, as far as that can be known without its subject. */
  decide: (record: R, at: Instant) => KeyedDecision<S>['decide'] | Promise<KeyedDecision<S>['decide']>;
}

export interface BatchAnswer<V> {
  object: 'batch_result';
  mode: BatchMode;
  summary: { total: number; recorded: number; replayed: number; rejected: number };
  results: {
    index: number;
    status: BatchItemKept['status'];
    record?: Answered<V>;
    error?: Omit<Refusal, 'refused' | 'retryAfterSeconds'>;
  }[];
}

/**
 * Records batches. The records of one subject are appended together or not at all. A batch that was cut off goes on item
 * by item when it is sent again under its key, and one that was answered gives the first answer. Throws Refused where it
 * is refused as a whole; rejects where the log or the database cannot be reached.
 */
export interface SubjectBatch<R extends BatchedRecord, S extends Standed, V extends RecordView> {
  record(request: BatchRequest<R, S>): Promise<Repeatable<BatchAnswer<V>>>;
}
