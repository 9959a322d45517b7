import type { Issue } from '../kernel/index.js';
import type { Actor, Collection, Source } from './events.js';

/** What a request says about who speaks in it. */
export interface Claims {
  source?: Source;
  actor?: Pick<Actor, 'type'>;
  collection?: Pick<Collection, 'method'>;
}

const SOURCES: readonly string[] = ['IMPORT', 'MIGRATION'];
const ACTORS: readonly string[] = ['OPERATOR', 'SYSTEM'];
const METHODS: readonly string[] = ['OPERATOR', 'CONFIRMATION_LINK', 'IMPORT'];

/**
 * The claims of a request that need a secret key: an import, a decision that an operator or the system made. Every visitor
 * can read a public key in a page and send any body with it.
 */
export function asserted({ source, actor, collection }: Claims, at = ''): Issue[] {
  const claims: [string, string | undefined, readonly string[]][] = [
    ['source', source, SOURCES],
    ['actor.type', actor?.type, ACTORS],
    ['collection.method', collection?.method, METHODS],
  ];
  return claims.flatMap(([path, claimed, reserved]) =>
    claimed !== undefined && reserved.includes(claimed)
      ? [{ path: at + path, message: `${claimed} needs a secret key` }]
      : [],
  );
}
