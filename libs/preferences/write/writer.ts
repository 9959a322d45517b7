import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { RECORD_QUOTA, type RecordQuota } from '../../access/index.js';
import type { Attempt, Happened, Intent, Loaded, Stream } from '../../event-log/stream.js';
import {
  CLOCK,
  epochMs,
  isRefusal,
  subjectStream,
  uuidV5,
  type Clock,
  type Decision,
  type DomainEvent,
  type Instant,
  type Reference,
  type Refusal,
  type Scope,
} from '../../kernel/index.js';
import type { TagCache } from '../../platform/cache/tag-cache.js';
import type { Caller } from '../../platform/http/caller.js';
import { keyReused } from '../../platform/idempotency/reservations.js';
import { Vault, type ResolvedSubject } from '../../platform/vault/vault.js';
import {
  firstSight,
  isClosed,
  seek,
  standingOf,
  SUBJECTS,
  subjectRefusals,
  type Subjects,
} from '../../subjects/index.js';
import { PREFERENCE_STREAMS, type FoldedByPreferences, type PreferenceState } from '../state.js';
import { PREFERENCE_TAGS } from '../streams.module.js';

/** Merges and erasures that a write runs into while it is on its way. */
const MOST_MOVES = 10;

/** Who asked, for the metadata of the events. */
export interface Cause {
  /** Absent for what the service does by itself. */
  requestId?: string;
  /** `key_…` that was used, or `system:<what>`. */
  actor: string;
  /** Whose records are counted; absent for what the service does by itself, and for links. */
  caller?: Caller;
  at: Instant;
  /** The idempotency key: under it at most one write stands in the streams. */
  key?: { digest: string; fingerprint: string } | null;
  /** Ids of the events, where they follow from something else than the key: a repeat is then the same append. */
  idOf?: (event: DomainEvent, index: number) => string;
}

export interface Written {
  /** The subject that it was written on: the one that a merge led to. */
  subjectId: string;
  /** As they stand in the log; empty where there was nothing to write. Under a key that was used before, those of then. */
  events: Happened<DomainEvent>[];
}

/** Turns decisions about preferences into events on subject streams, wherever merges have led a subject meanwhile. */
@Injectable()
export class PreferenceWriter {
  constructor(
    @Inject(PREFERENCE_STREAMS) private readonly streams: Stream<PreferenceState, FoldedByPreferences>,
    private readonly vault: Vault,
    @Inject(SUBJECTS) private readonly subjects: Subjects,
    @Inject(PREFERENCE_TAGS) private readonly tags: TagCache,
    @Inject(RECORD_QUOTA) private readonly quota: RecordQuota,
    @Inject(CLOCK) readonly clock: Clock,
  ) {}

  /**
   * Appends what is decided on the newest state of the subject that a reference names. A reference that is new makes its
   * subject; an id (`subject:`) that names nobody is refused, or that of somebody erased. `decide` is pure and may be
   * called again. Rejects where the log or the vault cannot be reached.
   */
  async write(
    scope: Scope,
    reference: Reference,
    decide: (state: PreferenceState, subjectId: string) => Decision<DomainEvent>,
    cause: Cause,
  ): Promise<Written | Refusal> {
    let next = await this.vault.findOrCreate(scope, reference, epochMs(cause.at));
    for (let moves = 0; moves < MOST_MOVES; moves++) {
      if (!next) return this.nobody(scope, reference);
      const written = await this.writeOn(scope, next, reference, decide, cause);
      if (written !== CLOSED) return written;
      const { subjectId, erased }: { subjectId: string; erased: boolean } = await this.subjects.settle(
        scope,
        next.subjectId,
      );
      if (!erased) next = { subjectId, identifierId: '', created: false };
      else if (reference.kind === 'subject') return subjectRefusals.erased();
      else {
        this.vault.forget(scope, reference);
        next = await this.vault.findOrCreate(scope, reference, epochMs(cause.at));
      }
    }
    return subjectRefusals.contended();
  }

  /** What was written under a key, wherever it was written then; null where nothing was (yet). */
  async written(scope: Scope, reference: Reference, digest: string): Promise<Written | null> {
    const subject = await this.vault.find(scope, reference);
    return (
      subject &&
      seek(subject.subjectId, async (subjectId) => {
        const loaded = await this.streams.load(subjectStream(scope, subjectId));
        return { state: loaded.state, found: await this.kept(scope, subjectId, loaded, digest) };
      })
    );
  }

