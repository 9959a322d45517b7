import { epochMs, instantOf, type Instant } from '../kernel/index.js';

/** A day of the calendar, without a time zone: `2027-01-01`. */
export type LocalDate = string;

const HOUR_MS = 3_600_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Made once per zone: making one takes a hundred times as long as using it. */
function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    const options = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
    format = new Intl.DateTimeFormat('en-u-ca-iso8601', {
      ...options,
      second: '2-digit',
      hourCycle: 'h23',
      timeZone: zone,
    });
    formats.set(zone, format);
  }
  return format;
}

/** What a clock at a place shows, as if it showed UTC; whole seconds. */
function wallClockMs(atMs: number, zone: string): number {
  const shown: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(atMs)) shown[type] = Number(value);
  return Date.UTC(shown.year!, shown.month! - 1, shown.day, shown.hour, shown.minute, shown.second);
}

const offsetMs = (atMs: number, zone: string): number => wallClockMs(atMs, zone) - Math.floor(atMs / 1000) * 1000;

/** The day that it is at a place. Throws RangeError where the IANA zone is unknown. */
export const localDateAt = (at: Instant, zone: string): LocalDate =>
  instantOf(wallClockMs(epochMs(at), zone)).slice(0, 10);

/**
 * The first moment of a day at a place: midnight, or, where clocks skip midnight, the moment after what is skipped. Where
 * clocks show midnight twice, the first time. Throws RangeError where the IANA zone is unknown.
 */
export function startOfDay(date: LocalDate, zone: string): Instant {
  const midnightMs = Date.parse(`${date}T00:00:00Z`);
  // No zone is more than a day away from UTC, and none changes its clocks twice in two days.
  const offsets = [offsetMs(midnightMs - 24 * HOUR_MS, zone), offsetMs(midnightMs + 24 * HOUR_MS, zone)];
  const candidates = offsets.map((offset) => midnightMs - offset).sort((a, b) => a - b);
  // Where midnight is skipped, the offset from before leads to the very moment at which clocks are changed.
  const first = candidates.find((atMs) => wallClockMs(atMs, zone) >= midnightMs);
  return instantOf(first ?? candidates[1]!);
}
