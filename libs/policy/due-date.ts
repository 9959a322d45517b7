import { epochMs, instantOf, plusMs, type Instant } from '../kernel/index.js';
import { localDateAt, startOfDay, type LocalDate } from './local-date.js';
import type { Period } from './rule.js';

const DAY_MS = 86_400_000;

/** The days on which a place does business. */
export interface BusinessCalendar {
  /** IANA zone. */
  zone: string;
  /** 0 is Sunday, 6 is Saturday. */
  weekend: readonly number[];
  holidays: ReadonlySet<LocalDate>;
}

/** A time in which the period of a request stands still; `to` null: it still does. */
export interface Pause {
  from: Instant;
  to: Instant | null;
}

export const plusDays = (date: LocalDate, days: number): LocalDate =>
  instantOf(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).slice(0, 10);

/** The same day of a later month, or its last day where it has none such: 31 January and a month is 28 or 29 February. */
export function plusMonths(date: LocalDate, months: number): LocalDate {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, lastDay))).toISOString().slice(0, 10);
}

export const isBusinessDay = (date: LocalDate, { weekend, holidays }: BusinessCalendar): boolean =>
  !weekend.includes(new Date(`${date}T00:00:00Z`).getUTCDay()) && !holidays.has(date);

/** A number of business days after a day, which does not count itself. Throws RangeError for a place without business days. */
export function plusBusinessDays(date: LocalDate, days: number, calendar: BusinessCalendar): LocalDate {
  if (new Set(calendar.weekend).size >= 7) throw new RangeError('every day is a weekend');
  let [day, left] = [date, days];
  while (left > 0) if (isBusinessDay((day = plusDays(day, 1)), calendar)) left--;
  return day;
}

/**
 * When a request that came in at `received` must be answered: the first moment that is too late, which is the end of the
 * last day at the place, or the very minute where the law counts in periods of 24 hours. The day on which it came in is not
 * counted. Null where the law sets no period, and while the clock stands still.
 *
 * `extended`: with what the period can be extended by. Each day in which the clock stood still is given back as a day.
 */
export function dueAt(
  received: Instant,
  period: Period,
  calendar: BusinessCalendar,
  { extended = false, pauses = [] }: { extended?: boolean; pauses?: readonly Pause[] } = {},
): Instant | null {
  const count = period.dueDays === null ? null : period.dueDays + (extended ? (period.extensionDays ?? 0) : 0);
  if (count === null || pauses.some(({ to }) => to === null)) return null;
  if (period.unit === 'PERIODS_OF_24_HOURS') return pausedMs(plusMs(received, count * DAY_MS), pauses);
  const lastDay = lastDayOf(localDateAt(received, calendar.zone), count, period.unit, calendar);
  return startOfDay(plusDays(withPauses(lastDay, pauses, period.unit, calendar), 1), calendar.zone);
}

function lastDayOf(first: LocalDate, count: number, unit: Period['unit'], calendar: BusinessCalendar): LocalDate {
  if (unit === 'MONTHS') return plusMonths(first, count);
  return unit === 'BUSINESS_DAYS' ? plusBusinessDays(first, count, calendar) : plusDays(first, count);
}

/** Adds pauses in the order of their beginning. A pause that begins after the period is over changes nothing. */
function withPauses(
  lastDay: LocalDate,
  pauses: readonly Pause[],
  unit: Period['unit'],
  calendar: BusinessCalendar,
): LocalDate {
  return merged(pauses).reduce((day, { from, to }) => {
    const [first, end] = [localDateAt(from, calendar.zone), localDateAt(to, calendar.zone)];
    if (first > day) return day;
    if (unit !== 'BUSINESS_DAYS') return plusDays(day, daysBetween(first, end));
    return plusBusinessDays(day, businessDaysBetween(first, end, calendar), calendar);
  }, lastDay);
}

const pausedMs = (due: Instant, pauses: readonly Pause[]): Instant =>
  merged(pauses).reduce((end, { from, to }) => (from >= end ? end : plusMs(end, epochMs(to) - epochMs(from))), due);

/** Joins pauses that overlap, so that a day is given back once. */
function merged(pauses: readonly Pause[]): { from: Instant; to: Instant }[] {
  const together: { from: Instant; to: Instant }[] = [];
  for (const { from, to } of [...pauses].sort((a, b) => (a.from < b.from ? -1 : 1))) {
    const last = together.at(-1);
    if (last && from <= last.to) last.to = to! > last.to ? to! : last.to;
    else together.push({ from, to: to! });
  }
  return together;
}

const daysBetween = (first: LocalDate, end: LocalDate): number =>
  (Date.parse(`${end}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / DAY_MS;

function businessDaysBetween(first: LocalDate, end: LocalDate, calendar: BusinessCalendar): number {
  let count = 0;
  for (let day = plusDays(first, 1); day <= end; day = plusDays(day, 1)) if (isBusinessDay(day, calendar)) count++;
  return count;
}
