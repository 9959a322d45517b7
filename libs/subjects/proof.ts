import type { Instant } from '../kernel/index.js';

/** An identifier as far as it says whose it is. */
interface Known {
  id: string;
  verifiedAt: Instant | null;
}

/**
 * Whether somebody who can read what is mailed to an identifier has shown to be the subject. It is the one thing that is
 * known of a subject of whom nobody has verified anything. Where something is verified, an identifier that is not may be
 * mistyped, or somebody else's: it opens no more than what was asked under it.
 */
export function provesSubject(identifiers: readonly Known[], identifierId: string): boolean {
  const own = identifiers.find(({ id }) => id === identifierId);
  if (!own) return false;
  return own.verifiedAt !== null || identifiers.every(({ verifiedAt }) => verifiedAt === null);
}
