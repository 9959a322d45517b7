import { defineContext } from '../context/define-context.js';
import { ReceiptsModule } from './module.js';
import { RECEIPT_OPERATIONS } from './read/operations.js';

/** Signatures by which anybody can verify what the service answered, and the keys for that. */
export const receiptsContext = defineContext({
  name: 'receipts',
  headings: { Receipts: 'What it takes to verify a signed receipt, also years later and without this service.' },
  operations: RECEIPT_OPERATIONS,
  modules: { 'write-api': [ReceiptsModule], 'read-api': [ReceiptsModule], dispatcher: [ReceiptsModule] },
});
