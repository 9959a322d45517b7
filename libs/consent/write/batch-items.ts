import { isRefusal, referenceText, refusal, type Reference, type Refusal } from '../../kernel/index.js';
import type { Repeatable } from '../../commands/once.js';
import { Misshapen } from '../../http/contract/misshapen.js';
import { invalid } from '../../http/errors/refused.js';
import { readReference, type ByKinds } from '../../http/registered-kind.js';
import type { Written } from '../../subjects/services.js';
import type { ItemResult } from './batch-answers.js';
import type { RecordBatchDto, RecordConsentDto } from './dto.js';
import { recordedIn } from './record-request.js';

/** One record of a batch whose subject can be read. */
export interface BatchItem {
  /** Place in the input. */
  index: number;
  reference: Reference;
  record: RecordConsentDto;
  /** Its own idempotency key; undefined where it is known by its place in the batch. */
  ownKey: string | undefined;
}

/** The items of a batch; a result at once for each that cannot be one. */
export function itemsOf(records: RecordBatchDto['records'], by: ByKinds, results: ItemResult[]): BatchItem[] {
  const keys = new Set<string>();
  const items: BatchItem[] = [];
  for (const [index, sent] of records.entries()) {
    if (sent instanceof Misshapen) {
      results[index] = rejected(invalid([...sent.issues]).refusal, index);
      continue;
    }
    const { idempotencyKey: ownKey, ...record } = sent;
    const reference = readReference(record.subject, by);
    const twice = ownKey !== undefined && keys.has(ownKey);
    if (ownKey !== undefined) keys.add(ownKey);
    if (isRefusal(reference)) results[index] = rejected(reference, index);
    else if (twice) results[index] = rejected(keyTwice(), index);
    else items.push({ index, reference, record, ownKey });
  }
  return items;
}

/** The items of each subject, in the order in which the subjects come. */
export function bySubject<T extends Pick<BatchItem, 'reference'>>(items: readonly T[]): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = referenceText(item.reference);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return [...groups.values()];
}

/** RECORDED also for what this very batch recorded before it was cut off: a retry goes on where it stopped. */
export function resultOf(outcome: Repeatable<Written> | Refusal, index: number, batch: string | null): ItemResult {
  if (isRefusal(outcome)) return rejected(outcome, index);
  const record = recordedIn(outcome.answer);
  const ofThisBatch = !outcome.replayed || (batch !== null && record.batch === batch);
  return { status: ofThisBatch ? 'RECORDED' : 'REPLAYED', view: record.view, position: record.position };
}

export function rejected(refused: Refusal, index: number): ItemResult {
  const { code, message, hint, issues } = refused;
  return {
    status: 'REJECTED',
    ...(refused.retryAfterSeconds !== undefined && { tooEarly: refused }),
    error: { code, message, hint, issues: issues.map((issue) => ({ ...issue, path: placeIn(index, issue.path) })) },
  };
}

/** A record that is no object is wrong as a whole. */
const placeIn = (index: number, path: string): string =>
  path === '' ? `records[${index}]` : `records[${index}].${path}`;

const keyTwice = (): Refusal =>
  refusal(
    'validation_failed',
    'Two records of this batch have the same idempotencyKey.',
    'Give each record a key of its own, or none.',
    [{ path: 'idempotencyKey', message: 'stands twice in this batch' }],
  );
