import { calendarDay, type DayForm } from '../../words.js';
import type { Period } from './figures.js';

const DAY_MS = 86_400_000;
const daysIn = ({ from, to }: Period): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;

const formOf = (period: Period, short: DayForm, month: DayForm): DayForm => (daysIn(period) >= 28 ? month : short);

/** `29 Oct`, or `Oct 2026` of a month: the axis. */
export const shortPeriod = (period: Period): string =>
  calendarDay(period.from, undefined, formOf(period, 'short', 'month'));

/** `29 Oct 2026`, `2 – 8 Nov 2026`, `October 2026`. */
export const periodName = (period: Period): string =>
  calendarDay(period.from, daysIn(period) < 28 ? period.to : undefined, formOf(period, 'medium', 'long-month'));

/** The day of UTC so many days before another. */
export const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);
