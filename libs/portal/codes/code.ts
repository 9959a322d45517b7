import { instantOf, epochMs, type Instant } from '../../kernel/index.js';

/** How long a code is good for. */
export const CODE_MINUTES = 10;
export const CODE_DIGITS = 6;
/** How often a person may try to enter one. */
export const CODE_TRIES = 5;

const HOUR_MS = 3_600_000;
/** How many codes go to one address, and within which time. */
const LIMITS = [
  { codes: 3, withinMs: HOUR_MS },
  { codes: 10, withinMs: 24 * HOUR_MS },
] as const;
/** What was asked for earlier counts no longer. */
export const COUNTED_MS = Math.max(...LIMITS.map(({ withinMs }) => withinMs));

/** From when on one more code may go to an address, by when the others were asked for; null: now. */
export function codeAllowedAt(asked: readonly Instant[], at: Instant): Instant | null {
  const now = epochMs(at);
  const times = asked.map(epochMs).sort((a, b) => b - a);
  const waits = LIMITS.map(({ codes, withinMs }) => {
    const oldestThatCounts = times[codes - 1];
    return oldestThatCounts === undefined ? now : oldestThatCounts + withinMs;
  });
  const allowed = Math.max(...waits);
  return allowed <= now ? null : instantOf(allowed);
}

/** What a person typed as digits alone: people copy blanks along. Null where it cannot be a code. */
export function digitsOf(typed: string): string | null {
  const digits = typed.replace(/[\s-]/g, '');
  return new RegExp(`^\\d{${CODE_DIGITS}}$`).test(digits) ? digits : null;
}
