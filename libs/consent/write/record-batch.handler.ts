import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  isRefusal,
  parseReference,
  referenceText,
  refusal,
  Refused,
  type Reference,
  type Refusal,
  type Position,
} from '../../kernel/index.js';
import type { Caller } from '../../platform/http/caller.js';
import { IdempotencyReservations, keyReused, stillRunning } from '../../platform/idempotency/reservations.js';
import { goneWithSubject } from '../../platform/idempotency/once.js';
import { subjectRefusals } from '../../subjects/index.js';
import { BatchAnswers, type BatchAnswer, type ItemResult } from './batch-answers.js';
import type { BatchItemDto, RecordBatchDto } from './dto.js';
import { recordFingerprint } from './record-consent.handler.js';
import { ConsentRecorder, type PreparedRecord, type RecordItem, type RecordOutcome } from './recorder.js';

/** Subjects written at the same time. */
const SUBJECTS_AT_ONCE = 16;

/** Record up to 500 decisions, of one subject or of many. */
export class RecordBatchCommand extends Command<RecordedBatch> {
  constructor(
    readonly caller: Caller,
    readonly input: RecordBatchDto,
    readonly idempotencyKey: string | null,
    readonly gpcHeader: boolean,
  ) {
    super();
  }
}

export interface RecordedBatch {
  answer: BatchAnswer;
  /** Null where nothing was recorded. */
  position: Position | null;
  replayed: boolean;
}

interface Item {
  index: number;
  reference: Reference;
  prepared: PreparedRecord;
  dto: BatchItemDto;
}

/** An item that today's rules refuse. */
type RefusedItem = Omit<Item, 'prepared'>;

/** The idempotency key of a batch as a whole, or of one record. */
interface BatchKey {
  digest: string;
  fingerprint: string;
}

@CommandHandler(RecordBatchCommand)
export class RecordBatchHandler implements ICommandHandler<RecordBatchCommand> {
  constructor(
    private readonly recorder: ConsentRecorder,
    private readonly reservations: IdempotencyReservations,
    private readonly answers: BatchAnswers,
  ) {}

  async execute(command: RecordBatchCommand): Promise<RecordedBatch> {
    const recorded = await this.once(command);
    if (isRefusal(recorded)) throw new Refused(recorded);
    return recorded;
  }

  private async once(command: RecordBatchCommand): Promise<RecordedBatch | Refusal> {
    const { caller, input, idempotencyKey } = command;
    if (idempotencyKey === null || input.dryRun) return this.carryOut(command, null, false);
    const key: BatchKey = {
      digest: this.reservations.digestOf(caller, idempotencyKey),
      fingerprint: this.reservations.fingerprintOf('POST', '/v1/consent/batch', input),
    };
    const reserved = await this.reservations.reserve({ key: key.digest, fingerprint: key.fingerprint });
    if (reserved.kind === 'other') throw new Refused(keyReused());
    if (reserved.kind === 'gone') throw new Refused(goneWithSubject());
    if (reserved.kind === 'seen' || !reserved.fresh) {
      const first = await this.answers.find(caller, key.digest);
      if (first) {
        this.reservations.done(reserved.kind === 'ours' ? [key.digest] : []);
        return { ...first, replayed: true };
      }
      if (reserved.kind === 'seen') throw new Refused(stillRunning(), { 'Retry-After': '1' });
    }
    const ours = [{ key: key.digest, owner: reserved.owner }];
    try {
      const recorded = await this.carryOut(command, key, !reserved.fresh);
      // Refused requests are not remembered: a batch without any effect may be mended and sent again.
      if (isRefusal(recorded) || recorded.position === null) await this.reservations.forget(ours);
      else this.reservations.done([key.digest]);
      return recorded;
    } catch (error) {
      await this.reservations.release(ours);
      throw error;
    }
  }

