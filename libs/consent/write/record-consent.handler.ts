import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  CLOCK,
  isRefusal,
  parseReference,
  Refused,
  withMembers,
  type Clock,
  type Position,
} from '../../kernel/index.js';
import type { Caller } from '../../http/caller.js';
import { keyScopeOf } from '../../commands/key-scope.js';
import { answered } from '../../commands/once.js';
import { IdempotencyReservations } from '../../commands/reservations.js';
import { RECEIPT_TOKENS, type ReceiptTokens } from '../../receipts/index.js';
import { causeOf } from '../../subjects/services.js';
import { withoutAge } from '../given.js';
import type { RecordConsentDto } from './dto.js';
import {
  CONSENT_PATH,
  CONSENT_WRITER,
  recordedIn,
  RecordRequests,
  type AnsweredRecord,
  type ConsentWriter,
} from './record-request.js';

/** Record one decision. */
export class RecordConsentCommand extends Command<RecordedConsent> {
  constructor(
    readonly caller: Caller,
    readonly input: RecordConsentDto,
    readonly idempotencyKey: string | null,
    /** `Sec-GPC: 1` came with the request. */
    readonly gpcHeader: boolean,
  ) {
    super();
  }
}

export interface RecordedConsent {
  view: AnsweredRecord;
  position: Position;
  replayed: boolean;
}

@CommandHandler(RecordConsentCommand)
export class RecordConsentHandler implements ICommandHandler<RecordConsentCommand> {
  constructor(
    @Inject(CONSENT_WRITER) private readonly writer: ConsentWriter,
    private readonly requests: RecordRequests,
    private readonly reservations: IdempotencyReservations,
    @Inject(RECEIPT_TOKENS) private readonly receipts: ReceiptTokens,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ caller, input, idempotencyKey, gpcHeader }: RecordConsentCommand): Promise<RecordedConsent> {
    const reference = parseReference(input.subject);
    if (isRefusal(reference)) throw new Refused(reference);
    const at = this.clock();
    const decide = await this.requests.decisionOf(caller, input, gpcHeader, at);
    const scope = keyScopeOf(caller, [reference]);
    const key = this.reservations.keyOf(scope, idempotencyKey, 'POST', CONSENT_PATH, withoutAge(input));
    const cause = { countedFor: caller, ...causeOf(caller, at) };
    const written = await this.writer.write({ scope: caller, reference }, { key, decide }, cause);
    const { answer, replayed } = answered(written);
    const { view, position } = recordedIn(answer);
    return { view: withMembers(view, { receiptToken: this.receipts.of(view.receiptId) }), position, replayed };
  }
}
