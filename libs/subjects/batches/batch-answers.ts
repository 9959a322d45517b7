import { type Stream } from '../../streams/stream.js';
import type { StreamFold } from '../../streams/stream-fold.js';
import {
  isRefusal,
  refusal,
  Refused,
  subjectStream,
  uuidV5,
  type Clock,
  type Position,
  type Refusal,
  type Scope,
} from '../../kernel/index.js';
import type { Caller } from '../../http/caller.js';
import type { Done } from '../../commands/once.js';
import { eventMetadata } from '../../commands/event-metadata.js';
import type { RequestKey } from '../../commands/reservations.js';
import type { Vault } from '../../vault/vault.js';
import type { ReceiptTokens } from '../../receipts/index.js';
import type { BatchAnswer, BatchKind, Recorded, RecordView } from './batch.js';
import { BATCH_STREAM, type BatchCompleted, type BatchItemKept, type BatchMode } from '../events.js';
import { causeOf } from '../writer.js';

export type ItemResult<V> =
  | { status: 'RECORDED' | 'REPLAYED'; view: V; position: Position }
  /** `tooEarly`: where the same record will be allowed later, the refusal that says when. */
  | { status: 'REJECTED'; error: Omit<Refusal, 'refused' | 'retryAfterSeconds'>; tooEarly?: Refusal }
  | { status: 'NOT_APPLIED' };

const batchStream = (scope: Scope, digest: string): string => `${BATCH_STREAM}-${scope.site}.${scope.env}.${digest}`;

type KeptAnswer = BatchCompleted['data'];

/** What was answered; null where nothing was yet. */
export const BATCH_FOLD: StreamFold<KeptAnswer | null, BatchCompleted> = {
  initial: () => null,
  evolve: (_, { data }) => data,
  contended: () =>
    refusal(
      'state_conflict',
      'The same batch was answered elsewhere at the same time.',
      'Repeat the request; its answer will be the one of the first.',
    ),
};
/** Answers of batches of every kind. */
export type KeptAnswers = Stream<KeptAnswer | null, BatchCompleted>;

/**
 * What a batch was answered, kept in a stream of its own under the digest of the batch's key: which records it made,
 * and why it refused the others. Repeating the batch gives the first answer, built from the events it names.
 */
export class BatchAnswers<V extends RecordView> {
  constructor(
    private readonly batches: KeptAnswers,
    private readonly kind: Pick<BatchKind<never, never, V>, 'streams' | 'recordedIn'>,
    private readonly vault: Vault,
    private readonly receipts: ReceiptTokens,
    private readonly clock: Clock,
  ) {}

  build(mode: BatchMode, results: readonly ItemResult<V>[]): BatchAnswer<V> {
    const count = (status: BatchItemKept['status']): number =>
      results.filter((result) => result.status === status).length;
    return {
      object: 'batch_result',
      mode,
      summary: {
        total: results.length,
        recorded: count('RECORDED'),
        replayed: count('REPLAYED'),
        rejected: count('REJECTED'),
      },
      results: results.map((result, index) => ({
        index,
        status: result.status,
        ...('view' in result && {
          record: Object.assign({}, result.view, { receiptToken: this.receipts.of(result.view.receiptId) }),
        }),
        ...('error' in result && { error: result.error }),
      })),
    };
  }

  /**
   * Comes before the answer: a batch that was acknowledged can be answered again the same way. `reservedFor`: whom the
   * erasure of closes the batch, as its reservation names them.
   */
  async keep(
    caller: Caller,
    { digest, fingerprint }: RequestKey,
    reservedFor: readonly string[],
    { mode, results }: { mode: BatchMode; results: readonly ItemResult<V>[] },
  ): Promise<void> {
    const items = results.map((result): BatchItemKept =>
      'view' in result
        ? { status: result.status, subjectId: result.view.subject.id, revision: result.view.sequence }
        : 'error' in result
          ? { status: 'REJECTED', error: result.error }
          : { status: 'NOT_APPLIED' },
    );
    const event: BatchCompleted = { type: 'BatchCompleted', data: { mode, results: items } };
    const metadata = eventMetadata({
      ...causeOf(caller, this.clock()),
      request: { digest, fingerprint },
      ...(reservedFor.length > 0 && { reservedFor }),
    });
    const kept = await this.batches.execute(
      batchStream(caller, digest),
      undefined,
      ({ state }) => ({
        append: state ? [] : [{ event, id: uuidV5(`${digest}/completed`), metadata }],
        answer: () => null,
      }),
      { isNew: true },
    );
    if (isRefusal(kept)) throw new Refused(kept);
  }

  /** The first answer to a batch, or null where it was never completed. */
  async find(scope: Scope, digest: string): Promise<Done<BatchAnswer<V>> | null> {
    const { state, position } = await this.batches.load(batchStream(scope, digest));
    if (!state || position === null) return null;
    const { mode, results } = state;
    const records = await this.recordsOf(scope, results);
    const restored = results.map((kept): ItemResult<V> => {
      if (kept.status === 'REJECTED' || kept.status === 'NOT_APPLIED') return kept;
      return { ...records.get(`${kept.subjectId}/${kept.revision}`)!, status: kept.status };
    });
    return { answer: this.build(mode, restored), position };
  }

  private async recordsOf(scope: Scope, results: readonly BatchItemKept[]): Promise<Map<string, Recorded<V>>> {
    const revisions = new Map<string, number[]>();
    for (const kept of results) {
      if (!('revision' in kept)) continue;
      const known = revisions.get(kept.subjectId);
      if (known) known.push(kept.revision);
      else revisions.set(kept.subjectId, [kept.revision]);
    }
    const records = new Map<string, Recorded<V>>();
    await readEach(revisions, async ([subjectId, wanted]) => {
      const cipher = await this.vault.cipherOf(subjectId);
      for (const event of await this.kind.streams.at(subjectStream(scope, subjectId), wanted, cipher))
        records.set(`${subjectId}/${event.revision}`, this.kind.recordedIn({ subjectId, events: [event] }));
    });
    return records;
  }
}

/** Subjects of a batch that are read at the same time: one by one, 500 took seconds on a busy machine. */
const READ_AT_ONCE = 32;

/** Calls `read` for each of them, for some at the same time. */
export async function readEach<T>(each: Iterable<T>, read: (one: T) => Promise<void>): Promise<void> {
  const left = each[Symbol.iterator]();
  const reader = async (): Promise<void> => {
    for (let next = left.next(); !next.done; next = left.next()) await read(next.value);
  };
  await Promise.all(Array.from({ length: READ_AT_ONCE }, reader));
}
