import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
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
import type { Caller } from '../../http/caller.js';
import { Misshapen } from '../../http/contract/misshapen.js';
import { answered, goneWithSubject, once, type Done, type Hold, type Repeatable } from '../../commands/once.js';
import { keyScopeOf } from '../../commands/key-scope.js';
import { IdempotencyReservations, keyReused, type RequestKey } from '../../commands/reservations.js';
import { PacedCalls } from '../../engines/paced-calls.js';
import { Vault } from '../../vault/vault.js';
import { subjectRefusals } from '../../subjects/index.js';
import { causeOf, type KeyedDecision, type NamedSubject, type Target } from '../../subjects/services.js';
import { withoutAge } from '../given.js';
import type { ConsentState } from '../state.js';
import { BatchAnswers, type BatchAnswer, type ItemResult } from './batch-answers.js';
import { bySubject, itemsOf, rejected, resultOf, type BatchItem } from './batch-items.js';
import type { BatchMode, RecordBatchDto } from './dto.js';
import { CONSENT_WRITER, RecordRequests, type ConsentWriter } from './record-request.js';

/**
 * Subjects of one batch written at the same time: they share few statements, and leave room for others in each. A batch of
 * a visitor has as many under way as the visitor may have requests.
 */
const SUBJECTS_AT_ONCE = 64;

/** Record up to 500 decisions, of one subject or of many. */
export class RecordBatchCommand extends Command<Repeatable<BatchAnswer>> {
  constructor(
    readonly caller: Caller,
    readonly input: RecordBatchDto,
    readonly idempotencyKey: string | null,
    readonly gpcHeader: boolean,
  ) {
    super();
  }
}

/** A batch on its way. */
interface Batch {
  command: RecordBatchCommand;
  at: Instant;
  /** The items of each subject. */
  groups: readonly (readonly BatchItem[])[];
  /** The decision on each item by its index; or why it is refused, as far as that can be known without its subject. */
  decides: ReadonlyMap<number, Decided['decide']>;
  /** Results of what can be no item. */
  unreadable: readonly ItemResult[];
  /** Absent without a key. */
  once?: {
    key: RequestKey;
    /** The records as they are fingerprinted, in the order of the input. */
    texts: readonly CanonicalText[];
    named: readonly NamedSubject[];
    hold: Hold;
    resumed: boolean;
  };
}

/** An item and what is decided about it. */
interface Decided extends BatchItem, KeyedDecision<ConsentState> {}

@CommandHandler(RecordBatchCommand)
export class RecordBatchHandler implements ICommandHandler<RecordBatchCommand> {
  /** The subjects of all batches under way, of those that have several: one alone is no more than a single record. */
  private readonly paced = new PacedCalls();

