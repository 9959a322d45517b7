import { Inject, Injectable } from '@nestjs/common';
import { Codec } from '../../streams/codec.js';
import type { EventLog } from '../../log/port.js';
import { Stream } from '../../streams/stream.js';
import { EVENT_LOG } from '../../log/tokens.js';
import {
  CanonicalText,
  CLOCK,
  isRefusal,
  type Clock,
  type Instant,
  type Position,
  type Refusal,
  type Scope,
} from '../../kernel/index.js';
import { AT_ONCE } from '../../http/caller-cap.js';
import { Misshapen } from '../../http/contract/misshapen.js';
import { answered, goneWithSubject, once, type Done, type Hold, type Repeatable } from '../../commands/once.js';
import { keyScopeOf } from '../../commands/key-scope.js';
import { IdempotencyReservations, keyReused, type RequestKey, type SeenBefore } from '../../commands/reservations.js';
import { PacedCalls } from '../../engines/paced-calls.js';
import { Vault } from '../../vault/vault.js';
import { RECEIPT_TOKENS, type ReceiptTokens } from '../../receipts/index.js';
import type {
  BatchAnswer,
  BatchedRecord,
  BatchKind,
  BatchRequest,
  RecordView,
  SubjectBatch,
  SubjectBatches,
} from './batch.js';
import type { BatchMode } from '../events.js';
import { subjectRefusals } from '../refusals.js';
import type { Standed } from '../standing.js';
import { causeOf, type KeyedDecision, type NamedSubject, type Target, type Written } from '../writer.js';
import { BATCH_FOLD, BatchAnswers, readEach, type ItemResult, type KeptAnswers } from './batch-answers.js';
import { bySubject, itemsOf, rejected, type BatchItem } from './batch-items.js';

/**
 * Subjects of one batch written at the same time: they share few statements, and leave room for others in each. A batch of
 * a visitor has as many under way as the visitor may have requests.
 */
const SUBJECTS_AT_ONCE = 64;

/** A batch on its way. */
interface Batch<R extends BatchedRecord, S extends Standed> {
  request: BatchRequest<R, S>;
  at: Instant;
  /** The items of each subject. */
  groups: readonly (readonly BatchItem<R>[])[];
  /** The decision on each item by its index; or why it is refused, as far as that can be known without its subject. */
  decides: ReadonlyMap<number, KeyedDecision<S>['decide']>;
  /** Results of what can be no item. */
  unreadable: readonly ItemResult<never>[];
  /** Absent without a key. */
  once?: BatchUnderKey;
}

interface BatchUnderKey {
  key: RequestKey;
  /** The records as they are fingerprinted, in the order of the input. */
  texts: readonly CanonicalText[];
  named: readonly NamedSubject[];
  hold: Hold;
  resumed: boolean;
}

/** An item and what is decided about it. */
interface Decided<R, S> extends BatchItem<R>, KeyedDecision<S> {}

/** Answers of batches are long, and hardly ever asked for again: a bound of their cache, in bytes. */
const CACHED_BYTES = 1024 * 1024;

@Injectable()
export class Batches implements SubjectBatches {
  /** The subjects of all batches under way, of those that have several: one alone is no more than a single record. */
  private readonly paced = new PacedCalls();
  private readonly kept: KeptAnswers;

  constructor(
    @Inject(EVENT_LOG) log: EventLog,
    codec: Codec,
    private readonly reservations: IdempotencyReservations,
    private readonly vault: Vault,
    @Inject(RECEIPT_TOKENS) private readonly receipts: ReceiptTokens,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.kept = new Stream(log, codec, BATCH_FOLD, { cachedBytes: CACHED_BYTES });
  }

  of<R extends BatchedRecord, S extends Standed, V extends RecordView>(
    kind: BatchKind<R, S, V>,
  ): SubjectBatch<R, S, V> {
    const { paced, reservations, vault, clock } = this;
    const answers = new BatchAnswers(this.kept, kind, vault, this.receipts, clock);
    return new BatchRecorder(kind, { paced, reservations, answers, vault, clock });
  }
}

/** What the recorders of all kinds work with; the answers are of one kind. */
interface Shared<V extends RecordView> {
  paced: PacedCalls;
  reservations: IdempotencyReservations;
  answers: BatchAnswers<V>;
  vault: Vault;
  clock: Clock;
}

/** The one place that carries out batches. */
class BatchRecorder<R extends BatchedRecord, S extends Standed, V extends RecordView> implements SubjectBatch<R, S, V> {
  constructor(
    private readonly kind: BatchKind<R, S, V>,
    private readonly shared: Shared<V>,
  ) {}

