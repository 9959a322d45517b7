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
 * What only a secret key may claim, and is claimed here: that somebody else than the subject or who acts for the subject
 * speaks. Anybody can read a public key in a page and send anything with it.
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
