import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { RECORD_QUOTA, type RecordQuota } from '../../access/index.js';
import { CATALOGUE, termsOf, type Catalogue, type Terms } from '../../catalogue/index.js';
import {
  type Position,
  CLOCK,
  isRefusal,
  newId,
  parseInstant,
  subjectStream,
  uuidV5,
  epochMs,
  type Clock,
  type DomainEvent,
  type Instant,
  type Reference,
  type Refusal,
  type Scope,
} from '../../kernel/index.js';
import type { Attempt, Happened, Intent, Loaded, Stream } from '../../event-log/stream.js';
import { provenanceOf, type Caller } from '../../platform/http/caller.js';
import { keyReused } from '../../platform/idempotency/reservations.js';
import { idBytes } from '../../platform/id-bytes.js';
import { TAG_CACHE, type TagCache } from '../../platform/cache/tag-cache.js';
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
import { checkRecord, recordConsent, type RecordConsent } from '../decide.js';
import type { ConsentEvent, ConsentRecordedData } from '../events.js';
import { consentRefusals } from '../refusals.js';
import { CONSENT_STREAMS, evolveConsent, type ConsentState, type FoldedByConsent } from '../state.js';
import { recordView, type ConsentRecordView } from '../view.js';
import type { RecordConsentDto } from './dto.js';

/** A request to record, found in order: everything that can be refused without looking at the subject was looked at. */
export interface PreparedRecord {
  command: RecordConsent;
  terms: Terms;
  at: Instant;
}

/** The idempotency key of one record. */
export interface RecordKey {
  digest: string;
  fingerprint: string;
  /** False where the key was seen before and nobody may record under it now: only the first answer will do. */
  mayRecord: boolean;
}

export interface RecordItem extends PreparedRecord {
  key: RecordKey | null;
}

export type RecordOutcome =
  | { kind: 'recorded' | 'replayed'; view: ConsentRecordView; position: Position; batch: string | undefined }
  /** The key was seen, but its record does not stand in the stream: whoever used it is not done. */
  | { kind: 'running' }
  | Refusal;

/** Who asked, for the metadata of the events. */
export interface Cause {
  caller: Caller;
  requestId: string;
  batch?: string;
}

