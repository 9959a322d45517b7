import type { Instant } from '../kernel/index.js';

/**
 * Where Global Privacy Control must be honoured, and since when: the US states whose privacy acts name opt-out
 * preference signals (as of November 2026; not legal advice). Colorado, Connecticut, Texas and Montana began later
 * than their acts.
 */
const GPC_BINDS_SINCE: Readonly<Record<string, Instant>> = {
  'US-CA': '2023-01-01T00:00:00.000Z',
  'US-CO': '2024-07-01T00:00:00.000Z',
  'US-CT': '2025-01-01T00:00:00.000Z',
  'US-TX': '2025-01-01T00:00:00.000Z',
  'US-MT': '2025-01-01T00:00:00.000Z',
  'US-NE': '2025-01-01T00:00:00.000Z',
  'US-NH': '2025-01-01T00:00:00.000Z',
  'US-NJ': '2025-07-15T00:00:00.000Z',
  'US-MN': '2025-07-31T00:00:00.000Z',
  'US-MD': '2025-10-01T00:00:00.000Z',
  'US-DE': '2026-01-01T00:00:00.000Z',
  'US-OR': '2026-01-01T00:00:00.000Z',
};

/** Whether the signal binds at a place and time. A place that is not known follows the strictest rule: it binds. */
export function gpcBinds(country: string | undefined, region: string | undefined, at: Instant): boolean {
  if (country === undefined) return true;
  if (country !== 'US') return false;
  if (region === undefined) return true;
  const since = GPC_BINDS_SINCE[region];
  return since !== undefined && since <= at;
}
