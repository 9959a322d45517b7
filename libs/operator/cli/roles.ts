import { ROLES, type OperatorRole, type Role } from '../../context/roles.js';
import { WrongUsage } from './failure.js';

export const ROLE_OPTION =
  'what it may do and where: ADMIN, SUPPORT@shop, PRIVACY@shop/live; without a site everywhere. Several are possible';

/** `PRIVACY@shop/live`. What is left out is `*`. The service refuses a site or an environment that cannot be. */
export function readRole(text: string): OperatorRole {
  const [, role = '', site = '*', env = '*'] = /^([a-z]+)(?:@([^/]+)(?:\/(.+))?)?$/i.exec(text) ?? [];
  const known = role.toUpperCase() as Role;
  if (!ROLES.includes(known))
    throw new WrongUsage(
      `"${text}" names no role.`,
      `Write a role, and where it counts: ${ROLES.join(', ')}; for example PRIVACY@shop/live.`,
    );
  return { role: known, site, env: env as OperatorRole['env'] };
}

/** As readRole takes it. */
export const roleInWords = ({ role, site, env }: OperatorRole): string =>
  site === '*' && env === '*' ? role : `${role}@${site}${env === '*' ? '' : `/${env}`}`;
