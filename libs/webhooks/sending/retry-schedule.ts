/** Seconds from each attempt to the next one; the first is made at once. Standard Webhooks: 75 h 35 min in all. */
export const RETRY_SCHEDULE_S = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;
/** By so much of it, up or down (`waitMs` of the queue), each wait is changed at random, so that what failed together does not come back together. */
export const JITTER = 0.2;
/** What `Retry-After` asks for (RFC 9110, 10.2.3), in seconds from `nowMs` on, milliseconds since 1970; null where that cannot be read. */
export function retryAfterSeconds(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text);
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, (atMs - nowMs) / 1000);
}