/** Turns requests into events on subject streams: the write path of consent, for one record as for five hundred. */
@Injectable()
export class ConsentRecorder {
  constructor(
    @Inject(CONSENT_STREAMS) private readonly streams: Stream<ConsentState, FoldedByConsent>,
    private readonly vault: Vault,
    @Inject(SUBJECTS) private readonly subjects: Subjects,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(TAG_CACHE) private readonly tags: TagCache,
    @Inject(RECORD_QUOTA) private readonly quota: RecordQuota,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Everything about a request that can be refused before any subject is looked up or made. */
  prepare(caller: Caller, input: RecordConsentDto, gpcHeader: boolean): PreparedRecord | Refusal {
    const at = this.clock();
    const locales = input.collection?.locale ? [input.collection.locale] : [];
    const terms = termsOf(this.catalogue.of(caller), input.purpose, input.purposeVersion, locales, at);
    if ('unknown' in terms)
      return terms.unknown === 'purpose' ? consentRefusals.purposeUnknown() : consentRefusals.purposeVersionUnknown();
    const { subject, purposeVersion: _, givenAt, expiresAt, source = 'API', ...rest } = input;
    const command: RecordConsent = {
      ...rest,
      recordId: newId('rec', epochMs(at), idBytes),
      source,
      ...(givenAt !== undefined && { givenAt: parseInstant(givenAt)! }),
      ...(expiresAt !== undefined && { expiresAt: parseInstant(expiresAt)! }),
      ...(caller.kind === 'pk' &&
        gpcHeader &&
        input.signals?.gpc === undefined && { signals: { ...input.signals, gpc: true } }),
      provenance: provenanceOf(caller, subject),
    };
    return checkRecord(command, terms, at) ?? { command, terms, at };
  }

  /**
   * Records all items on one subject in one append. One outcome for each item, in their order; a Refusal of the whole
   * where the subject itself is refused. Rejects where the log or the vault cannot be reached.
   */
  async record(
    scope: Scope,
    reference: Reference,
    items: readonly RecordItem[],
    cause: Cause,
  ): Promise<RecordOutcome[] | Refusal> {
    const subject = await this.vault.findOrCreate(scope, reference, epochMs(items[0]!.at));
    if (!subject) return this.nobody(scope, reference);
    const outcomes = await this.recordOn(scope, subject, reference, items, cause);
    if (isRefusal(outcomes)) return outcomes;
    const late = outcomes.flatMap((outcome, place) => (outcome === CLOSED ? [place] : []));
    if (late.length === 0) return outcomes as RecordOutcome[];
    const there = await this.recordWhereItIs(
      scope,
      subject.subjectId,
      reference,
      late.map((place) => items[place]!),
      cause,
    );
    if (isRefusal(there)) return there;
    return outcomes.map((outcome, place) => (outcome === CLOSED ? there[late.indexOf(place)]! : outcome));
  }

  /** The stream that the reference led to is closed: its subject was merged into another one, or erased. */
  private async recordWhereItIs(
    scope: Scope,
    closedId: string,
    reference: Reference,
    items: readonly RecordItem[],
    cause: Cause,
  ): Promise<RecordOutcome[] | Refusal> {
    const { subjectId, erased } = await this.subjects.settle(scope, closedId);
    if (erased) {
      if (reference.kind === 'subject') return subjectRefusals.erased();
      this.vault.forget(scope, reference);
      return this.record(scope, reference, items, cause);
    }
    const outcomes = await this.recordOn(
      scope,
      { subjectId, identifierId: '', created: false },
      reference,
      items,
      cause,
    );
    if (isRefusal(outcomes) || !outcomes.includes(CLOSED)) return outcomes as RecordOutcome[] | Refusal;
    return this.recordWhereItIs(scope, subjectId, reference, items, cause);
  }

  private async nobody(scope: Scope, reference: Reference): Promise<Refusal> {
    const { state } = await this.streams.load(subjectStream(scope, reference.value));
    return standingOf(state).erasedAt === null ? subjectRefusals.notFound() : subjectRefusals.erased();
  }

  private async recordOn(
    scope: Scope,
    { subjectId, identifierId, created }: ResolvedSubject,
    reference: Reference,
    items: readonly RecordItem[],
    cause: Cause,
  ): Promise<(RecordOutcome | typeof CLOSED)[] | Refusal> {
    const stream = subjectStream(scope, subjectId);
    const [cipher, room] = await Promise.all([
      this.vault.cipherOf(subjectId),
      this.quota.roomFor(cause.caller, subjectId, items.length, items[0]!.at),
    ]);
    const attempt = (loaded: Loaded<ConsentState>): Attempt<(RecordOutcome | typeof CLOSED)[]> => {
      const plans = decideAll(items, loaded, room.refused);
      const first = loaded.revision === -1 ? firstSight(subjectId, identifierId, reference, items[0]!.at) : [];
      const events = plans.flatMap((plan) => (plan.kind === 'append' ? [plan] : []));
      const append = events.length === 0 ? [] : intents(first, events, cause);
      return {
        append,
        answer: (appended) => this.answer(stream, subjectId, plans, appended.slice(first.length), loaded, cipher),
      };
    };
    const outcomes = await this.streams.execute(stream, cipher, attempt, { isNew: created });
    this.tags.drop([subjectId]);
    room.used(isRefusal(outcomes) ? 0 : outcomes.filter(isRecorded).length);
    return outcomes;
  }

  /** False for the id of a subject that was never given out; every other reference finds a subject or makes one. */
  async mayBeSubject(scope: Scope, reference: Reference): Promise<boolean> {
    return reference.kind !== 'subject' || (await this.vault.find(scope, reference)) !== null;
  }

  /** The first answer to this key, where the streams hold it; `running` where they do not (yet). */
  async replay(scope: Scope, reference: Reference, key: Omit<RecordKey, 'mayRecord'>): Promise<RecordOutcome> {
    const subject = await this.vault.find(scope, reference);
    const first =
      subject &&
      (await seek(subject.subjectId, async (subjectId) => {
        const stream = subjectStream(scope, subjectId);
        const { keys, state } = await this.streams.load(stream);
        const kept = keys.get(key.digest);
        return {
          state,
          found: kept
            ? outcomeOf(
                'replayed',
                subjectId,
                await this.streams.at(stream, kept.revisions, await this.vault.cipherOf(subjectId)),
              )
            : null,
        };
      }));
    return first ?? { kind: 'running' };
  }

  /** The records at these revisions, for the answer to a batch that was answered before. */
  async recordsAt(scope: Scope, subjectId: string, revisions: readonly number[]): Promise<Map<number, RecordOutcome>> {
    const stored = await this.streams.at(
      subjectStream(scope, subjectId),
      revisions,
      await this.vault.cipherOf(subjectId),
    );
    return new Map(stored.map((event) => [event.revision, outcomeOf('recorded', subjectId, [event])]));
  }

  private async answer(
    stream: string,
    subjectId: string,
    plans: readonly Plan[],
    appended: readonly Happened<DomainEvent>[],
    loaded: Loaded<ConsentState>,
    cipher: Awaited<ReturnType<Vault['cipherOf']>>,
  ): Promise<(RecordOutcome | typeof CLOSED)[]> {
    const replayed = plans.flatMap((plan) =>
      plan.kind === 'replay' ? (loaded.keys.get(plan.digest)?.revisions ?? []) : [],
    );
    const stored = new Map(
      (replayed.length > 0 ? await this.streams.at(stream, replayed, cipher) : []).map((event) => [
        event.revision,
        event,
      ]),
    );
    let next = 0;
    return plans.map((plan): RecordOutcome | typeof CLOSED => {
      switch (plan.kind) {
        case 'append':
          return outcomeOf('recorded', subjectId, [appended[next++]!]);
        case 'replay':
          return outcomeOf(
            'replayed',
            subjectId,
            loaded.keys.get(plan.digest)!.revisions.map((revision) => stored.get(revision)!),
          );
        case 'running':
          return { kind: 'running' };
        case 'refused':
          return plan.refusal;
        case 'closed':
          return CLOSED;
      }
    });
  }
}

type Plan =
  | { kind: 'append'; event: ConsentEvent; item: RecordItem }
  | { kind: 'replay'; digest: string }
  | { kind: 'running' }
  | { kind: 'closed' }
  | { kind: 'refused'; refusal: Refusal };

/** Of an item whose stream takes nothing more: it belongs somewhere else. */
const CLOSED = Symbol('closed');

const isRecorded = (outcome: RecordOutcome | typeof CLOSED): boolean =>
  outcome !== CLOSED && !isRefusal(outcome) && outcome.kind === 'recorded';

/**
 * Items of one subject are decided in their order, each on the state the one before left. `noRoom` is the answer to all
 * that would be added, where the subject takes no more today.
 */
function decideAll(items: readonly RecordItem[], loaded: Loaded<ConsentState>, noRoom: Refusal | null): Plan[] {
  let state = loaded.state;
  return items.map((item): Plan => {
    const kept = item.key && loaded.keys.get(item.key.digest);
    if (kept)
      return kept.fingerprint === item.key!.fingerprint
        ? { kind: 'replay', digest: item.key!.digest }
        : { kind: 'refused', refusal: keyReused() };
    if (isClosed(loaded.state)) return { kind: 'closed' };
    if (item.key && !item.key.mayRecord) return { kind: 'running' };
    const decided = recordConsent(item.command, item.terms, state, item.at);
    if (isRefusal(decided)) return { kind: 'refused', refusal: decided };
    if (noRoom) return { kind: 'refused', refusal: noRoom };
    const event = decided.events[0]!;
    state = evolveConsent(state, event);
    return { kind: 'append', event, item };
  });
}

/** Ids follow from the idempotency key, so that repeating an append whose outcome is unknown is the same append. */
function intents(
  first: readonly DomainEvent[],
  plans: readonly { event: ConsentEvent; item: RecordItem }[],
  cause: Cause,
): Intent[] {
  const lead = plans[0]!;
  const id = (key: RecordKey | null, name: string): string => (key ? uuidV5(`${key.digest}/${name}`) : randomUUID());
  return [
    ...first.map((event) => ({
      event,
      id: id(lead.item.key, event.type),
      metadata: metadata(cause, lead.item.at, null),
    })),
    ...plans.map(({ event, item }) => ({
      event,
      id: id(item.key, 'record'),
      metadata: metadata(cause, item.at, item.key),
    })),
  ];
}

function metadata(cause: Cause, recordedAt: Instant, key: RecordKey | null): Intent['metadata'] {
  return {
    requestId: cause.requestId,
    actor: cause.caller.keyId ?? cause.caller.kind,
    ...(key && { idempotencyKey: key.digest, fingerprint: key.fingerprint }),
    ...(cause.batch !== undefined && { batch: cause.batch }),
    recordedAt,
  };
}

function outcomeOf(
  kind: 'recorded' | 'replayed',
  subjectId: string,
  events: readonly Happened<DomainEvent>[],
): RecordOutcome {
  const event = events.find(({ type }) => type === 'ConsentRecorded');
  if (!event) return { kind: 'running' };
  return {
    kind,
    view: recordView(subjectId, event.revision, event.data as ConsentRecordedData),
    position: event.position,
    batch: event.metadata.batch,
  };
}
