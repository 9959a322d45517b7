import { Inject, type FactoryProvider } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { withoutAge } from '../../consent/index.js';
import type { Caller } from '../../http/caller.js';
import type { Repeatable } from '../../commands/once.js';
import type { Stream } from '../../streams/stream.js';
import { SUBJECT_BATCHES, type BatchAnswer, type SubjectBatch, type SubjectBatches } from '../../subjects/services.js';
import { PREFERENCE_STREAMS, type FoldedByPreferences, type PreferenceState } from '../state.js';
import type { PreferenceRecordView } from '../view.js';
import type { SetPreferencesBatchDto, SetPreferencesDto } from './dto.js';
import { PREFERENCES_PATH, preferencesIn, PreferenceRequests } from './preference-request.js';
import { PREFERENCE_WRITER, type PreferenceWriter } from './preference-writer.js';

const PREFERENCE_BATCH = Symbol('PreferenceBatch');
type PreferenceBatch = SubjectBatch<SetPreferencesDto, PreferenceState, PreferenceRecordView>;

export const preferenceBatch: FactoryProvider<PreferenceBatch> = {
  provide: PREFERENCE_BATCH,
  inject: [SUBJECT_BATCHES, PREFERENCE_WRITER, PREFERENCE_STREAMS],
  useFactory: (
    batches: SubjectBatches,
    writer: PreferenceWriter,
    streams: Stream<PreferenceState, FoldedByPreferences>,
  ) => batches.of({ path: PREFERENCES_PATH, writer, streams, fingerprinted: withoutAge, recordedIn: preferencesIn }),
};

/** Record what up to 500 subjects want. */
export class SetPreferencesBatch extends Command<Repeatable<BatchAnswer<PreferenceRecordView>>> {
  constructor(
    readonly caller: Caller,
    readonly input: SetPreferencesBatchDto,
    readonly idempotencyKey: string | null,
  ) {
    super();
  }
}

@CommandHandler(SetPreferencesBatch)
export class SetPreferencesBatchHandler implements ICommandHandler<SetPreferencesBatch> {
  constructor(
    @Inject(PREFERENCE_BATCH) private readonly batch: PreferenceBatch,
    private readonly requests: PreferenceRequests,
  ) {}

  execute(request: SetPreferencesBatch): Promise<Repeatable<BatchAnswer<PreferenceRecordView>>> {
    return this.batch.record({
      ...request,
      decide: (record, at) => this.requests.decisionOf(request.caller, record, at),
    });
  }
}
