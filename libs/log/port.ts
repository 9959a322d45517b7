import type { DomainEvent, Instant, Position } from '../kernel/index.js';

/** The revision of a stream that does not exist yet; the first event of a stream has revision 0. */
export const NO_STREAM = -1;

/** Facts about an event that are not part of what happened. */
export interface EventMetadata {
  /** Version of the event type's schema; upcasters start from here. */
  schemaVersion: number;
  /** `req_…` of the request that caused it; absent where the service acted by itself. */
  requestId?: string;
  /** `ses_…` of an operator who was signed in in a browser; absent of all others. */
  session?: string;
  /** Who acted: a key (`key_…`), an operator's token (`operator:opt_…`), or the service (`system:<part>`). */
  actor: string;
  /** HMAC-SHA-256 of the idempotency key inside its scope, in hex. */
  idempotencyKey?: string;
  /** HMAC-SHA-256 over method, path and canonical body of the request, in hex. */
  fingerprint?: string;
  /** The service derived the key from work that is done once: the index of keys has no row of it. */
  ownKey?: true;
  /** Same for the batch that the request came in, where it did. */
  batch?: string;
  /**
   * Key and fingerprint of the whole request, where its events have other keys: those of the items of a batch, or of a
   * merge. Only on the first event of each append. `place`: index of this stream's subject among those that the request
   * names; absent for the first.
   */
  request?: { key: string; fingerprint: string; place?: number };
  /** The subjects that the reservation of the key names; absent where that is the stream's own subject. */
  reservedFor?: readonly string[];
  recordedAt: Instant;
}

/** An event to append: JSON, with personal fields already encrypted. */
export interface NewEvent extends DomainEvent {
  /** UUID; derived from the idempotency key where there is one, so that a repeat is the same event. */
  id: string;
  metadata: EventMetadata;
}

/**
 * Stands for the data of an event whose stored text is not JSON. No append writes that: a disk or a person changed it.
 * Reading the log still works; the codec refuses the event.
 */
export const NOT_JSON: unknown = Object.freeze({ toJSON: () => null });

/** An event of the log. Each access to `data` or `metadata` may parse anew; a spread copy may lack both (see UnparsedEvent). */
export interface RecordedEvent extends NewEvent {
  stream: string;
  revision: number;
  position: Position;
  /** The schema version of the metadata, where the log knows it without parsing them. */
  schemaVersion?: number;
}

export type AppendOutcome =
  /** Durable. `position` is that of the last event; `already` when the very same events were there before. */
  | { outcome: 'appended'; revision: number; position: Position; already: boolean }
  /** The stream is not at `expected`: `revision` is its current one. Nothing was written. */
  | { outcome: 'conflict'; revision: number }
  /** The stream was tombstoned and takes nothing more. */
  | { outcome: 'deleted' };

export interface ReadStream {
  direction: 'forwards' | 'backwards';
  /** Inclusive. Default: the first event forwards, the last backwards. */
  from?: number;
  /** Most events answered, 1..1000. */
  limit: number;
  /** Of `performance.now()`: the read rejects with LogUnavailable by then, or when the log itself gives up earlier. */
  until?: number;
}

export interface SubscribeOptions {
  /** Exclusive: the last position that was handled, or BEGINNING. */
  after: Position;
  /** Stream name prefixes that are wanted; none means all. */
  prefixes: readonly string[];
  /** Most events in one batch, default 1000. */
  batchSize?: number;
  /**
   * Called with events in log order, one call at a time: the next batch waits for the promise (back-pressure).
   * `through` is the position up to which everything wanted has been seen, at least that of the last event; a call
   * with no events only moves it forward. A rejection ends the subscription, which then reports it by `failed`.
   */
  onBatch: (events: RecordedEvent[], through: Position) => Promise<void>;
  /** Called once when the handler rejected. Lost connections do not come here: the adapter reconnects by itself. */
  failed?: (error: unknown) => void;
  /**
   * Called at least once for each loss of the log, before an event of the log that comes back is delivered: it may be
   * another log. May be called without a loss.
   */
  interrupted?: () => void;
}

