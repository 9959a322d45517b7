/**
 * A moment as RFC 3339 text in UTC with exactly three decimals (`2026-11-21T12:00:00.000Z`).
 * One fixed form, so that two instants compare as plain strings.
 */
export type Instant = string;

/** Before and after every instant that the service meets: the form has four digits for a year. */
export const BEGINNING_OF_TIME: Instant = '0000-01-01T00:00:00.000Z';
export const END_OF_TIME: Instant = '9999-12-31T23:59:59.999Z';

/** Reads the time. A function that needs the time takes a Clock or an Instant as an argument. */
export type Clock = () => Instant;

/** Injection token of the Clock. */
export const CLOCK = Symbol('Clock');

let readMs = NaN;
let readAs: Instant = '';

/** Makes the text once per millisecond, since many requests are answered in one. */
export const systemClock: Clock = () => {
  // eslint-disable-next-line no-restricted-syntax -- the one place that reads the clock; all others take a Clock
  const nowMs = Date.now();
  if (nowMs !== readMs) [readMs, readAs] = [nowMs, new Date(nowMs).toISOString()];
  return readAs;
};

export const instantOf = (epochMs: number): Instant => new Date(epochMs).toISOString();
export const epochMs = (at: Instant): number => Date.parse(at);
export const plusMs = (at: Instant, ms: number): Instant => instantOf(epochMs(at) + ms);

/** RFC 3339 with a zone (`Z` or an offset); the date must exist in the calendar. */
const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;

/** Brings any RFC 3339 timestamp into our one form, or answers null where it is not one. */
export function parseInstant(text: string): Instant | null {
  const parts = RFC3339.exec(text);
  if (!parts) return null;
  const [, year, month, day, hour] = parts.map(Number) as number[];
  const daysInMonth = new Date(Date.UTC(year!, month!, 0)).getUTCDate();
  // Date.parse refuses every other number out of its range. February 31 and 24:00 it takes for the following day.
  if (day! > daysInMonth || hour! > 23) return null;
  const ms = Date.parse(text.toUpperCase());
  if (Number.isNaN(ms) || ms < 0 || year! > 9998) return null;
  return instantOf(ms);
}
