import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ConsentStreamsModule } from '../streams.module.js';
import { ConsentReceipts } from './consent-receipts.js';
import { ConsentReadController } from './controller.js';
import { ExplainConsentHandler } from './explain-consent.handler.js';
import { GetConsentHistoryHandler } from './get-consent-history.handler.js';
import { GetConsentStateHandler } from './get-consent-state.handler.js';
import { KnownSubjects } from './known-subjects.js';
import { ListRenewalsHandler } from './list-renewals.handler.js';
import { ConsentReader } from './reader.js';
import { RenewalsController } from './renewals.controller.js';
import { ConsentRows } from './rows.js';

@Module({
  imports: [CqrsModule, ConsentStreamsModule],
  controllers: [ConsentReadController, RenewalsController],
  providers: [
    ConsentReader,
    ConsentRows,
    ConsentReceipts,
    KnownSubjects,
    GetConsentStateHandler,
    ExplainConsentHandler,
    GetConsentHistoryHandler,
    ListRenewalsHandler,
  ],
})
export class ConsentReadModule {}
