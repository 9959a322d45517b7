export * from './intake.js';
export type { PortalRequest, PortalRequests } from './read/portal-door.js';