export interface Subscription {
  /** Resolves when the running batch is done and no other will come. */
  stop(): Promise<void>;
}

/** The log cannot be reached or did not answer in time; whether an append took effect is not known. */
export class LogUnavailable extends Error {
  constructor(
    message: string,
    readonly outcomeUnknown: boolean,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'LogUnavailable';
  }
}

/** The log did not answer in time: it is slow, or hangs. The connection did not break, so it is still the same log. */
export class LogTooSlow extends LogUnavailable {}

/**
 * The log answers, but is not the one that the service knows: it was restored from an older copy, or is another log. The
 * call did nothing. The service reads and writes nothing until an operator has accepted a log.
 */
export class LogNotAccepted extends LogUnavailable {
  /** @param difference how the log differs from the known one, in words */
  constructor(readonly difference: string) {
    super(`the event log is not the one that is known: ${difference}`, false);
    this.name = 'LogNotAccepted';
  }
}

/** Streams with a rule, now or earlier, that makes the log drop their events. */
export interface Curtailed {
  streams: readonly { stream: string; stands: boolean }[];
  /** Whether the whole log was scanned; the time of a scan is bounded. */
  isAll: boolean;
}

/**
 * The event log: append-only streams with one order over all of them. One contract suite (`log.contract.ts`)
 * states what every adapter does.
 */
export interface EventLog {
  /** Whether positions count events. Only then is the distance of two positions a number of events. */
  readonly countsEvents: boolean;
  /**
   * Appends all or nothing, at exactly `expected` (NO_STREAM or a revision). Idempotent: where the stream holds these very
   * event ids right after `expected` already, it answers as the first time, with `already`. An id is given once, so an
   * adapter may compare the first and the last id only.
   * Rejects with LogUnavailable; the caller then reads the stream to learn the outcome.
   * Answers `conflict` only once a read shows the events that stand in the way.
   * `until`, of `performance.now()`: rejects with LogUnavailable by then, and never later than after 1.5 s.
   * Limits: 1..1000 events and 1 MB together; more is a bug and throws RangeError.
   */
  append(stream: string, expected: number, events: readonly NewEvent[], until?: number): Promise<AppendOutcome>;
  /**
   * Events of one stream; empty where it does not exist, or was tombstoned. Sees every acknowledged append. The caller
   * owns the list, and may empty it.
   */
  read(stream: string, options: ReadStream): Promise<RecordedEvent[]>;
  /** Position of the last event of the log, BEGINNING when empty. */
  head(): Promise<Position>;
  /**
   * The event at a position; null where there is none. Like `head` it does not wait in line with reads of streams: the
   * service needs it to recognise the log, also while many reads wait.
   */
  at(position: Position): Promise<RecordedEvent | null>;
  /**
   * The events that stand at these positions, in the order of the log, in few round trips; where none stands, none is
   * answered. Positions in any order, at most 1000; more throw RangeError.
   */
  readAt(positions: readonly Position[]): Promise<RecordedEvent[]>;
  /**
   * How long ago the first event after a position was recorded, in ms, at least 0; null where there is none. By the clock
   * of the log where it can be asked, else by the difference to this machine's clock.
   */
  ageAfter(position: Position): Promise<number | null>;
  /** Catches up from `after`, then goes on live, reconnecting by itself from the last position it delivered. */
  subscribe(options: SubscribeOptions): Subscription;
  /**
   * A caller waits for what was appended a moment ago: subscriptions of this process that rest between two looks look
   * soon. Absent where subscriptions never rest.
   */
  hurry?(): void;
  /** Absent where the log keeps every stream whole. */
  curtailed?(): Promise<Curtailed>;
  /** Ends a stream for ever and forgets its events (retention). Idempotent. */
  tombstone(stream: string): Promise<void>;
  close(): Promise<void>;
}
