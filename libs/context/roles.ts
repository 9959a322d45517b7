/**
 * What an operator may be, for a site and environment. A role is the list of the operations that name it in their
 * declaration (`roles`); no other list of it exists.
 */
export const ROLES = ['VIEWER', 'SUPPORT', 'EDITOR', 'PRIVACY', 'DEVELOPER', 'AUDITOR', 'ADMIN'] as const;
export type Role = (typeof ROLES)[number];

/** A role that may call an operation; with `:test`, only there. ADMIN may call every one and is not named. */
export type RoleGrant = Exclude<Role, 'ADMIN'> | 'DEVELOPER:test';

/** Overview, purposes and texts, banner, statistics, health: nothing about persons. */
export const TO_LOOK = [
  'VIEWER',
  'SUPPORT',
  'EDITOR',
  'PRIVACY',
  'DEVELOPER',
  'AUDITOR',
] as const satisfies readonly RoleGrant[];
/** To read what is known of a person. */
export const TO_READ_PERSONS = [
  'SUPPORT',
  'PRIVACY',
  'AUDITOR',
  'DEVELOPER:test',
] as const satisfies readonly RoleGrant[];
/** To act for a person who asks: preferences, confirmations, portal links, data requests until they are completed. */
export const TO_HELP_PERSONS = ['SUPPORT', 'PRIVACY'] as const satisfies readonly RoleGrant[];
/** To write drafts of purposes, texts, banner and brand. */
export const TO_DRAFT = ['EDITOR', 'PRIVACY'] as const satisfies readonly RoleGrant[];
/** To publish, and to decide about persons: erase, hold, merge, complete and reject requests, reveal identifiers. */
export const TO_DECIDE = ['PRIVACY'] as const satisfies readonly RoleGrant[];
/** To look at keys and webhooks. */
export const TO_READ_SETTINGS = ['DEVELOPER', 'AUDITOR'] as const satisfies readonly RoleGrant[];
/** To change keys and webhooks. */
export const TO_BUILD = ['DEVELOPER:test'] as const satisfies readonly RoleGrant[];
/** To look at ledger, proofs and bundles, and at who read what. */
export const TO_AUDIT = ['AUDITOR', 'PRIVACY'] as const satisfies readonly RoleGrant[];
/** What ADMIN alone may do. */
export const TO_ADMINISTER = [] as const satisfies readonly RoleGrant[];
