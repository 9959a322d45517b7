import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { EFFECTIVE_CONSENT } from '../effective-consent.js';
import { ConsentStreamsModule } from '../streams.module.js';
import { ConsentAnswers } from './consent-answers.js';
import { ConsentReceipts } from './consent-receipts.js';
import { ConsentReadController } from './controller.js';
import { ExplainConsentHandler } from './explain-consent.handler.js';
import { GetConsentHistoryHandler } from './get-consent-history.handler.js';
import { GetConsentStateHandler } from './get-consent-state.handler.js';
import { GpcSupportController } from './gpc-support.controller.js';
import { KnownSubjects } from './known-subjects.js';
import { ListRenewalsHandler } from './renewals/list-renewals.handler.js';
import { ConsentReader } from './reader.js';
import { RenewalsController } from './renewals/renewals.controller.js';
import { ConsentRows } from './rows.js';

/** Reads consent, and answers for it where strings of frameworks are made. */
@Global()
@Module({
  imports: [CqrsModule, ConsentStreamsModule],
  controllers: [ConsentReadController, RenewalsController, GpcSupportController],
  providers: [
    ConsentReader,
    ConsentRows,
    ConsentAnswers,
    { provide: EFFECTIVE_CONSENT, useExisting: ConsentAnswers },
    ConsentReceipts,
    KnownSubjects,
    GetConsentStateHandler,
    ExplainConsentHandler,
    GetConsentHistoryHandler,
    ListRenewalsHandler,
  ],
  exports: [EFFECTIVE_CONSENT],
})
export class ConsentReadModule {}
