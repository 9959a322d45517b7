import type { ItemOutcome, SendRecords } from './batch-sender.js';
import type { ImportRecord, RecordKind } from './mapping/import-record.js';

/** Most records of a batch, and most bytes: the service takes 2 MB. */
const RECORDS_MAX = 500;
const BYTES_MAX = 1_500_000;

type Settle = (outcome: ItemOutcome, isRepeated: boolean) => void;

/** Records that are sent together; those that are equal go once, and all of their rows hear what became of it. */
interface Batch {
  kind: RecordKind;
  records: Map<string, { record: ImportRecord; settle: Settle[] }>;
  bytes: number;
}

const emptyBatch = (kind: RecordKind): Batch => ({ kind, records: new Map(), bytes: 0 });

/** Batches of the subjects of one lane, one after the other. */
class Lane {
  private readonly filling: Record<RecordKind, Batch> = {
    consent: emptyBatch('consent'),
    preference: emptyBatch('preference'),
  };
  private sent: Promise<void> = Promise.resolve();

  constructor(private readonly send: SendRecords) {}

  add(record: ImportRecord, settle: Settle): void {
    const batch = this.filling[record.kind];
    const key = record.body['idempotencyKey'] as string;
    const same = batch.records.get(key);
    if (same) return void same.settle.push(settle);
    batch.records.set(key, { record, settle: [settle] });
    batch.bytes += record.bytes;
    if (batch.records.size >= RECORDS_MAX || batch.bytes >= BYTES_MAX) this.flush(record.kind);
  }

  flush(kind: RecordKind): void {
    const { records } = this.filling[kind];
    if (records.size === 0) return;
    this.filling[kind] = emptyBatch(kind);
    const all = [...records.values()];
    this.sent = this.sent.then(async () => {
      const outcomes = await this.send(
        kind,
        all.map(({ record }) => record),
      );
      for (const [i, { settle }] of all.entries()) settle.forEach((each, n) => each(outcomes[i]!, n > 0));
    });
    // It is awaited later: until then it must not count as unhandled.
    this.sent.catch(() => undefined);
  }

  async settled(): Promise<void> {
    await this.sent;
  }
}

/**
 * Puts records into batches, side by side in a fixed number of lanes. All records of a subject go through one lane, in
 * the order of the file, so that no two batches race for a subject.
 */
export class Lanes {
  private readonly lanes: readonly Lane[];

  constructor(count: number, send: SendRecords) {
    this.lanes = Array.from({ length: count }, () => new Lane(send));
  }

  /** `digest`: of the subject, any whole number. */
  add(record: ImportRecord, digest: number, settle: Settle): void {
    this.lanes[digest % this.lanes.length]!.add(record, settle);
  }

  /** Sends what is gathered, also where a batch could take more. */
  flush(): void {
    for (const lane of this.lanes) for (const kind of ['consent', 'preference'] as const) lane.flush(kind);
  }

  /** Resolves when no batch is under way any more; rejects with the first one that could not be sent. */
  async settled(): Promise<void> {
    this.flush();
    const ended = await Promise.allSettled(this.lanes.map((lane) => lane.settled()));
    for (const each of ended) if (each.status === 'rejected') throw each.reason;
  }
}
