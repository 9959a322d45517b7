/**
 * What a process can be. `write-api` takes commands, `read-api` answers questions, `projector` keeps the read models,
 * `dispatcher` does what time demands. A standalone process is all of them.
 */
export const ROLES = ['write-api', 'read-api', 'projector', 'dispatcher'] as const;
export type Role = (typeof ROLES)[number];