  async record(request: BatchRequest<R, S>): Promise<Repeatable<BatchAnswer<V>>> {
    const { caller, input, idempotencyKey } = request;
    const { reservations, clock } = this.shared;
    const unreadable: ItemResult<never>[] = [];
    const groups = bySubject(itemsOf(input.records, caller, unreadable));
    const at = clock();
    const batch: Batch<R, S> = {
      request,
      at,
      groups,
      decides: await decidesOf(request, groups.flat(), at),
      unreadable,
    };
    if (input.dryRun) return { ...(await this.dryRun(batch)), replayed: false };
    if (idempotencyKey === null) return answered(withReplay(await this.carryOut(batch), false));
    const named = await this.namesOf(batch);
    const texts = input.records.map((record) =>
      record instanceof Misshapen ? record.text() : new CanonicalText(this.kind.fingerprinted(record)),
    );
    const path = `${this.kind.path}/batch`;
    const fingerprint = reservations.fingerprintOf('POST', path, { ...input, records: texts });
    return once(reservations, {
      scope: keyScopeOf(
        caller,
        groups.map(([item]) => item!.reference),
      ),
      idempotencyKey,
      fingerprint,
      subjects: named.map(({ subjectId }) => subjectId),
      newcomer: named[0]?.newcomer,
      eachOnItsOwn: groups.length > 1,
      replay: (digest) => this.replay(batch, digest),
      carryOut: (digest, resumed, hold) =>
        this.carryOut({ once: { key: { digest: digest!, fingerprint }, texts, named, hold, resumed }, ...batch }),
    });
  }

  /** Whom the row of the batch names. The only subject of one that records something is found or made with the row. */
  private async namesOf({ groups, decides, request: { caller, input }, at }: Batch<R, S>): Promise<NamedSubject[]> {
    const targets = groups.map((group) => targetOf(caller, group));
    const [only, ...others] = targets;
    const records = input.mode !== 'ATOMIC' && [...decides.values()].some((decide) => !isRefusal(decide));
    if (only && others.length === 0 && records) return [await this.kind.writer.nameToMeet(only, at)];
    return Promise.all(targets.map((target) => this.kind.writer.nameOf(target, at)));
  }

  /**
   * What would become of each item, without recording any. An item whose own key was answered before is answered as the
   * batch itself would. A caller who sends an import again this way sees whether all of it arrived.
   */
  private async dryRun(batch: Batch<R, S>): Promise<Done<BatchAnswer<V>>> {
    const { caller, input } = batch.request;
    const results: ItemResult<V>[] = [...batch.unreadable];
    const groups = batch.groups.map((group) => this.decisionsOf(batch, group));
    const seen = await this.seenOf(groups.flat());
    await readEach(groups, async (group) => {
      const before = group.filter(({ key }) => key && seen.get(key.digest) === 'same');
      const found = await this.writtenBefore(caller, before);
      before.forEach(({ index }, i) => {
        if (found[i]) results[index] = this.resultOf(withReplay(found[i], true), index, null);
      });
      for (const item of group)
        results[item.index] ??= (await this.refusalOf(batch, item, seen)) ?? { status: 'NOT_APPLIED' };
    });
    return { answer: this.shared.answers.build(input.mode ?? 'PARTIAL', results), position: null };
  }

  /** What stands under the keys of these items, which are of one subject. */
  private async writtenBefore(
    scope: Scope,
    items: readonly Decided<R, S>[],
  ): Promise<(Done<Written> | Refusal | null)[]> {
    if (items.length === 0) return [];
    return this.kind.writer.writtenAll(
      targetOf(scope, items),
      items.map(({ key }) => ({ digest: key!.digest })),
    );
  }

  private async carryOut(batch: Batch<R, S>): Promise<Done<BatchAnswer<V>> | Refusal> {
    const { caller, input } = batch.request;
    const mode = input.mode ?? 'PARTIAL';
    const results: ItemResult<V>[] = [...batch.unreadable];
    const gone = this.goneIn(batch, results);
    if (isRefusal(gone)) return gone;
    let groups = batch.groups.map((group, i) => (gone.has(i) ? [] : this.decisionsOf(batch, group)));
    if (mode === 'ATOMIC') groups = await this.unlessOneIsRefused(batch, groups, results);
    await this.recordAll(batch, groups, results);
    const tooEarly = results.map((result) => (result.status === 'REJECTED' && result.tooEarly) || null);
    // Where the day's quota refused all of them, waiting is all that helps: said once, as for a single record.
    if (tooEarly[0] && tooEarly.every((refused) => refused !== null)) return tooEarly[0];
    const done = await this.doneOf(mode, results);
    // Refused requests are not remembered: a batch without any effect may be mended and sent again.
    if (batch.once && done.position !== null && !tellsItself(batch.groups, results))
      await this.shared.answers.keep(
        caller,
        batch.once.key,
        batch.groups.length === 1 ? batch.once.hold.subjects : [],
        { mode, results },
      );
    return done;
  }

