import type { Scope } from '../kernel/index.js';
import type { MasterKey } from '../vault/master-key.js';
import { textInScope } from './key-scope.js';

/** Most items of one request that have keys of their own, made from the key of the request. */
export const MOST_ITEMS = 500;

/**
 * Digest of the key of an item that was sent without one: its place in the request, under the digest of the request's
 * key. That digest already contains the caller. No client can compute it.
 */
export const itemDigest = (master: MasterKey, { site, env }: Scope, requestDigest: string, index: number): string =>
  master.requestDigest(textInScope({ site, env, apart: null }, `${requestDigest}#${index}`));
