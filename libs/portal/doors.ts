import type { PortalConsent } from '../consent/services.js';
import type { PortalRequests } from '../data-requests/services.js';
import type { PortalWishes } from '../preferences/services.js';
import type { PortalReceipts } from '../receipts/services.js';
import type { PortalSubjects } from '../subjects/services.js';

/** Injection token of the PortalDoors. */
export const PORTAL_DOORS = Symbol('PortalDoors');

/**
 * What the portal asks of other contexts, each under the scope that the operation demands which does the same. Every
 * context brings its part, as `portal` in its declaration. Rejects with Refused as the operations do, with `scope_missing` where
 * the caller lacks the scope.
 */
export type PortalDoors = PortalSubjects & PortalWishes & PortalConsent & PortalReceipts & PortalRequests;
