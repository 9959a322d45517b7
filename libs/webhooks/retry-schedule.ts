/** Seconds from each attempt to the next one; the first is made at once. Standard Webhooks: 75 h 35 min in all. */
export const RETRY_SCHEDULE_S = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;
/** By so much of it, up or down, each wait is changed at random, so that what failed together does not come back together. */
export const JITTER = 0.2;
/** A receiver may ask for more patience than the schedule has, but not for ever. */
export const RETRY_AFTER_MAX_S = 86_400;

/**
 * Seconds to wait after so many failed attempts, 1 or more; null: there is no other attempt. `random`: from 0 to below 1.
 * `retryAfterS`: what the receiver asked for, if it did; it is never asked sooner than that, within a day.
 */
export function secondsToWait(failed: number, random: number, retryAfterS: number | null = null): number | null {
  const planned = RETRY_SCHEDULE_S[failed];
  if (planned === undefined) return null;
  const jittered = planned * (1 + JITTER * (2 * random - 1));
  return Math.max(jittered, Math.min(retryAfterS ?? 0, RETRY_AFTER_MAX_S));
}

/** What `Retry-After` asks for (RFC 9110, 10.2.3), in seconds from `nowMs` on, milliseconds since 1970; null where that cannot be read. */
export function retryAfterSeconds(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text);
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, (atMs - nowMs) / 1000);
}
