export * from './intake.js';
export type { PortalRequest, PortalRequests } from './read/portal-door.js';
export { waitingRequests, type WaitingRequests } from './read/waiting-requests.js';
