export type { BundleSigner, DatedKey } from './bundle-signer.js';
export { erasureReceipt, RECEIPT_SCHEMA, type ErasureFacts, type ErasureReceipt } from './erasure-receipt.js';
export { kantaraReceipt, type KantaraReceipt } from './kantara.js';
export {
  RECEIPT_HOLDERS,
  RECEIPT_INDEX,
  RECEIPT_PLACES,
  RECEIPT_TOKENS,
  type ReceiptHolders,
  type ReceiptTokens,
} from './receipt-access.js';
export { NOTE_SIGNER, type NoteSignature, type NoteSigner } from './note-signer.js';
export { RECEIPT_SIGNER, type ReceiptSigner } from './receipt-signer.js';
export { recordReceipt, type ReceiptController, type ReceiptPurpose, type RecordReceipt } from './record-receipt.js';
export { keysAtHand, verdictOn, type KeysAtHand, type Verdict } from './verdict.js';
export { STATEMENT_SIGNER, type SignedStatement, type StatementSigner } from './statement-signer.js';
