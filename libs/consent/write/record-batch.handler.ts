import { Inject, type FactoryProvider } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import type { Repeatable } from '../../commands/once.js';
import type { Stream } from '../../streams/stream.js';
import { SUBJECT_BATCHES, type BatchAnswer, type SubjectBatch, type SubjectBatches } from '../../subjects/services.js';
import { withoutAge } from '../given.js';
import { CONSENT_STREAMS, type ConsentState, type FoldedByConsent } from '../state.js';
import type { ConsentRecordView } from '../view.js';
import type { RecordBatchDto, RecordConsentDto } from './dto.js';
import { CONSENT_PATH, CONSENT_WRITER, recordedIn, RecordRequests, type ConsentWriter } from './record-request.js';

const CONSENT_BATCH = Symbol('ConsentBatch');
type ConsentBatch = SubjectBatch<RecordConsentDto, ConsentState, ConsentRecordView>;

export const consentBatch: FactoryProvider<ConsentBatch> = {
  provide: CONSENT_BATCH,
  inject: [SUBJECT_BATCHES, CONSENT_WRITER, CONSENT_STREAMS],
  useFactory: (batches: SubjectBatches, writer: ConsentWriter, streams: Stream<ConsentState, FoldedByConsent>) =>
    batches.of({ path: CONSENT_PATH, writer, streams, fingerprinted: withoutAge, recordedIn }),
};

/** Record up to 500 decisions, of one subject or of many. */
export class RecordBatchCommand extends Command<Repeatable<BatchAnswer<ConsentRecordView>>> {
  constructor(
    readonly caller: Caller,
    readonly input: RecordBatchDto,
    readonly idempotencyKey: string | null,
    /** `Sec-GPC: 1` came with the request. */
    readonly gpcHeader: boolean,
  ) {
    super();
  }
}

@CommandHandler(RecordBatchCommand)
export class RecordBatchHandler implements ICommandHandler<RecordBatchCommand> {
  constructor(
    @Inject(CONSENT_BATCH) private readonly batch: ConsentBatch,
    private readonly requests: RecordRequests,
  ) {}

  execute({ gpcHeader, ...request }: RecordBatchCommand): Promise<Repeatable<BatchAnswer<ConsentRecordView>>> {
    return this.batch.record({
      ...request,
      decide: (record, at) => this.requests.decisionOf(request.caller, record, gpcHeader, at),
    });
  }
}
