import type { RecordedEvent } from '../log/port.js';
import { subjectOfStream, type Scope } from '../kernel/index.js';
import { MOST_ITEMS } from '../commands/item-keys.js';
import type { KeyInLog } from '../commands/key-index.js';
import { isOwnKey } from '../commands/own-key.js';

/** Most batches whose item keys are remembered: the events of one batch stand close together. */
const MOST_BATCHES = 1_000;

/** Finds the idempotency keys of requests on events. */
export class KeysInLog {
  private readonly batches = new Map<string, { made: number; digests: Set<string> }>();

  /** `digestOf`: the key of an item of a batch as it stands in the log. */
  constructor(private readonly digestOf: (scope: Scope, batch: string, index: number) => string) {}

  /** Those of one event: at most its own and that of the whole request. */
  of({ stream, metadata }: Pick<RecordedEvent, 'stream' | 'metadata'>): KeyInLog[] {
    const { request, idempotencyKey, fingerprint = '', batch, reservedFor, recordedAt } = metadata;
    const subject = subjectOfStream(stream);
    const named = reservedFor ?? (subject ? [subject.subjectId] : []);
    const keys: KeyInLog[] = [];
    if (request) {
      const before = Array.from({ length: request.place ?? 0 }, () => '');
      keys.push({
        key: request.key,
        fingerprint: request.fingerprint,
        subjects: [...before, ...named],
        from: recordedAt,
        through: recordedAt,
      });
    }
    if (
      idempotencyKey !== undefined &&
      idempotencyKey !== request?.key &&
      !isOwnKey(metadata, subject !== null) &&
      !(subject && batch !== undefined && this.isOfBatch(subject, batch, idempotencyKey))
    )
      keys.push({ key: idempotencyKey, fingerprint, subjects: named, from: recordedAt, through: recordedAt });
    return keys;
  }

  /** Whether a key was made for an item of a batch: the reservation of the batch covers it, it has none of its own. */
  private isOfBatch(scope: Scope, batch: string, key: string): boolean {
    const known = this.batches.get(batch) ?? { made: 0, digests: new Set<string>() };
    this.batches.set(batch, known);
    while (!known.digests.has(key) && known.made < MOST_ITEMS)
      known.digests.add(this.digestOf(scope, batch, known.made++));
    if (this.batches.size > MOST_BATCHES) this.batches.delete(this.batches.keys().next().value!);
    return known.digests.has(key);
  }
}
