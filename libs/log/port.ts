import type { DomainEvent, Instant, Position } from '../kernel/index.js';

/** The revision of a stream that does not exist yet; the first event of a stream has revision 0. */
export const NO_STREAM = -1;

/** Facts about an event that are not part of what happened. */
export interface EventMetadata {
  /** Version of the event type's schema; upcasters start from here. */
  schemaVersion: number;
  /** `req_…` of the request that caused it; absent for what the service did by itself. */
  requestId?: string;
  /** `key_…` that was used, `operator:opt_…` by the token that was shown, or `system:<what>`. */
  actor: string;
  /** HMAC-SHA-256 of the idempotency key inside its scope, in hex. */
  idempotencyKey?: string;
  /** HMAC-SHA-256 over method, path and canonical body of the request, in hex. */
  fingerprint?: string;
  /** The key is one that the service made of what is done once: the index of keys holds no row of it. */
  ownKey?: true;
  /** Same for the batch that the request came in, where it did. */
  batch?: string;
  /**
   * Key and fingerprint of the whole request, where its events stand under other keys: those of the items of a batch, or
   * of a merge. On the first event of each append alone. `place`: which of the subjects that the request names the stream
   * is about, where that is not the first.
   */
  request?: { key: string; fingerprint: string; place?: number };
  /** The subjects that the reservation of the key names, where they are others than the one that the stream is about. */
  reservedFor?: readonly string[];
  recordedAt: Instant;
}

/** What is handed to the log: JSON in, already encrypted where personal. */
export interface NewEvent extends DomainEvent {
  /** UUID; derived from the idempotency key where there is one, so that a repeat is the same event. */
  id: string;
  metadata: EventMetadata;
}

/**
 * Stands for the data of an event that is stored as something else than JSON, which nobody who appends can do: a disk or
 * a hand has. The log still reads, and whoever decodes this event is told.
 */
export const NOT_JSON: unknown = Object.freeze({ toJSON: () => null });

/** An event of the log. `data` and `metadata` may be parsed anew on each access, and be missing from a spread copy (see UnparsedEvent). */
export interface RecordedEvent extends NewEvent {
  stream: string;
  revision: number;
  position: Position;
  /** That of the metadata, where the log can tell it without parsing them. */
  schemaVersion?: number;
}

export type AppendOutcome =
  /** Durable. `position` is that of the last event; `already` when the very same events were there before. */
  | { outcome: 'appended'; revision: number; position: Position; already: boolean }
  /** The stream is elsewhere: `revision` is where it stands now. Nothing was written. */
  | { outcome: 'conflict'; revision: number }
  /** The stream was tombstoned and takes nothing more. */
  | { outcome: 'deleted' };

export interface ReadStream {
  direction: 'forwards' | 'backwards';
  /** Inclusive. Default: the first event forwards, the last backwards. */
  from?: number;
  /** Most events answered, 1..1000. */
  limit: number;
  /** Of `performance.now()`: the caller is told LogUnavailable by then, or earlier where the log itself gives up earlier. */
  until?: number;
}

export interface SubscribeOptions {
  /** Exclusive: the last position that was dealt with, or BEGINNING. */
  after: Position;
  /** Stream name prefixes that are wanted; none means all. */
  prefixes: readonly string[];
  /**
   * Only the streams of this shard, from 0, of so many. Which stream belongs to which is for the adapter to say, by a
   * hash of its name; each belongs to exactly one, and always to the same.
   */
  shard?: {
    index: number;
    of: number;
    /**
     * Any object: subscriptions of shards that name the same one want the same streams in batches of the same size, and
     * go on at about the same pace. An adapter may read the log once for all of them.
     */
    group?: object;
  };
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
   * Called whenever the log was lost, before anything is delivered of the log that comes back: it may be another one.
   * At least once for each loss; it may be called where nothing was lost.
   */
  interrupted?: () => void;
}

export interface Subscription {
  /** Resolves when the running batch is done and nothing more will come. */
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

/** The log did not answer in time. It is slow, or hangs; nothing says that the way to it broke, so it is still the same one. */
export class LogTooSlow extends LogUnavailable {}

/**
 * The log answers, but is not the one that the service knows: it was restored from an older copy, or is another one.
 * Nothing is read or written until an operator has said which log is right. Nothing was written.
 */
export class LogNotAccepted extends LogUnavailable {
  /** `difference`: what is not as it was known, in words. */
  constructor(readonly difference: string) {
    super(`the event log is not the one that is known: ${difference}`, false);
    this.name = 'LogNotAccepted';
  }
}

/** Streams for which a rule stands, or stood, by which the log drops events of theirs. */
export interface Curtailed {
  streams: readonly { stream: string; stands: boolean }[];
  /** Whether all that the log holds was looked at; a look takes a bounded time. */
  isAll: boolean;
}

/**
 * The event log: append-only streams with one order over all of them. One contract suite (`log.contract.ts`)
 * states what every adapter does.
 */
export interface EventLog {
  /** Whether positions count events, one for each: only then does the distance of two positions say how many events it is. */
  readonly countsEvents: boolean;
  /**
   * Appends all or nothing, at exactly `expected` (NO_STREAM or a revision). Idempotent: where the stream has moved
   * on but holds these very event ids right after `expected`, the answer is that of the first time (`already`). An id is
   * given once, so the first and the last of them may stand for all.
   * Rejects with LogUnavailable; the caller then reads the stream to learn what became of it.
   * `conflict` is only answered when a read shows the events that the append met.
   * `until`, of `performance.now()`: the caller is told LogUnavailable by then; never later than after 1.5 s.
   * Limits: 1..1000 events and 1 MB together; more is a bug and throws RangeError.
   */
  append(stream: string, expected: number, events: readonly NewEvent[], until?: number): Promise<AppendOutcome>;
  /**
   * Events of one stream; empty where it does not exist, or was tombstoned. Sees every acknowledged append. The list
   * belongs to whoever asked, who may empty it.
   */
  read(stream: string, options: ReadStream): Promise<RecordedEvent[]>;
  /** Position of the last event of the log, BEGINNING when empty. */
  head(): Promise<Position>;
  /**
   * The event that stands at a position; null where none does. As `head` it does not wait in line with reads of streams:
   * it tells whether the log is the known one, which has to be answered also where many of those wait.
   */
  at(position: Position): Promise<RecordedEvent | null>;
  /**
   * How long ago the first event after a position was recorded, in ms, at least 0; null where there is none. Told by the
   * clock of the log where that can be asked, else by those of the log and of this machine together.
   */
  ageAfter(position: Position): Promise<number | null>;
  /** Catches up from `after`, then goes on live, reconnecting by itself from the last position it delivered. */
  subscribe(options: SubscribeOptions): Subscription;
  /** Absent where the log keeps every stream whole. */
  curtailed?(): Promise<Curtailed>;
  /** Ends a stream for ever and forgets its events (retention). Idempotent. */
  tombstone(stream: string): Promise<void>;
  close(): Promise<void>;
}
