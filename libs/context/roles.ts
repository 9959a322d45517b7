import { ENVIRONMENTS } from '../kernel/index.js';
import { ROLES, type OperatorRole, type Role } from '../kernel/scope.js';

export { ROLES, type OperatorRole, type Role };

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
/** To prepare files of the catalogue: compare them with what is published. */
export const TO_PREPARE = ['EDITOR', 'PRIVACY', 'DEVELOPER'] as const satisfies readonly RoleGrant[];
/** To publish, and to decide about persons: erase, hold, merge, complete and reject requests, reveal identifiers. */
export const TO_DECIDE = ['PRIVACY'] as const satisfies readonly RoleGrant[];
/** To look at keys and webhooks. */
export const TO_READ_SETTINGS = ['DEVELOPER', 'AUDITOR'] as const satisfies readonly RoleGrant[];
/** To change keys and webhooks. */
export const TO_BUILD = ['DEVELOPER:test'] as const satisfies readonly RoleGrant[];
/** To look at ledger, proofs and bundles, and at who read what. */
export const TO_AUDIT = ['AUDITOR', 'PRIVACY'] as const satisfies readonly RoleGrant[];
/** To read what operators did. */
export const TO_READ_JOURNAL = ['AUDITOR'] as const satisfies readonly RoleGrant[];
/** What ADMIN alone may do. */
export const TO_ADMINISTER = [] as const satisfies readonly RoleGrant[];

/** Of the first token, and of tokens from before roles. */
export const ADMIN_EVERYWHERE: readonly OperatorRole[] = [{ role: 'ADMIN', site: '*', env: '*' }];

/** Where an operation acts: `*` is everywhere, and a part that is left out is anywhere. */
export interface RolePlace {
  site?: string | undefined;
  env?: string | undefined;
}

/** Whether one of the roles that an operator has is among the grants of an operation, for a place. */
export function mayAt(held: readonly OperatorRole[], grants: readonly RoleGrant[], { site, env }: RolePlace): boolean {
  if (env === '*') return ENVIRONMENTS.every((each) => mayAt(held, grants, { site, env: each }));
  if (env === undefined) return ENVIRONMENTS.some((each) => mayAt(held, grants, { site, env: each }));
  return held.some(
    (each) =>
      (site === undefined || each.site === '*' || each.site === site) &&
      (each.env === '*' || each.env === env) &&
      (each.role === 'ADMIN' || grants.some((grant) => grant === each.role || grant === `${each.role}:${env}`)),
  );
}

/**
 * Where the roles that an operator has count for the grants of an operation, as `site/env`; the site may be `*`. For a
 * list that answers only what its caller reaches.
 */
export const placesOf = (held: readonly OperatorRole[], grants: readonly RoleGrant[]): string[] =>
  held.flatMap((each) =>
    ENVIRONMENTS.filter((env) => mayAt([each], grants, { site: each.site, env })).map((env) => `${each.site}/${env}`),
  );

/** Names of the sites that the roles reach; null: every site. */
export const sitesOf = (held: readonly OperatorRole[]): string[] | null =>
  held.some(({ site }) => site === '*') ? null : [...new Set(held.map(({ site }) => site))];

/** The grants of an operation as its documentation shows them. */
export const shownGrants = (grants: readonly RoleGrant[]): string[] => [...grants, 'ADMIN'];

/** What each role is for; which operations it may call stands in their declarations. */
export const ROLE_DESCRIPTIONS: Readonly<Record<Role, string>> = {
  VIEWER: 'Looks at overview, purposes and texts, banner, statistics and health. Sees no persons.',
  SUPPORT:
    'Helps persons who ask: looks them up, reads their timeline and why something is allowed, sets preferences, sends confirmations and portal links, and works on data requests until they are completed.',
  EDITOR:
    'Writes drafts of purposes, texts, banner and brand, and simulates what they would change. Publishes nothing. Sees no persons.',
  PRIVACY:
    'Does what SUPPORT and EDITOR do, and decides: publishes, completes and rejects requests, erases, holds, merges and reverts, makes bundles, reveals identifiers.',
  DEVELOPER:
    'Changes keys and webhooks of `test`, and looks at those of `live`. Sees persons of `test` only, who are made up.',
  AUDITOR: 'Reads everything, the ledger and who read what. Writes nothing.',
  ADMIN: 'May do everything, operators and sites included.',
};
