import type { Request } from 'express';
import { ENVIRONMENTS, SITE_PATTERN, type Environment } from '../../kernel/index.js';
import type { Caller } from '../../http/caller.js';
import { refused } from '../../http/errors/refused.js';
import { truncatedAddress } from './client-address.js';
import type { VouchedIdentity } from './vouched-identity.js';
import type { Identified } from './callers.js';
import type { OperationAccess } from '../../context/operations.js';
import { EVERY_SCOPE } from '../../context/scopes.js';
import type { SiteState } from '../state.js';
import { reduceUserAgent } from './user-agent.js';

/** What handlers learn about the caller. Shortens address and user agent here, before any code can store them. */
export function callerOf(
  operation: OperationAccess,
  { known, operator, site }: Identified,
  request: Request & { requestId?: string },
  address: string | null,
  identity: VouchedIdentity | null,
): Caller {
  const requestId = request.requestId ?? '';
  const origin = request.headers.origin ?? null;
  if (known === null) {
    const kind = operation.keys.includes('operator') ? 'operator' : 'none';
    return {
      kind,
      operation: operation.id,
      keyId: operator?.id ?? null,
      ...(operator && { roles: operator.roles, ...(operator.session && { session: operator.session }) }),
      ...scopeOf(request),
      // The roles have decided.
      scopes: operation.twinOf ? [EVERY_SCOPE] : [],
      origin,
      ...seenOf(operation, site, request, address),
      identity: null,
      identifierKinds: site?.settings.identifierKinds ?? [],
      requestId,
    };
  }
  const { key } = known;
  return {
    kind: key.type,
    operation: operation.id,
    keyId: key.keyId,
    site: known.site.site!,
    env: key.env,
    scopes: key.scopes,
    origin,
    ...seenOf(operation, site, request, address),
    identity,
    identifierKinds: known.site.settings.identifierKinds ?? [],
    requestId,
  };
}

/** Evidence from the request itself. Only writes store any, within the settings of the site. */
function seenOf(
  operation: OperationAccess,
  site: SiteState | null,
  request: Request,
  address: string | null,
): Pick<Caller, 'ip' | 'userAgent'> {
  const ofKey = operation.keys.includes('sk') || operation.keys.includes('pk') || operation.twinOf !== undefined;
  // Only the token names the site of a link, and so its evidence settings: the handler drops what the site does not
  // keep.
  const isByPerson = operation.byLink === true || operation.byPerson === true;
  const kept = ofKey && site && operation.method !== 'GET' ? site.settings.evidence : null;
  return {
    ip: (isByPerson || kept?.ip === 'TRUNCATED') && address !== null ? truncatedAddress(address) : null,
    userAgent: isByPerson || kept?.userAgent ? reduceUserAgent(request.headers['user-agent']) : null,
  };
}

/** Operators name site and environment in the path. An impossible name is answered like an unknown path. */
function scopeOf({ params }: Request): { site: string; env: Environment } {
  const { site = '', env = 'test' } = params as Record<string, string | undefined>;
  if ((site !== '' && !SITE_PATTERN.test(site)) || !(ENVIRONMENTS as readonly string[]).includes(env))
    throw refused('route_not_found');
  return { site, env: env as Environment };
}
