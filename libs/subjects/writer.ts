import type { Happened, Stream } from '../streams/stream.js';
import type { Decision, DomainEvent, FieldCipher, Instant, Reference, Refusal, Scope } from '../kernel/index.js';
import type { TagCache } from '../engines/cache/tag-cache.js';
import type { Caller } from '../http/caller.js';
import type { Done, Hold, OncePart, Repeatable } from '../commands/once.js';
import { byCaller } from '../commands/commands.js';
import type { EventCause } from '../commands/event-metadata.js';
import type { RequestKey } from '../commands/reservations.js';
import type { Newcomer } from '../vault/vault.js';
import type { Standed } from './standing.js';

/** Injection token of the SubjectWriters. */
export const SUBJECT_WRITERS = Symbol('SubjectWriters');
/** Injection token of the SubjectWriter on everything that any context folds of a subject: a `SubjectWriter<WholeState>`. */
export const WHOLE_WRITER = Symbol('WholeWriter');

/** Makes the writer of a context. */
export interface SubjectWriters {
  of<S extends Standed>(context: WritingContext<S>): SubjectWriter<S>;
}

/** What a context brings: its streams, its fold, and the ETags that a write makes outdated. */
export interface WritingContext<S extends Standed> {
  streams: Pick<Stream<S, DomainEvent>, 'load' | 'execute' | 'at'>;
  evolve(state: S, event: DomainEvent): S;
  tags: Pick<TagCache, 'drop'>;
}

/** Whom a command is about. */
export interface Target {
  scope: Scope;
  reference: Reference;
  /**
   * Absent: a reference that is new makes its subject; only an id (`subject:`) must be known. Otherwise the reference
   * must be known, and this is where it stood in the request.
   */
  mustBeKnown?: string;
  /**
   * The subject that the reference named when the command was prepared. Where that one was erased since, the command is
   * refused and makes no new subject: what was prepared belongs to the erased one.
   */
  mustStillBe?: string;
  /** Set where the command is part of a request that has reserved its key for this subject among others. */
  part?: { named: NamedSubject; hold: Hold };
}

/** The subject that a reference names before any merge is followed, or the id that it will get. */
export interface NamedSubject {
  subjectId: string;
  isNew: boolean;
  /** Set where the reference has not been looked up: the subject is found or made together with the reservation that names it. */
  newcomer?: Newcomer;
}

/** A key that may have been used before. */
export interface SoughtKey extends Pick<KeyedDecision<never>, 'coveredBy' | 'usedSince'> {
  digest: string;
}

/** One decision about the subject. */
export interface KeyedDecision<S> {
  key: RequestKey | null;
  /** Default ROW. */
  claim?: OncePart['claim'];
  /** Where its key has no reservation of its own: the digest of the one that covers it. */
  coveredBy?: string;
  /** Where nothing covers it: the earliest moment at which it can have been used. */
  usedSince?: Instant;
  /**
   * Pure, called again where the state has changed; the cipher opens what the state keeps sealed. A Refusal where no state
   * was needed to decide.
   */
  decide: ((state: S, subjectId: string, cipher: FieldCipher) => Decision<DomainEvent>) | Refusal;
  /** Ids of the events, where they follow from something else than the key: a repeat is then the same append. */
  idOf?: (event: DomainEvent, index: number) => string;
}

/** Who asked and when, for the metadata of the events. Each decision has a key of its own. */
export interface Cause extends Omit<EventCause, 'key'> {
  /** Whose records of the day are counted; absent for what the service does by itself, and for links. */
  countedFor?: Caller;
}

export const causeOf = (caller: Caller, at: Instant): Cause => ({ ...byCaller(caller), at });

export interface Written {
  /** The subject that it stands on: the one that a merge led to. */
  subjectId: string;
  /** As they stand in the log, the subject's first events not among them. Empty where there was nothing to write. */
  events: readonly Happened<DomainEvent>[];
}

/**
 * What every command on a subject does, whatever it decides: find the subject of a reference, go on where merges and
 * erasures lead, do it once under its key, decide on the newest state, append, and drop outdated ETags. All of it
 * rejects where the log or the database cannot be reached.
 */
export interface SubjectWriter<S extends Standed> {
  /** Carries one decision out. */
  write(target: Target, decision: KeyedDecision<S>, cause: Cause): Promise<Repeatable<Written> | Refusal>;
  /** Carries out several on one subject in one append, each on the state that the one before left. Outcomes in their order. */
  writeAll(
    target: Target,
    decisions: readonly KeyedDecision<S>[],
    cause: Cause,
  ): Promise<(Repeatable<Written> | Refusal)[]>;
  /** What was written under a key, wherever merges led it; null where nothing was (yet). */
  written(target: Target, digest: string): Promise<Done<Written> | Refusal | null>;
  /** The same under each of these keys. */
  writtenAll(target: Target, sought: readonly SoughtKey[]): Promise<(Done<Written> | Refusal | null)[]>;
  /** Whom a reservation is to name for this target. */
  nameOf(target: Target, at: Instant): Promise<NamedSubject>;
  /**
   * The same for a reservation that names this one alone, and that is handed the newcomer: the subject is looked for and
   * made in the statement that reserves the key.
   */
  nameToMeet(target: Target, at: Instant): NamedSubject | Promise<NamedSubject>;
  /** The newest state of the subject that a reference leads to, merges followed. Null where it is unknown or erased. */
  find(scope: Scope, reference: Reference): Promise<{ subjectId: string; state: S } | null>;
}
