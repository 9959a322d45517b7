export { redirectNotAllowed, redirectUrl } from './redirect-url.js';
export type { PendingWish, PortalPreferences, PortalWishes, WantedPreferences } from './shown/portal-door.js';
export { PreferenceHistoryItemDto } from './read/dto.js';