  private async carryOut(
    command: RecordBatchCommand,
    key: BatchKey | null,
    resumed: boolean,
  ): Promise<RecordedBatch | Refusal> {
    const { caller, input } = command;
    const mode = input.mode ?? 'PARTIAL';
    const results: ItemResult[] = [];
    const prepared = this.prepareAll(command, results);
    let items = prepared.items;
    if (!input.dryRun) await this.restore(caller, prepared.refused, key, resumed, results);
    if (input.dryRun || mode === 'ATOMIC') {
      items = await this.admitAll(caller, items, results);
      if (input.dryRun || results.some(({ status }) => status === 'REJECTED')) {
        for (const { index } of items) results[index] = { status: 'NOT_APPLIED' };
        return { answer: this.answers.build(mode, results), position: null, replayed: false };
      }
    }
    await this.recordAll(command, items, key, results);
    const tooEarly = results.map((result) => (result.status === 'REJECTED' && result.tooEarly) || null);
    // Where the day's quota refused all of them, waiting is all that helps: said once, as for a single record.
    if (tooEarly[0] && tooEarly.every((refused) => refused !== null)) return tooEarly[0];
    let position: Position | null = null;
    for (const result of results)
      if ('position' in result && (position === null || result.position > position)) position = result.position;
    if (key && position !== null) await this.answers.keep(caller, key.digest, mode, results);
    return { answer: this.answers.build(mode, results), position, replayed: false };
  }

  private prepareAll(
    { caller, input, gpcHeader }: RecordBatchCommand,
    results: ItemResult[],
  ): { items: Item[]; refused: RefusedItem[] } {
    const seenKeys = new Set<string>();
    const items: Item[] = [];
    const refused: RefusedItem[] = [];
    for (const [index, dto] of input.records.entries()) {
      const { idempotencyKey, ...record } = dto;
      const reference = parseReference(record.subject);
      const twice = idempotencyKey !== undefined && seenKeys.has(idempotencyKey);
      if (idempotencyKey !== undefined) seenKeys.add(idempotencyKey);
      const prepared = isRefusal(reference)
        ? reference
        : twice
          ? keyTwice()
          : this.recorder.prepare(caller, record, gpcHeader);
      if (!isRefusal(reference) && !isRefusal(prepared)) items.push({ index, reference, prepared, dto });
      else results[index] = rejected(prepared as Refusal, index);
      if (!isRefusal(reference) && isRefusal(prepared) && !twice) refused.push({ index, reference, dto });
    }
    return { items, refused };
  }

  /** What would be refused today may have been recorded under its key before: then that answer still stands. */
  private async restore(
    caller: Caller,
    refused: readonly RefusedItem[],
    batch: BatchKey | null,
    resumed: boolean,
    results: ItemResult[],
  ): Promise<void> {
    for (const { index, reference, dto } of refused) {
      const key = this.itemKey(caller, dto, batch, index);
      if (key === null) continue;
      const seen =
        dto.idempotencyKey === undefined
          ? resumed && 'same'
          : await this.reservations.seen({ key: key.digest, fingerprint: key.fingerprint });
      if (seen === 'other') results[index] = rejected(keyReused(), index);
      if (seen !== 'same') continue;
      const outcome = await this.recorder.replay(caller, reference, key);
      if (!isRefusal(outcome) && outcome.kind === 'replayed') results[index] = resultOf(outcome, index, batch);
    }
  }

  /** Everything that can be known before the first append, for a batch that must not begin in vain. */
  private async admitAll(caller: Caller, items: readonly Item[], results: ItemResult[]): Promise<Item[]> {
    const admitted: Item[] = [];
    for (const item of items) {
      const { index, reference, dto } = item;
      const key = this.itemKey(caller, dto, null, index);
      const taken =
        key !== null && (await this.reservations.seen({ key: key.digest, fingerprint: key.fingerprint })) === 'other';
      const refused = taken
        ? keyReused()
        : (await this.recorder.mayBeSubject(caller, reference))
          ? null
          : subjectRefusals.notFound();
      if (refused) results[index] = rejected(refused, index);
      else admitted.push(item);
    }
    return admitted;
  }