  constructor(
    @Inject(CONSENT_WRITER) private readonly writer: ConsentWriter,
    private readonly requests: RecordRequests,
    private readonly reservations: IdempotencyReservations,
    private readonly answers: BatchAnswers,
    private readonly vault: Vault,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute(command: RecordBatchCommand): Promise<Repeatable<BatchAnswer>> {
    const { caller, input, idempotencyKey } = command;
    const unreadable: ItemResult[] = [];
    const groups = bySubject(itemsOf(input.records, caller, unreadable));
    const at = this.clock();
    const batch: Batch = { command, at, groups, decides: await this.decidesOf(command, groups.flat(), at), unreadable };
    if (input.dryRun) return { ...(await this.dryRun(batch)), replayed: false };
    if (idempotencyKey === null) return answered(withReplay(await this.carryOut(batch)));
    const named = await this.namesOf(batch);
    const texts = input.records.map((record) =>
      record instanceof Misshapen ? record.text() : new CanonicalText(withoutAge(record)),
    );
    const fingerprint = this.reservations.fingerprintOf('POST', '/v1/consent/batch', { ...input, records: texts });
    return once(this.reservations, {
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
  private async namesOf({ groups, decides, command: { caller, input }, at }: Batch): Promise<NamedSubject[]> {
    const targets = groups.map((group) => targetOf(caller, group));
    const [only, ...others] = targets;
    const records = input.mode !== 'ATOMIC' && [...decides.values()].some((decide) => !isRefusal(decide));
    if (only && others.length === 0 && records) return [await this.writer.nameToMeet(only, at)];
    return Promise.all(targets.map((target) => this.writer.nameOf(target, at)));
  }

  private async decidesOf(
    { caller, gpcHeader }: RecordBatchCommand,
    items: readonly BatchItem[],
    at: Instant,
  ): Promise<Batch['decides']> {
    const withToken = items.filter(({ record }) => record.collection?.presentationToken !== undefined);
    const read = await Promise.all(withToken.map(({ record }) => this.requests.shownWith(caller, record, at)));
    const shown = new Map(withToken.map(({ index }, i) => [index, read[i]!]));
    const decideOn = ({ index, record }: BatchItem): Decided['decide'] =>
      this.requests.decisionOf(caller, record, shown.get(index) ?? null, gpcHeader, at);
    return new Map(items.map((item) => [item.index, decideOn(item)] as const));
  }

  private async dryRun(batch: Batch): Promise<Done<BatchAnswer>> {
    const results = [...batch.unreadable];
    for (const item of batch.groups.flatMap((group) => this.decisionsOf(batch, group)))
      results[item.index] = (await this.refusalOf(batch, item)) ?? { status: 'NOT_APPLIED' };
    return { answer: await this.answers.build(batch.command.input.mode ?? 'PARTIAL', results), position: null };
  }

  private async carryOut(batch: Batch): Promise<Done<BatchAnswer> | Refusal> {
    const { caller, input } = batch.command;
    const mode = input.mode ?? 'PARTIAL';
    const results = [...batch.unreadable];
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
    if (batch.once && done.position !== null && !tellsItself(batch, results))
      await this.answers.keep(caller, batch.once.key, batch.groups.length === 1 ? batch.once.hold.subjects : [], {
        mode,
        results,
      });
    return done;
  }

  private async doneOf(mode: BatchMode, results: readonly ItemResult[]): Promise<Done<BatchAnswer>> {
    let position: Position | null = null;
    for (const result of results)
      if ('position' in result && (position === null || result.position > position)) position = result.position;
    return { answer: await this.answers.build(mode, results), position };
  }

  /** The first answer: as it was kept, or rebuilt from the events of the one subject where they hold all of it. */
  private async replay(batch: Batch, digest: string): Promise<Done<BatchAnswer> | Refusal | null> {
    const { caller, input } = batch.command;
    const kept = await this.answers.find(caller, digest);
    const [group] = batch.groups;
    if (kept || !group || batch.groups.length > 1 || batch.unreadable.length > 0) return kept;
    const sought = group.map(({ ownKey, index, reference }) => ({
      digest:
        ownKey === undefined
          ? this.reservations.itemDigest(caller, digest, index)
          : this.reservations.digestOf(keyScopeOf(caller, [reference]), ownKey),
      ...(ownKey === undefined && { coveredBy: digest }),
    }));
    const written = await this.writer.writtenAll(targetOf(caller, group), sought);
    const results: ItemResult[] = [];
    for (const [place, found] of written.entries()) {
      // Not all of it stands: the batch was cut off, or refused in part and cut off before that was kept.
      if (found === null || isRefusal(found)) return found;
      const { index } = group[place]!;
      results[index] = resultOf({ ...found, replayed: true }, index, digest);
    }
    return this.doneOf(input.mode ?? 'PARTIAL', results);
  }

  /** The groups whose subject was erased since the batch was begun, whose items are refused; or the whole batch is. */
  private goneIn({ groups, once }: Batch, results: ItemResult[]): Set<number> | Refusal {
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

  private decisionsOf({ command: { caller }, decides, once }: Batch, group: readonly BatchItem[]): Decided[] {
    return group.map((item): Decided => {
      const { index, reference, record, ownKey } = item;
      return {
        key:
          ownKey !== undefined
            ? this.requests.keyOf(caller, reference, ownKey, record)
            : once
              ? this.requests.itemKeyOf(caller, once.key.digest, index, once.texts[index]!)
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
    batch: Batch,
    groups: readonly Decided[][],
    results: ItemResult[],
  ): Promise<Decided[][]> {
    const open = groups.map((group) => group.filter(({ decide }) => !isRefusal(decide)));
    // What today's rules refuse may have been recorded under its key before.
    const refused = groups.map((group) => group.filter(({ decide }) => isRefusal(decide)));
    await this.recordAll(batch, refused, results);
    for (const item of open.flat()) {
      const refusal = await this.refusalOf(batch, item);
      if (refusal) results[item.index] = refusal;
    }
    if (!results.some((result) => result?.status === 'REJECTED')) return open;
    for (const { index } of open.flat()) results[index] ??= { status: 'NOT_APPLIED' };
    return [];
  }

  /** Everything that can be known against an item before it is recorded. */
  private async refusalOf({ command: { caller } }: Batch, item: Decided): Promise<ItemResult | null> {
    const { index, key, ownKey, decide, reference } = item;
    if (isRefusal(decide)) return rejected(decide, index);
    if (ownKey !== undefined) {
      const seen = await this.reservations.seen(key!);
      if (seen === 'other') return rejected(keyReused(), index);
      if (seen === 'gone') return rejected(goneWithSubject(), index);
    }
    if (reference.kind === 'subject' && !(await this.vault.find(caller, reference)))
      return rejected(subjectRefusals.notFound(), index);
    return null;
  }

  private async recordAll(batch: Batch, groups: readonly Decided[][], results: ItemResult[]): Promise<void> {
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
        await (groups.length > 1 ? this.paced.pass(recordNext) : recordNext());
      }
    };
    // Answers only when no item is on its way any more: a repeat of the batch then never meets one of this try.
    const length = Math.min(batch.command.caller.kind === 'pk' ? AT_ONCE : SUBJECTS_AT_ONCE, groups.length);
    const ended = await Promise.allSettled(Array.from({ length }, worker));
    for (const each of ended) if (each.status === 'rejected') throw each.reason;
  }

  /** The records of one subject: appended together or not at all. */
  private async recordGroup(
    { command: { caller }, at, once }: Batch,
    place: number,
    group: readonly Decided[],
    results: ItemResult[],
  ): Promise<void> {
    const batch = once?.key.digest ?? null;
    const cause = {
      countedFor: caller,
      ...(once && { batch: once.key.digest, request: { place, ...once.key } }),
      ...causeOf(caller, at),
    };
    const outcomes = await this.writer.writeAll(targetOf(caller, group, once && partOf(once, place)), group, cause);
    group.forEach(({ index }, i) => (results[index] = resultOf(outcomes[i]!, index, batch)));
  }
}

const targetOf = (scope: Scope, group: readonly BatchItem[], part?: Target['part']): Target => ({
  scope,
  reference: group[0]!.reference,
  ...(part && { part }),
});

/** One subject of a batch, by the id that the row of the batch has for it. */
function partOf({ named, hold }: NonNullable<Batch['once']>, place: number): NonNullable<Target['part']> {
  const { subjectId, ...others } = named[place]!;
  // A row that was built from the log knows only those of whom something was recorded.
  const inRow = hold.subjects.length === named.length ? hold.subjects[place] : '';
  return { named: { subjectId: inRow || subjectId, ...others }, hold };
}

/**
 * Whether the answer can be rebuilt from the events alone: every item of the one subject stands on its stream. A refused
 * item stands nowhere, so such a batch keeps a stream of its own, like a batch of several subjects.
 */
const tellsItself = ({ groups }: Batch, results: readonly ItemResult[]): boolean =>
  groups.length === 1 && results.every((result) => 'view' in result);

const withReplay = <T>(done: Done<T> | Refusal): Repeatable<T> | Refusal =>
  isRefusal(done) ? done : { ...done, replayed: false };
