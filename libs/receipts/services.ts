export type { PortalReceipts, ShownReceipt } from './read/portal-door.js';