  private async recordAll(
    command: RecordBatchCommand,
    items: readonly Item[],
    key: BatchKey | null,
    results: ItemResult[],
  ): Promise<void> {
    const groups = bySubject(items);
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let group = groups[next++]; group; group = groups[next++])
        await this.recordGroup(command, group, key, results);
    };
    await Promise.all(Array.from({ length: Math.min(SUBJECTS_AT_ONCE, groups.length) }, worker));
  }

  /** The records of one subject: appended together or not at all. */
  private async recordGroup(
    { caller }: RecordBatchCommand,
    group: readonly Item[],
    batch: BatchKey | null,
    results: ItemResult[],
  ): Promise<void> {
    const owned: { key: string; owner: string; index: number }[] = [];
    const records: RecordItem[] = [];
    const indexes: number[] = [];
    for (const [item, key] of await Promise.all(
      group.map(async (item) => [item, await this.keyOf(caller, item, batch, owned)] as const),
    )) {
      if (isRefusal(key)) results[item.index] = rejected(key, item.index);
      else {
        records.push({ ...item.prepared, key });
        indexes.push(item.index);
      }
    }
    if (records.length === 0) return;
    try {
      const outcomes = await this.recorder.record(caller, group[0]!.reference, records, {
        caller,
        requestId: caller.requestId,
        ...(batch && { batch: batch.digest }),
      });
      indexes.forEach(
        (index, place) => (results[index] = resultOf(isRefusal(outcomes) ? outcomes : outcomes[place]!, index, batch)),
      );
      const [refusedKeys, kept] = [
        owned.filter(({ index }) => results[index]!.status === 'REJECTED'),
        owned.filter(({ index }) => results[index]!.status !== 'REJECTED'),
      ];
      if (refusedKeys.length > 0) await this.reservations.forget(refusedKeys);
      this.reservations.done(kept.map(({ key }) => key));
    } catch (error) {
      await this.reservations.release(owned);
      throw error;
    }
  }

  /** An item's own key is reserved like that of a single record; a derived one is covered by the batch's. */
  private async keyOf(
    caller: Caller,
    item: Item,
    batch: BatchKey | null,
    owned: { key: string; owner: string; index: number }[],
  ): Promise<RecordItem['key'] | Refusal> {
    const key = this.itemKey(caller, item.dto, batch, item.index);
    if (key === null || item.dto.idempotencyKey === undefined) return key && { ...key, mayRecord: true };
    const reserved = await this.reservations.reserve({ key: key.digest, fingerprint: key.fingerprint });
    if (reserved.kind === 'other') return keyReused();
    if (reserved.kind === 'gone') return goneWithSubject();
    if (reserved.kind === 'ours') owned.push({ key: key.digest, owner: reserved.owner, index: item.index });
    return { ...key, mayRecord: reserved.kind === 'ours' };
  }

  /** The key of one record: its own, or the batch's with its place; null where there is neither. */
  private itemKey(
    caller: Caller,
    { idempotencyKey, ...record }: BatchItemDto,
    batch: BatchKey | null,
    index: number,
  ): BatchKey | null {
    if (idempotencyKey === undefined && batch === null) return null;
    return {
      digest: this.reservations.digestOf(caller, idempotencyKey ?? `${batch!.digest}#${index}`),
      fingerprint: recordFingerprint(this.reservations, record),
    };
  }
}

/** RECORDED also for what this very batch recorded before it was cut off: a retry goes on where it stopped. */
function resultOf(outcome: RecordOutcome, index: number, batch: BatchKey | null): ItemResult {
  if (isRefusal(outcome)) return rejected(outcome, index);
  if (outcome.kind === 'running') return rejected(stillRunning(), index);
  const ofThisBatch = outcome.kind === 'recorded' || (batch !== null && outcome.batch === batch.digest);
  return { status: ofThisBatch ? 'RECORDED' : 'REPLAYED', view: outcome.view, position: outcome.position };
}

function rejected(refused: Refusal, index: number): ItemResult {
  const { code, message, hint, issues } = refused;
  return {
    status: 'REJECTED',
    ...(refused.retryAfterSeconds !== undefined && { tooEarly: refused }),
    error: {
      code,
      message,
      hint,
      issues: issues.map((issue) => ({ ...issue, path: `records[${index}].${issue.path}` })),
    },
  };
}

const keyTwice = (): Refusal =>
  refusal(
    'validation_failed',
    'Two records of this batch have the same idempotencyKey.',
    'Give each record a key of its own, or none.',
    [{ path: 'idempotencyKey', message: 'stands twice in this batch' }],
  );

function bySubject(items: readonly Item[]): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const name = referenceText(item.reference);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return [...groups.values()];
}
