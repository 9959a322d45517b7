/**
 * The roles of a process. `write-api` takes commands, `read-api` answers queries, `projector` writes the read models,
 * `dispatcher` does work when it is due. A standalone process has all of them.
 */
export const ROLES = ['write-api', 'read-api', 'projector', 'dispatcher'] as const;
export type Role = (typeof ROLES)[number];
