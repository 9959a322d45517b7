import { Global, Module } from '@nestjs/common';
import { KeySetController } from './read/controller.js';
import { NOTE_SIGNER } from './note-signer.js';
import { RECEIPT_TOKENS } from './receipt-access.js';
import { RECEIPT_SIGNER } from './receipt-signer.js';
import { DerivedReceiptTokens } from './receipt-tokens.js';
import { SigningKeys } from './signing-keys.js';
import { STATEMENT_SIGNER } from './statement-signer.js';

/** Signs for whichever context has something to prove, and publishes the keys. */
@Global()
@Module({
  controllers: [KeySetController],
  providers: [
    SigningKeys,
    { provide: NOTE_SIGNER, useExisting: SigningKeys },
    { provide: RECEIPT_SIGNER, useExisting: SigningKeys },
    { provide: RECEIPT_TOKENS, useClass: DerivedReceiptTokens },
    { provide: STATEMENT_SIGNER, useExisting: SigningKeys },
  ],
  exports: [SigningKeys, NOTE_SIGNER, RECEIPT_SIGNER, RECEIPT_TOKENS, STATEMENT_SIGNER],
})
export class ReceiptsModule {}
