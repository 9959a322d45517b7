import type { Instant } from '../kernel/index.js';

/** An identifier as far as it says whose it is. */
interface Known {
  id: string;
  verifiedAt: Instant | null;
}

/**
 * Whether a person who reads the mail of an identifier has shown to be the subject. Only where no identifier of the
 * subject is verified: the mail is then the best proof there is. Where one is verified, an identifier that is not may be
 * mistyped or belong to another person, and opens no more than what was asked under it.
 */
export function provesSubject(identifiers: readonly Known[], identifierId: string): boolean {
  const own = identifiers.find(({ id }) => id === identifierId);
  if (!own) return false;
  return own.verifiedAt !== null || identifiers.every(({ verifiedAt }) => verifiedAt === null);
}
