import { Module } from '@nestjs/common';
import type { EventLog } from '../../log/port.js';
import { EVENT_LOG } from '../../log/tokens.js';
import type { ReadProgress } from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import { Vault } from '../../vault/vault.js';
import { NOTE_SIGNER, type NoteSigner } from '../../receipts/index.js';
import { Ledger } from '../ledger.js';
import { LEDGER_PROGRESS } from '../ledger-progress.js';
import { RecordProofs } from '../record-proofs.js';
import { LedgerController } from './ledger.controller.js';
import { OpenLedgerController } from './open-ledger.controller.js';
import { VerifierKeysController } from './verifiers.controller.js';

/** Shows the ledger to holders of a secret key, and to the public where the site has opened it. */
@Module({
  controllers: [LedgerController, OpenLedgerController, VerifierKeysController],
  providers: [
    {
      provide: Ledger,
      inject: [Database, NOTE_SIGNER],
      useFactory: (database: Database, signer: NoteSigner) => new Ledger(database, signer),
    },
    {
      provide: RecordProofs,
      inject: [Ledger, EVENT_LOG, Vault, LEDGER_PROGRESS],
      useFactory: (ledger: Ledger, log: EventLog, vault: Vault, progress: ReadProgress) =>
        new RecordProofs(ledger, log, vault, progress),
    },
  ],
})
export class LedgerReadModule {}
