import type { OperationAccess } from '../../context/operations.js';
import {
  mayAt,
  ROLE_DESCRIPTIONS,
  ROLES,
  shownGrants,
  type Role,
  type RoleGrant,
  type RolePlace,
} from '../../context/roles.js';
import type { Refused } from '../../kernel/index.js';
import { refused } from '../../http/errors/refused.js';
import type { KnownOperator } from './authenticate.js';

/** Where a call acts, by what its path names: a list without a place is open anywhere, all else counts everywhere. */
export function placeOfCall(
  { method, roles = [], envBy, anywhere }: OperationAccess,
  { site, env }: Readonly<Record<string, string>>,
): RolePlace {
  const open = anywhere || (method === 'GET' && roles.length > 0) ? undefined : '*';
  return { site: site ?? open, env: env ?? (envBy ? undefined : open) };
}

/** Throws `role_missing` if no role of the operator allows the operation at the place that the path names. */
export function requireRole(
  operation: OperationAccess,
  operator: KnownOperator,
  params: Readonly<Record<string, string>>,
): void {
  const { roles = [] } = operation;
  const place = placeOfCall(operation, params);
  if (mayAt(operator.roles, roles, place)) return;
  throw roleMissing(roles, place);
}

/** The refusal, which names the roles that could. */
export const roleMissing = (grants: readonly RoleGrant[], place: RolePlace): Refused =>
  refused('role_missing', `One of these roles could, for ${inWords(place)}: ${shownGrants(grants).join(', ')}.`);

/** Names a site only as the caller wrote it, within what a site can be called. */
function inWords({ site, env }: RolePlace): string {
  const where = site === undefined ? 'any site' : site === '*' ? 'all sites' : `the site ${site.slice(0, 40)}`;
  return env === undefined ? where : `${where} in ${env === '*' ? 'both environments' : env.slice(0, 10)}`;
}

/** What each role may do, from the declarations of the operations. */
export function operationsByRole(
  all: readonly OperationAccess[],
): { role: Role; description: string; operations: string[]; operationsInTest: string[] }[] {
  const ofOperators = all.filter(({ keys }) => keys.includes('operator'));
  const idsOf = (granted: (grants: readonly RoleGrant[]) => boolean): string[] =>
    ofOperators.filter(({ roles = [] }) => granted(roles)).map(({ id }) => id);
  return ROLES.map((role) => ({
    role,
    description: ROLE_DESCRIPTIONS[role],
    operations: idsOf((grants) => role === 'ADMIN' || grants.includes(role)),
    operationsInTest: idsOf((grants) => (grants as readonly string[]).includes(`${role}:test`)),
  }));
}
