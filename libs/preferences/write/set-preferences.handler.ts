import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { withoutAge } from '../../consent/index.js';
import { CLOCK, isRefusal, parseReference, Refused, type Clock } from '../../kernel/index.js';
import type { Caller } from '../../http/caller.js';
import { IdempotencyReservations } from '../../commands/reservations.js';
import { keyScopeOf } from '../../commands/key-scope.js';
import { answered, type Repeatable } from '../../commands/once.js';
import { RECEIPT_TOKENS, type ReceiptTokens } from '../../receipts/index.js';
import { causeOf } from '../../subjects/services.js';
import type { SetPreferencesDto } from './dto.js';
import { PREFERENCES_PATH, preferencesIn, PreferenceRequests, type AnsweredPreferences } from './preference-request.js';
import { PREFERENCE_WRITER, type PreferenceWriter } from './preference-writer.js';

/** Record what a subject wants. */
export class SetPreferences extends Command<RecordedPreferences> {
  constructor(
    readonly caller: Caller,
    readonly input: SetPreferencesDto,
    readonly idempotencyKey: string | null,
  ) {
    super();
  }
}

export type RecordedPreferences = Repeatable<AnsweredPreferences>;

@CommandHandler(SetPreferences)
export class SetPreferencesHandler implements ICommandHandler<SetPreferences> {
  constructor(
    @Inject(PREFERENCE_WRITER) private readonly writer: PreferenceWriter,
    private readonly requests: PreferenceRequests,
    private readonly reservations: IdempotencyReservations,
    @Inject(RECEIPT_TOKENS) private readonly receipts: ReceiptTokens,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ caller, input, idempotencyKey }: SetPreferences): Promise<RecordedPreferences> {
    const reference = parseReference(input.subject);
    if (isRefusal(reference)) throw new Refused(reference);
    const at = this.clock();
    const decide = await this.requests.decisionOf(caller, input, at);
    const scope = keyScopeOf(caller, [reference]);
    const key = this.reservations.keyOf(scope, idempotencyKey, 'POST', PREFERENCES_PATH, withoutAge(input));
    const cause = { countedFor: caller, ...causeOf(caller, at) };
    const written = await this.writer.write({ scope: caller, reference }, { key, decide }, cause);
    const { answer, position, replayed } = answered(written);
    const { view } = preferencesIn(answer);
    return { answer: { ...view, receiptToken: this.receipts.of(view.receiptId) }, position, replayed };
  }
}
