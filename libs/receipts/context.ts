import { defineContext } from '../context/define-context.js';
import { receiptJournal } from './journal.js';
import { defineReadModel } from '../context/read-model.js';
import { ReceiptsModule } from './module.js';
import { ReceiptsReadModule } from './read/module.js';
import { receiptsProjection } from './read/receipts.projection.js';
import { RECEIPTS_PROGRESS } from './receipt-access.js';
import { SigningKeysWriteModule } from './write/module.js';
import { SIGNING_KEY_OPERATIONS } from './write/operations.js';
import { SIGNING_KEY_EVENTS, SIGNING_KEYS_STREAM } from './events.js';
import { RECEIPT_OPERATIONS } from './read/operations.js';
import { portalReceipts } from './read/portal-door.js';

// What the composition uses by itself.
export { RECEIPT_SOURCES } from './receipt-access.js';
export { SigningKeys } from './signing-keys.js';

/** Signatures by which anybody can verify what the service answered, and the keys for that. */
export const receiptsContext = defineContext({
  name: 'receipts',
  portal: portalReceipts,
  journal: receiptJournal,
  events: SIGNING_KEY_EVENTS,
  streams: [{ name: SIGNING_KEYS_STREAM, of: 'INSTALLATION' }],
  readModels: (timeline) => [
    defineReadModel({ projection: receiptsProjection(timeline), progress: RECEIPTS_PROGRESS }),
  ],
  headings: { Receipts: 'What it takes to verify a signed receipt, also years later and without this service.' },
  operations: [...RECEIPT_OPERATIONS, ...SIGNING_KEY_OPERATIONS],
  modules: {
    'write-api': [ReceiptsModule, SigningKeysWriteModule],
    'read-api': [ReceiptsModule, ReceiptsReadModule],
    dispatcher: [ReceiptsModule],
  },
});
