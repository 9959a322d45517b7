export { erasureReceipt, RECEIPT_SCHEMA, type ErasureFacts, type ErasureReceipt } from './erasure-receipt.js';
export { RECEIPT_SIGNER, type ReceiptSigner } from './receipt-signer.js';
