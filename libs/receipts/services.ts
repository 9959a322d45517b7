export type { PortalReceipts, ShownReceipt } from './read/portal-door.js';
export { RECEIPT_SOURCES } from './receipt-access.js';
export { SigningKeys } from './signing-keys.js';