  private async doneOf(mode: BatchMode, results: readonly ItemResult<V>[]): Promise<Done<BatchAnswer<V>>> {
    let position: Position | null = null;
    for (const result of results)
      if ('position' in result && (position === null || result.position > position)) position = result.position;
    return { answer: this.shared.answers.build(mode, results), position };
  }

  /** The first answer: as it was kept, or rebuilt from the events of the one subject where they hold all of it. */
  private async replay(batch: Batch<R, S>, digest: string): Promise<Done<BatchAnswer<V>> | Refusal | null> {
    const { caller, input } = batch.request;
    const kept = await this.shared.answers.find(caller, digest);
    const [group] = batch.groups;
    if (kept || !group || batch.groups.length > 1 || batch.unreadable.length > 0) return kept;
    const sought = group.map(({ ownKey, index, reference }) => ({
      digest:
        ownKey === undefined
          ? this.shared.reservations.itemDigest(caller, digest, index)
          : this.shared.reservations.digestOf(keyScopeOf(caller, [reference]), ownKey),
      ...(ownKey === undefined && { coveredBy: digest }),
    }));
    const written = await this.kind.writer.writtenAll(targetOf(caller, group), sought);
    const results: ItemResult<V>[] = [];
    for (const [place, found] of written.entries()) {
      // Not all of it stands: the batch was cut off, or refused in part and cut off before that was kept.
      if (found === null || isRefusal(found)) return found;
      const { index } = group[place]!;
      results[index] = this.resultOf(withReplay(found, true), index, digest);
    }
    return this.doneOf(input.mode ?? 'PARTIAL', results);
  }

  /** The groups whose subject was erased since the batch was begun, whose items are refused; or the whole batch is. */
  private goneIn({ groups, once }: Batch<R, S>, results: ItemResult<V>[]): Set<number> | Refusal {
    const gone = new Set<number>();
    if (!once?.resumed || once.hold.erased.length === 0) return gone;
    const { subjects, erased } = once.hold;
    if (subjects.length !== groups.length) return goneWithSubject();
    groups.forEach((group, i) => {
      if (!erased.includes(subjects[i]!)) return;
      gone.add(i);
      for (const { index } of group) results[index] = rejected(goneWithSubject(), index);
    });
    return gone;
  }

  private decisionsOf(
    { request: { caller }, decides, once }: Batch<R, S>,
    group: readonly BatchItem<R>[],
  ): Decided<R, S>[] {
    const { path, fingerprinted } = this.kind;
    const { reservations } = this.shared;
    return group.map((item): Decided<R, S> => {
      const { index, reference, record, ownKey } = item;
      return {
        key:
          ownKey !== undefined
            ? reservations.keyOf(keyScopeOf(caller, [reference]), ownKey, 'POST', path, fingerprinted(record))
            : once
              ? {
                  digest: reservations.itemDigest(caller, once.key.digest, index),
                  fingerprint: reservations.fingerprintOf('POST', path, once.texts[index]!),
                }
              : null,
        // A derived key is covered by the reservation of the batch.
        claim: ownKey !== undefined ? 'ROW' : once?.resumed ? 'RESUMED' : 'NONE',
        ...(ownKey === undefined && once && { coveredBy: once.key.digest }),
        decide: decides.get(index)!,
        ...item,
      };
    });
  }

  /** Nothing is left to be recorded where one item is refused, as far as that is known before the first append. */
  private async unlessOneIsRefused(
    batch: Batch<R, S>,
    groups: readonly Decided<R, S>[][],
    results: ItemResult<V>[],
  ): Promise<Decided<R, S>[][]> {
    const open = groups.map((group) => group.filter(({ decide }) => !isRefusal(decide)));
    // What today's rules refuse may have been recorded under its key before.
    const refused = groups.map((group) => group.filter(({ decide }) => isRefusal(decide)));
    await this.recordAll(batch, refused, results);
    const seen = await this.seenOf(open.flat());
    for (const item of open.flat()) {
      const refusal = await this.refusalOf(batch, item, seen);
      if (refusal) results[item.index] = refusal;
    }
    if (!results.some((result) => result?.status === 'REJECTED')) return open;
    for (const { index } of open.flat()) results[index] ??= { status: 'NOT_APPLIED' };
    return [];
  }

  /** Which of their own keys were seen before. */
  private seenOf(items: readonly Decided<R, S>[]): Promise<ReadonlyMap<string, SeenBefore>> {
    return this.shared.reservations.seenAll(
      items.flatMap(({ key, ownKey }) => (key && ownKey !== undefined ? [key] : [])),
    );
  }

