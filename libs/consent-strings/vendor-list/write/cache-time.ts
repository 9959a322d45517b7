import type { IncomingHttpHeaders } from 'node:http';

/** How long an answer without caching headers is fresh, in seconds. */
const FRESH_S_DEFAULT = 86_400;
/** Bounds: no server is asked more often, and no list is used longer without asking. */
const FRESH_S = { min: 60, max: 7 * 86_400 } as const;
const RETRY_S_MAX = 86_400;

/** For how many more seconds an answer may be used without asking again (RFC 9111, 4.2), within our own bounds. */
export function freshSeconds(headers: IncomingHttpHeaders, nowMs: number): number {
  const said = lifetime(headers, nowMs);
  return Math.min(FRESH_S.max, Math.max(FRESH_S.min, said ?? FRESH_S_DEFAULT));
}

function lifetime(
  { 'cache-control': control = '', age, expires, date }: IncomingHttpHeaders,
  nowMs: number,
): number | null {
  if (/(^|[\s,])no-(store|cache)\b/i.test(control)) return 0;
  const [, maxAge] = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,10})/i.exec(control) ?? [];
  if (maxAge !== undefined) return Number(maxAge) - (/^\d{1,10}$/.test(age ?? '') ? Number(age) : 0);
  if (expires === undefined) return null;
  const until = Date.parse(expires);
  // An invalid time counts as past (RFC 9111, 5.3).
  if (Number.isNaN(until)) return 0;
  const from = Date.parse(date ?? '');
  return Math.floor((until - (Number.isNaN(from) ? nowMs : from)) / 1_000);
}

/** How many seconds the server asks to be left alone; null if it does not say. */
export function retryAfterSeconds({ 'retry-after': said }: IncomingHttpHeaders, nowMs: number): number | null {
  if (said === undefined) return null;
  const seconds = /^\s*\d{1,10}\s*$/.test(said) ? Number(said) : Math.ceil((Date.parse(said) - nowMs) / 1_000);
  return Number.isNaN(seconds) || seconds < 0 ? null : Math.min(RETRY_S_MAX, seconds);
}
