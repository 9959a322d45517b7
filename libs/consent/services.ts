export type { ListedReceipt, PortalConsent, PortalDecision, PortalRecord } from './shown/portal-door.js';
export { ConsentHistoryItemDto } from './read/dto.js';
