import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CLOCK, isRefusal, type Clock, type Instant, type Position, type Refusal } from '../../kernel/index.js';
import type { Caller } from '../../platform/http/caller.js';
import { once, type Done, type Repeatable } from '../../platform/idempotency/once.js';
import { IdempotencyReservations, keyReused } from '../../platform/idempotency/reservations.js';
import { Vault } from '../../platform/vault/vault.js';
import { subjectRefusals } from '../../subjects/index.js';
import { causeOf, type KeyedDecision } from '../../subjects/writer.js';
import type { ConsentState } from '../state.js';
import { BatchAnswers, type BatchAnswer, type ItemResult } from './batch-answers.js';
import { bySubject, itemsOf, rejected, resultOf, type BatchItem } from './batch-items.js';
import type { RecordBatchDto } from './dto.js';
import { CONSENT_WRITER, RecordRequests, type ConsentWriter } from './record-request.js';

/** Subjects written at the same time. */
const SUBJECTS_AT_ONCE = 16;

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
  /** Digest of its key; null where it has none. */
  digest: string | null;
  /** It was begun before and cut off. */
  resumed: boolean;
  at: Instant;
}

/** An item and what is decided about it. */
interface Decided extends BatchItem, KeyedDecision<ConsentState> {}

@CommandHandler(RecordBatchCommand)
export class RecordBatchHandler implements ICommandHandler<RecordBatchCommand> {
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
    const at = this.clock();
    if (input.dryRun) return { ...(await this.dryRun({ command, digest: null, resumed: false, at })), replayed: false };
    return once(this.reservations, {
      scope: caller,
      idempotencyKey,
      fingerprint: this.reservations.fingerprintOf('POST', '/v1/consent/batch', input),
      replay: (digest) => this.answers.find(caller, digest),
      carryOut: (digest, resumed) => this.carryOut({ command, digest, resumed, at }),
    });
  }

  private async dryRun(batch: Batch): Promise<Done<BatchAnswer>> {
    const results: ItemResult[] = [];
    for (const item of this.decisionsOf(batch, results))
      results[item.index] = (await this.refusalOf(batch, item)) ?? { status: 'NOT_APPLIED' };
    return { answer: this.answers.build(batch.command.input.mode ?? 'PARTIAL', results), position: null };
  }

  private async carryOut(batch: Batch): Promise<Done<BatchAnswer> | Refusal> {
    const { caller, input } = batch.command;
    const mode = input.mode ?? 'PARTIAL';
    const results: ItemResult[] = [];
    const items = this.decisionsOf(batch, results);
    const open = mode === 'ATOMIC' ? await this.unlessOneIsRefused(batch, items, results) : items;
    await this.recordAll(batch, open, results);
    const tooEarly = results.map((result) => (result.status === 'REJECTED' && result.tooEarly) || null);
    // Where the day's quota refused all of them, waiting is all that helps: said once, as for a single record.
    if (tooEarly[0] && tooEarly.every((refused) => refused !== null)) return tooEarly[0];
    let position: Position | null = null;
    for (const result of results)
      if ('position' in result && (position === null || result.position > position)) position = result.position;
    // Refused requests are not remembered: a batch without any effect may be mended and sent again.
    if (batch.digest !== null && position !== null) await this.answers.keep(caller, batch.digest, mode, results);
    return { answer: this.answers.build(mode, results), position };
  }

  private decisionsOf({ command, digest, resumed, at }: Batch, results: ItemResult[]): Decided[] {
    const { caller, input, gpcHeader } = command;
    return itemsOf(input.records, results).map((item): Decided => {
      const { index, record, ownKey } = item;
      // A derived key is covered by the reservation of the batch.
      const derived = digest === null ? null : `${digest}#${index}`;
      return {
        ...item,
        key: this.requests.keyOf(caller, ownKey ?? derived, record),
        claim: ownKey !== undefined ? 'ROW' : resumed ? 'RESUMED' : 'NONE',
        decide: this.requests.decisionOf(caller, record, gpcHeader, at),
      };
    });
  }

  /** Nothing is left to be recorded where one item is refused, as far as that is known before the first append. */
  private async unlessOneIsRefused(
    batch: Batch,
    items: readonly Decided[],
    results: ItemResult[],
  ): Promise<readonly Decided[]> {
    const open = items.filter(({ decide }) => !isRefusal(decide));
    // What today's rules refuse may have been recorded under its key before.
    await this.recordAll(
      batch,
      items.filter(({ decide }) => isRefusal(decide)),
      results,
    );
    for (const item of open) {
      const refused = await this.refusalOf(batch, item);
      if (refused) results[item.index] = refused;
    }
    if (!results.some((result) => result?.status === 'REJECTED')) return open;
    for (const { index } of open) results[index] ??= { status: 'NOT_APPLIED' };
    return [];
  }

  /** Everything that can be known against an item before it is recorded. */
  private async refusalOf({ command: { caller } }: Batch, item: Decided): Promise<ItemResult | null> {
    const { index, key, ownKey, decide, reference } = item;
    if (isRefusal(decide)) return rejected(decide, index);
    if (ownKey !== undefined) {
      const seen = await this.reservations.seen({ key: key!.digest, fingerprint: key!.fingerprint });
      if (seen === 'other') return rejected(keyReused(), index);
    }
    if (reference.kind === 'subject' && !(await this.vault.find(caller, reference)))
      return rejected(subjectRefusals.notFound(), index);
    return null;
  }

  private async recordAll(batch: Batch, items: readonly Decided[], results: ItemResult[]): Promise<void> {
    const groups = bySubject(items);
    let next = 0;
    let failed = false;
    const worker = async (): Promise<void> => {
      for (let group = groups[next++]; group && !failed; group = groups[next++])
        await this.recordGroup(batch, group, results).catch((error: unknown) => {
          failed = true;
          throw error;
        });
    };
    // Answered only when none is on its way any more: whoever repeats the batch meets nobody of this one.
    const ended = await Promise.allSettled(Array.from({ length: Math.min(SUBJECTS_AT_ONCE, groups.length) }, worker));
    for (const each of ended) if (each.status === 'rejected') throw each.reason;
  }

  /** The records of one subject: appended together or not at all. */
  private async recordGroup(
    { command: { caller }, digest, at }: Batch,
    group: readonly Decided[],
    results: ItemResult[],
  ): Promise<void> {
    const cause = { ...causeOf(caller, at), countedFor: caller, ...(digest !== null && { batch: digest }) };
    const outcomes = await this.writer.writeAll({ scope: caller, reference: group[0]!.reference }, group, cause);
    group.forEach(({ index }, place) => (results[index] = resultOf(outcomes[place]!, index, digest)));
  }
}
