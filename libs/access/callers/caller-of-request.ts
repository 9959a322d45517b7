import type { Request } from 'express';
import { ENVIRONMENTS, SITE_PATTERN, type Environment } from '../../kernel/index.js';
import type { Caller } from '../../http/caller.js';
import { refused } from '../../http/errors/refused.js';
import { truncatedAddress } from './client-address.js';
import type { KnownOperator } from './authenticate.js';
import type { VouchedIdentity } from './vouched-identity.js';
import type { KnownKey } from '../sites/key-directory.js';
import type { OperationAccess } from '../../context/operations.js';
import { reduceUserAgent } from './user-agent.js';

/** What handlers learn about the caller. Shortens address and user agent here, before any code can store them. */
export function callerOf(
  operation: OperationAccess,
  known: KnownKey | null,
  request: Request & { requestId?: string },
  address: string | null,
  identity: VouchedIdentity | null,
  operator: KnownOperator | null,
): Caller {
  const requestId = request.requestId ?? '';
  const origin = request.headers.origin ?? null;
  if (known === null) {
    const kind = operation.keys.includes('operator') ? 'operator' : 'none';
    // Only the token names the site of a link, and so its evidence settings: the handler drops what the site does not
    // keep.
    const seen =
      operation.byLink === true || operation.byPerson === true
        ? {
            ip: address === null ? null : truncatedAddress(address),
            userAgent: reduceUserAgent(request.headers['user-agent']),
          }
        : { ip: null, userAgent: null };
    return {
      kind,
      operation: operation.id,
      keyId: operator?.id ?? null,
      ...(operator && { roles: operator.roles }),
      ...scopeOf(request),
      scopes: [],
      origin,
      ...seen,
      identity: null,
      identifierKinds: [],
      requestId,
    };
  }
  const { key, site } = known;
  const { evidence } = site.settings;
  // Only writes store evidence.
  const writes = operation.method !== 'GET';
  return {
    kind: key.type,
    operation: operation.id,
    keyId: key.keyId,
    site: site.site!,
    env: key.env,
    scopes: key.scopes,
    origin,
    ip: writes && evidence.ip === 'TRUNCATED' && address !== null ? truncatedAddress(address) : null,
    userAgent: writes && evidence.userAgent ? reduceUserAgent(request.headers['user-agent']) : null,
    identity,
    identifierKinds: site.settings.identifierKinds ?? [],
    requestId,
  };
}

/** Operators name site and environment in the path. An impossible name is answered like an unknown path. */
function scopeOf({ params }: Request): { site: string; env: Environment } {
  const { site = '', env = 'test' } = params as Record<string, string | undefined>;
  if ((site !== '' && !SITE_PATTERN.test(site)) || !(ENVIRONMENTS as readonly string[]).includes(env))
    throw refused('route_not_found');
  return { site, env: env as Environment };
}
