export type { ListedReceipt, PortalConsent, PortalDecision, PortalRecord } from './shown/portal-door.js';
export { ConsentHistoryItemDto } from './read/dto.js';
export { endingGrants, RENEWED_WITHIN_DAYS } from './read/ending-grants.js';