  /** Everything that can be known against an item before it is recorded. */
  private async refusalOf(
    { request: { caller } }: Batch<R, S>,
    { index, key, decide, reference }: Decided<R, S>,
    seen: ReadonlyMap<string, SeenBefore>,
  ): Promise<ItemResult<V> | null> {
    if (isRefusal(decide)) return rejected(decide, index);
    const before = key && seen.get(key.digest);
    if (before === 'other') return rejected(keyReused(), index);
    if (before === 'gone') return rejected(goneWithSubject(), index);
    if (reference.kind === 'subject' && !(await this.shared.vault.find(caller, reference)))
      return rejected(subjectRefusals.notFound(), index);
    return null;
  }

  private async recordAll(
    batch: Batch<R, S>,
    groups: readonly Decided<R, S>[][],
    results: ItemResult<V>[],
  ): Promise<void> {
    let next = 0;
    let failed = false;
    const recordNext = (): Promise<void> | undefined => {
      const place = next++;
      if (failed || place >= groups.length || groups[place]!.length === 0) return undefined;
      return this.recordGroup(batch, place, groups[place]!, results).catch((error: unknown) => {
        failed = true;
        throw error;
      });
    };
    const worker = async (): Promise<void> => {
      while (next < groups.length && !failed) {
        await (groups.length > 1 ? this.shared.paced.pass(recordNext) : recordNext());
      }
    };
    // Answers only when no item is on its way any more: a repeat of the batch then never meets one of this try.
    const length = Math.min(batch.request.caller.kind === 'pk' ? AT_ONCE : SUBJECTS_AT_ONCE, groups.length);
    const ended = await Promise.allSettled(Array.from({ length }, worker));
    for (const each of ended) if (each.status === 'rejected') throw each.reason;
  }

  /** The records of one subject: appended together or not at all. */
  private async recordGroup(
    { request: { caller }, at, once }: Batch<R, S>,
    place: number,
    group: readonly Decided<R, S>[],
    results: ItemResult<V>[],
  ): Promise<void> {
    const batch = once?.key.digest ?? null;
    const cause = {
      countedFor: caller,
      ...(once && { batch: once.key.digest, request: { place, ...once.key } }),
      ...causeOf(caller, at),
    };
    const outcomes = await this.kind.writer.writeAll(
      targetOf(caller, group, once && partOf(once, place)),
      group,
      cause,
    );
    group.forEach(({ index }, i) => (results[index] = this.resultOf(outcomes[i]!, index, batch)));
  }

  /** RECORDED also for what this very batch recorded before it was cut off: a retry goes on where it stopped. */
  private resultOf(outcome: Repeatable<Written> | Refusal, index: number, batch: string | null): ItemResult<V> {
    if (isRefusal(outcome)) return rejected(outcome, index);
    const record = this.kind.recordedIn(outcome.answer);
    const ofThisBatch = !outcome.replayed || (batch !== null && record.batch === batch);
    return { status: ofThisBatch ? 'RECORDED' : 'REPLAYED', view: record.view, position: record.position };
  }
}

async function decidesOf<R extends BatchedRecord, S extends Standed>(
  { decide }: BatchRequest<R, S>,
  items: readonly BatchItem<R>[],
  at: Instant,
): Promise<Batch<R, S>['decides']> {
  const decides = await Promise.all(items.map(async ({ record }) => decide(record, at)));
  return new Map(items.map(({ index }, i) => [index, decides[i]!] as const));
}

const targetOf = (
  scope: Scope,
  group: readonly Pick<BatchItem<unknown>, 'reference'>[],
  part?: Target['part'],
): Target => ({ scope, reference: group[0]!.reference, ...(part && { part }) });

/** One subject of a batch, by the id that the row of the batch has for it. */
function partOf({ named, hold }: BatchUnderKey, place: number): NonNullable<Target['part']> {
  const { subjectId, ...others } = named[place]!;
  // A row that was built from the log knows only those of whom something was recorded.
  const inRow = hold.subjects.length === named.length ? hold.subjects[place] : '';
  return { named: { subjectId: inRow || subjectId, ...others }, hold };
}

/**
 * Whether the answer can be rebuilt from the events alone: every item of the one subject stands on its stream. A refused
 * item stands nowhere, so such a batch keeps a stream of its own, like a batch of several subjects.
 */
const tellsItself = (groups: readonly unknown[], results: readonly ItemResult<unknown>[]): boolean =>
  groups.length === 1 && results.every((result) => 'view' in result);

const withReplay = <T>(done: Done<T> | Refusal, replayed: boolean): Repeatable<T> | Refusal =>
  isRefusal(done) ? done : { ...done, replayed };
