import { isRefusal, referenceText, refusal, type Reference, type Refusal } from '../../kernel/index.js';
import { Misshapen } from '../../http/contract/misshapen.js';
import { invalid } from '../../http/errors/refused.js';
import { readReference, type ByKinds } from '../../http/registered-kind.js';
import type { BatchedRecord, BatchRequest } from './batch.js';
import type { ItemResult } from './batch-answers.js';

/** One record of a batch whose subject can be read. */
export interface BatchItem<R> {
  /** Place in the input. */
  index: number;
  reference: Reference;
  record: R;
  /** Its own idempotency key; undefined where it is known by its place in the batch. */
  ownKey: string | undefined;
}

/** The items of a batch; a result at once for each that cannot be one. */
export function itemsOf<R extends BatchedRecord>(
  records: BatchRequest<R, never>['input']['records'],
  by: ByKinds,
  results: ItemResult<never>[],
): BatchItem<R>[] {
  const keys = new Set<string>();
  const items: BatchItem<R>[] = [];
  for (const [index, sent] of records.entries()) {
    if (sent instanceof Misshapen) {
      results[index] = rejected(invalid([...sent.issues]).refusal, index);
      continue;
    }
    const { idempotencyKey: ownKey, ...rest } = sent;
    const record = rest as unknown as R;
    const reference = readReference(record.subject, by);
    const twice = ownKey !== undefined && keys.has(ownKey);
    if (ownKey !== undefined) keys.add(ownKey);
    if (isRefusal(reference)) results[index] = rejected({ ...reference, issues: UNREADABLE }, index);
    else if (twice) results[index] = rejected(keyTwice(), index);
    else items.push({ index, reference, record, ownKey });
  }
  return items;
}

/** The items of each subject, in the order in which the subjects come. */
export function bySubject<T extends Pick<BatchItem<unknown>, 'reference'>>(items: readonly T[]): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = referenceText(item.reference);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return [...groups.values()];
}

export function rejected(refused: Refusal, index: number): ItemResult<never> {
  const { code, message, hint, issues } = refused;
  return {
    status: 'REJECTED',
    ...(refused.retryAfterSeconds !== undefined && { tooEarly: refused }),
    error: { code, message, hint, issues: issues.map((issue) => ({ ...issue, path: placeIn(index, issue.path) })) },
  };
}

const UNREADABLE = [{ path: 'subject', message: 'cannot be read' }];

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
