import type { Reference } from '../kernel/index.js';
import type { Caller } from '../platform/http/caller.js';

/** Injection token of the PortalDoors. */
export const PORTAL_DOORS = Symbol('PortalDoors');

/**
 * What the portal asks of other contexts: their own commands and queries, as their operations use them. Whoever knows all
 * contexts provides it.
 */
export interface PortalDoors {
  /**
   * The id of the subject that a reference names, merges followed; a person who is new is made, an id must be known.
   * Rejects with `subject_not_found` or `subject_erased`. Needs the role that writes.
   */
  subjectOf(caller: Caller, reference: Reference): Promise<string>;
}
