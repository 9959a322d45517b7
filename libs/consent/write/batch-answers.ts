import { Inject, Injectable } from '@nestjs/common';
import { Codec } from '../../streams/codec.js';
import type { EventLog } from '../../log/port.js';
import { Stream } from '../../streams/stream.js';
import type { StreamFold } from '../../streams/stream-fold.js';
import { EVENT_LOG } from '../../log/tokens.js';
import {
  CLOCK,
  isRefusal,
  refusal,
  Refused,
  subjectStream,
  uuidV5,
  withMembers,
  type Clock,
  type Position,
  type Refusal,
  type Scope,
} from '../../kernel/index.js';
import type { Caller } from '../../http/caller.js';
import type { Done } from '../../commands/once.js';
import { eventMetadata } from '../../commands/event-metadata.js';
import type { RequestKey } from '../../commands/reservations.js';
import { Vault } from '../../vault/vault.js';
import { causeOf } from '../../subjects/services.js';
import { RECEIPT_TOKENS, type ReceiptTokens } from '../../receipts/index.js';
import { CONSENT_STREAMS, type ConsentState, type FoldedByConsent } from '../state.js';
import type { ConsentRecordView } from '../view.js';
import type { BatchCompleted, BatchItemKept } from './batch-events.js';
import type { BatchMode } from './dto.js';
import { recordedIn, type AnsweredRecord, type Recorded } from './record-request.js';

type ItemError = Omit<Refusal, 'refused' | 'retryAfterSeconds'>;

export type ItemResult =
  | { status: 'RECORDED' | 'REPLAYED'; view: ConsentRecordView; position: Position }
  /** `tooEarly`: where the same record will be allowed later, the refusal that says when. */
  | { status: 'REJECTED'; error: ItemError; tooEarly?: Refusal }
  | { status: 'NOT_APPLIED' };

export interface BatchAnswer {
  object: 'batch_result';
  mode: BatchMode;
  summary: { total: number; recorded: number; replayed: number; rejected: number };
  results: { index: number; status: ItemResult['status']; record?: AnsweredRecord; error?: ItemError }[];
}

const batchStream = (scope: Scope, digest: string): string => `batch-${scope.site}.${scope.env}.${digest}`;

type KeptAnswer = BatchCompleted['data'];

/** What was answered; null where nothing was yet. */
const BATCH_FOLD: StreamFold<KeptAnswer | null, BatchCompleted> = {
  initial: () => null,
  evolve: (_, { data }) => data,
  contended: () =>
    refusal(
      'state_conflict',
      'The same batch was answered elsewhere at the same time.',
      'Repeat the request; its answer will be the one of the first.',
    ),
};
/** Subjects of a batch that are read at the same time when it is answered again: one by one, 500 took seconds on a busy machine. */
const READ_AT_ONCE = 32;
/** Answers are long, and hardly ever asked for again: a bound of their cache, in bytes. */
const CACHED_BYTES = 1024 * 1024;

/**
 * What a batch was answered, kept in a stream of its own under the digest of the batch's key: which records it made,
 * and why it refused the others. Repeating the batch gives the first answer, built from the events it names.
 */
@Injectable()
export class BatchAnswers {
  private readonly batches: Stream<KeptAnswer | null, BatchCompleted>;

  constructor(
    @Inject(EVENT_LOG) log: EventLog,
    codec: Codec,
    @Inject(CONSENT_STREAMS) private readonly subjects: Stream<ConsentState, FoldedByConsent>,
    private readonly vault: Vault,
    @Inject(RECEIPT_TOKENS) private readonly receipts: ReceiptTokens,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.batches = new Stream(log, codec, BATCH_FOLD, { cachedBytes: CACHED_BYTES });
  }

  async build(mode: BatchMode, results: readonly ItemResult[]): Promise<BatchAnswer> {
    const count = (status: ItemResult['status']): number => results.filter((result) => result.status === status).length;
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
          record: withMembers(result.view, { receiptToken: this.receipts.of(result.view.receiptId) }),
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
    { mode, results }: { mode: BatchMode; results: readonly ItemResult[] },
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
  async find(scope: Scope, digest: string): Promise<Done<BatchAnswer> | null> {
    const { state, position } = await this.batches.load(batchStream(scope, digest));
    if (!state || position === null) return null;
    const { mode, results } = state;
    const records = await this.recordsOf(scope, results);
    const restored = results.map((kept): ItemResult => {
      if (kept.status === 'REJECTED' || kept.status === 'NOT_APPLIED') return kept;
      return { ...records.get(`${kept.subjectId}/${kept.revision}`)!, status: kept.status };
    });
    return { answer: await this.build(mode, restored), position };
  }

  private async recordsOf(scope: Scope, results: readonly BatchItemKept[]): Promise<Map<string, Recorded>> {
    const revisions = new Map<string, number[]>();
    for (const kept of results) {
      if (!('revision' in kept)) continue;
      const known = revisions.get(kept.subjectId);
      if (known) known.push(kept.revision);
      else revisions.set(kept.subjectId, [kept.revision]);
    }
    const records = new Map<string, Recorded>();
    const left = revisions.entries();
    const reader = async (): Promise<void> => {
      for (const [subjectId, wanted] of left) {
        const cipher = await this.vault.cipherOf(subjectId);
        for (const event of await this.subjects.at(subjectStream(scope, subjectId), wanted, cipher))
          records.set(`${subjectId}/${event.revision}`, recordedIn({ subjectId, events: [event] }));
      }
    };
    await Promise.all(Array.from({ length: READ_AT_ONCE }, reader));
    return records;
  }
}
