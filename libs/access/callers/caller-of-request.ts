import type { Request } from 'express';
import { ENVIRONMENTS, SITE_PATTERN, type Environment } from '../../kernel/index.js';
import type { Caller } from '../../http/caller.js';
import { refused } from '../../http/errors/refused.js';
import { truncatedAddress } from './client-address.js';
import type { VouchedIdentity } from './vouched-identity.js';
import type { KnownKey } from '../sites/key-directory.js';
import type { OperationAccess } from '../../context/operations.js';
import { reduceUserAgent } from './user-agent.js';

/** What handlers get to know of the caller. Address and user agent are reduced here, before anything can keep them. */
export function callerOf(
  operation: OperationAccess,
  known: KnownKey | null,
  request: Request & { requestId?: string },
  address: string | null,
  identity: VouchedIdentity | null,
  operatorId: string | null,
): Caller {
  const requestId = request.requestId ?? '';
  const origin = request.headers.origin ?? null;
  if (known === null) {
    const kind = operation.keys.includes('operator') ? 'operator' : 'none';
    // Whose link it is, and so what its site keeps, only the token tells: the handler leaves out what it may not keep.
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
      keyId: operatorId,
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
  // Only what is written keeps evidence; a read needs neither.
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

/** Operators name site and environment in the path; one that cannot exist is a path that does not. */
function scopeOf({ params }: Request): { site: string; env: Environment } {
  const { site = '', env = 'test' } = params as Record<string, string | undefined>;
  if ((site !== '' && !SITE_PATTERN.test(site)) || !(ENVIRONMENTS as readonly string[]).includes(env))
    throw refused('route_not_found');
  return { site, env: env as Environment };
}