  /** The newest state of the subject that a reference leads to, merges followed; null for nobody, and for whom was erased. */
  async find(scope: Scope, reference: Reference): Promise<{ subjectId: string; state: PreferenceState } | null> {
    const subject = await this.vault.find(scope, reference);
    if (!subject) return null;
    for (let { subjectId } = subject, moves = 0; moves < MOST_MOVES; moves++) {
      const { state } = await this.streams.load(subjectStream(scope, subjectId));
      if (!isClosed(state)) return { subjectId, state };
      const settled = await this.subjects.settle(scope, subjectId);
      if (settled.erased) break;
      subjectId = settled.subjectId;
    }
    return null;
  }

  private async nobody(scope: Scope, reference: Reference): Promise<Refusal> {
    const { state } = await this.streams.load(subjectStream(scope, reference.value));
    return standingOf(state).erasedAt === null ? subjectRefusals.notFound() : subjectRefusals.erased();
  }

  private async writeOn(
    scope: Scope,
    { subjectId, identifierId, created }: ResolvedSubject,
    reference: Reference,
    decide: (state: PreferenceState, subjectId: string) => Decision<DomainEvent>,
    cause: Cause,
  ): Promise<Written | typeof CLOSED | Refusal> {
    const stream = subjectStream(scope, subjectId);
    const [cipher, room] = await Promise.all([
      this.vault.cipherOf(subjectId),
      cause.caller ? this.quota.roomFor(cause.caller, subjectId, 1, cause.at) : null,
    ]);
    let added = 0;
    const attempt = (loaded: Loaded<PreferenceState>): Attempt<Written | typeof CLOSED> | Refusal => {
      const kept = cause.key && loaded.keys.get(cause.key.digest);
      if (kept)
        return kept.fingerprint === cause.key!.fingerprint
          ? { append: [], answer: async () => (await this.kept(scope, subjectId, loaded, cause.key!.digest))! }
          : keyReused();
      if (isClosed(loaded.state)) return { append: [], answer: () => CLOSED };
      const decided = decide(loaded.state, subjectId);
      if (isRefusal(decided)) return decided;
      if (room?.refused && decided.events.length > 0) return room.refused;
      const first =
        loaded.revision === -1 && decided.events.length > 0
          ? firstSight(subjectId, identifierId, reference, cause.at)
          : [];
      return {
        append: intents(first, decided.events, cause),
        answer: (appended) => {
          if (appended.length > 0) added = 1;
          return { subjectId, events: appended.slice(first.length) };
        },
      };
    };
    const written = await this.streams.execute(stream, cipher, attempt, { isNew: created });
    this.tags.drop([subjectId]);
    room?.used(added);
    return written;
  }

  private async kept(
    scope: Scope,
    subjectId: string,
    { keys }: Loaded<PreferenceState>,
    digest: string,
  ): Promise<Written | null> {
    const kept = keys.get(digest);
    return kept
      ? {
          subjectId,
          events: await this.streams.at(
            subjectStream(scope, subjectId),
            kept.revisions,
            await this.vault.cipherOf(subjectId),
          ),
        }
      : null;
  }
}

/** Of a stream that takes nothing more: its subject was merged into another one, or erased. */
const CLOSED = Symbol('closed');

/** Ids follow from the idempotency key, so that repeating an append whose outcome is unknown is the same append. */
function intents(
  first: readonly DomainEvent[],
  events: readonly DomainEvent[],
  { requestId, actor, at, key, idOf }: Cause,
): Intent[] {
  const named = (name: string): string => (key ? uuidV5(`${key.digest}/${name}`) : randomUUID());
  const metadata = { ...(requestId !== undefined && { requestId }), actor, recordedAt: at };
  return [
    ...first.map((event) => ({ event, id: named(event.type), metadata })),
    ...events.map((event, i) => ({
      event,
      id: idOf?.(event, i) ?? named(`preferences/${i}`),
      metadata: { ...metadata, ...(key && { idempotencyKey: key.digest, fingerprint: key.fingerprint }) },
    })),
  ];
}
