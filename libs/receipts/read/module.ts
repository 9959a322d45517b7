import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { EventIndex } from '../../following/projections/event-index.js';
import type { EventLog } from '../../log/port.js';
import { EVENT_LOG } from '../../log/tokens.js';
import type { ReadProgress } from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import { RECEIPT_INDEX, RECEIPT_PLACES, RECEIPTS_PROGRESS } from '../receipt-access.js';
import { GetReceiptHandler } from './get-receipt.handler.js';
import { ReceiptSources } from './receipt-sources.js';
import { ReceiptsController } from './receipts.controller.js';
import { RECEIPT_ROWS } from './receipts.projection.js';

/** Answers receipts, whichever context keeps their records, and tells the contexts where those stand. */
@Global()
@Module({
  imports: [CqrsModule],
  controllers: [ReceiptsController],
  providers: [
    GetReceiptHandler,
    ReceiptSources,
    { provide: RECEIPT_PLACES, useExisting: ReceiptSources },
    {
      provide: RECEIPT_INDEX,
      inject: [Database, EVENT_LOG, RECEIPTS_PROGRESS],
      useFactory: (database: Database, log: EventLog, progress: ReadProgress) =>
        new EventIndex(database, log, progress, RECEIPT_ROWS),
    },
  ],
  exports: [RECEIPT_INDEX, RECEIPT_PLACES],
})
export class ReceiptsReadModule {}
